#include "gec/correction_counts.h"

namespace craft {

void CorrectionCounts::add(const AgentTrace& trace) {
    ++sentences_;
    for (const auto& [kind, count] : trace.noted) noted_[kind] += count;
    if (!trace.not_asked.empty()) {
        ++not_asked_[trace.not_asked];
        return;
    }
    ++asked_;
    ++ended_[agent_end_name(trace.ended)];
    if (!trace.failure.empty()) ++failures_[trace.failure];
    model_calls_ += static_cast<int64_t>(trace.steps.size());
    ++by_count_[trace.steps.size()];
    unnamed_ += static_cast<int64_t>(trace.unnamed.size());
    seconds_ += trace.seconds;
    for (const auto& [action, count] : actions_of(trace)) calls_[action] += count;
    for (const AgentStep& step : trace.steps) {
        if (step.seconds > 0) tool_seconds_[step.reply.action] += step.seconds;
        if (!step.error.empty()) ++tool_errors_[step.reply.action];
        if (!step.refused.empty()) ++refused_[step.refused];
        if (!step.reply.problem.empty()) ++unread_[step.reply.problem];
        add_leniency(let_pass_, step.reply.let_pass);
    }
}

void CorrectionCounts::add(const CorrectedText& corrected) {
    ++texts_;
    if (corrected.text != corrected.source) ++changed_;
    for (const SentenceEdit& edit : edits_between(corrected.source, corrected.text))
        ++edits_[operation_name(edit.operation)];
    for (const AgentTrace& trace : corrected.sentences) add(trace);
}

Json CorrectionCounts::to_json() const {
    Json by_count = Json::object(), usage = Json::object();
    for (const auto& [calls, sentences] : by_count_) by_count[std::to_string(calls)] = sentences;
    for (const auto& [action, calls] : calls_)
        usage[action] = model_calls_ > 0 ? static_cast<double>(calls) / static_cast<double>(model_calls_) : 0;
    const double mean = asked_ > 0 ? static_cast<double>(model_calls_) / static_cast<double>(asked_) : 0;
    return {{"texts", texts_},
            {"changed", changed_},
            {"sentences", sentences_},
            {"edits", edits_},
            {"ended", ended_},
            {"not_asked", not_asked_},
            {"failures", failures_},
            {"model_calls", {{"sum", model_calls_}, {"mean", mean}, {"by_count", by_count}}},
            {"calls", calls_},
            {"usage_rate", usage},
            {"tool_errors", tool_errors_},
            {"tool_seconds", tool_seconds_},
            {"refused", refused_},
            {"unread", unread_},
            {"let_pass", let_pass_},
            {"unnamed_changes", unnamed_},
            {"noted", noted_},
            {"seconds", seconds_}};
}

}  // namespace craft
