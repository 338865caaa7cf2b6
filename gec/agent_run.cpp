#include "gec/agent_run.h"

#include <chrono>
#include <utility>

#include "core/error.h"
#include "core/utf8.h"
#include "gec/action_input.h"
#include "gec/edit_action.h"
#include "gec/final_answer.h"
#include "text/code_points.h"
#include "text/quoted_lines.h"

namespace craft {

namespace {

constexpr size_t kLongestUnread = 2000;  // bytes of a reply that could not be read which the conversation continues with

std::string cut_to(const std::string& text, int64_t code_points) {
    size_t at = 0;
    for (int64_t n = 0; at < text.size() && n < code_points; ++n) at += code_point_at(text, at).bytes;
    return text.substr(0, at);
}

// Seconds until its end, however that is reached.
class TimeInto {
public:
    explicit TimeInto(double& seconds) : seconds_(seconds) {}
    ~TimeInto() { seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
    TimeInto(const TimeInto&) = delete;
    TimeInto& operator=(const TimeInto&) = delete;

private:
    double& seconds_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

AgentRun::AgentRun(const ToolSet& tools, const AgentPrompt& prompt, const AgentOptions& options, AgentTrace& trace)
    : tools_(tools), prompt_(prompt), options_(options), trace_(trace), original_(trace.source) {
    standing_.push_back(trace.source);
    seen_.insert(trace.source);
}

bool AgentRun::take(const Reply& reply) {
    AgentStep step;
    step.reply = read_agent_reply(reply.text);
    bool continues = true;
    if (!step.reply.problem.empty())
        continues = take_unread(step, reply.text);
    else if (step.reply.answer)
        continues = take_answer(step);
    else
        continues = take_action(step);
    step.sentence = standing_.back();
    trace_.text = standing_.back();
    trace_.steps.push_back(std::move(step));
    return continues;
}

bool AgentRun::end(AgentEnd ended, const std::string& failure) {
    trace_.ended = ended;
    trace_.failure = failure;
    return false;
}

bool AgentRun::refuse(AgentStep& step, const std::string& why, std::map<std::string, std::string> values) {
    step.refused = why;
    values["sentence"] = standing_.back();
    step.observation = prompt_.told("refused." + why, values);
    return true;
}

bool AgentRun::take_unread(AgentStep& step, const std::string& text) {
    step.raw = shortened(text, kLongestUnread);
    if (!trace_.steps.empty() && !trace_.steps.back().reply.problem.empty()) return end(AgentEnd::failed, "unreadable");
    step.observation = prompt_.told("unreadable." + step.reply.problem, {});
    return true;
}

bool AgentRun::take_answer(AgentStep& step) {
    const FinalAnswer read = read_final_answer(*step.reply.answer, standing_.back());
    add_leniency(step.reply.let_pass, read.let_pass);
    step.reply.answer = read.sentence;
    const std::vector<SentenceEdit> changes = unnamed_changes(standing_.back(), read.sentence);
    // Told once, so that a model may still name what it meant; then they are undone.
    if (!changes.empty() && !std::exchange(warned_unnamed_, true)) return refuse(step, "unnamed_changes", {});
    for (const SentenceEdit& change : changes) trace_.unnamed.push_back(change.from + " -> " + change.to);
    return end(AgentEnd::final);
}

bool AgentRun::take_action(AgentStep& step) {
    const std::string& name = step.reply.action;
    if (name == "withdraw" && prompt_.reflection()) return withdraw(step);
    if (is_edit_action(name)) return edit(step);
    if (tools_.find(name) != nullptr) return call(step);
    if (repeated(name + " " + step.reply.input)) return end_or_report(step);
    return refuse(step, "unknown_action", {});
}

bool AgentRun::end_or_report(AgentStep& step) {
    if (std::exchange(warned_repeat_, true)) {
        step.refused = "repeat";
        return end(AgentEnd::repeat);
    }
    return refuse(step, "repeat", {});
}

bool AgentRun::withdraw(AgentStep& step) {
    if (standing_.size() == 1) {
        if (repeated("withdraw " + standing_.back())) return end_or_report(step);
        return refuse(step, "nothing_to_withdraw", {});
    }
    standing_.pop_back();
    step.observation = prompt_.told("withdrawn", {{"sentence", standing_.back()}});
    return true;
}

bool AgentRun::edit(AgentStep& step) {
    const std::string& name = step.reply.action;
    const ActionInput input = read_action_input(step.reply.input);
    add_leniency(step.reply.let_pass, input.let_pass);
    if (!input.problem.empty()) {
        if (repeated(name + " " + step.reply.input + "\n" + standing_.back())) return end_or_report(step);
        return refuse(step, "input", {{"action", name}, {"problem", input.problem}});
    }
    step.reply.input = dump_line(input.fields);
    if (repeated(name + " " + step.reply.input + "\n" + standing_.back())) return end_or_report(step);
    for (const char* key : {"text", "to"})  // what would come into the sentence
        if (input.fields.contains(key) && input.fields[key].is_string())
            for (const std::string& kind : quoted_lines(input.fields[key].get<std::string>()).noted) ++trace_.noted[kind];
    EditResult result = apply_edit(name, input.fields, standing_.back());
    if (!result.refused.empty()) return refuse(step, result.refused, result.told);
    if (!seen_.insert(result.sentence).second) return end_or_report(step);  // back to where it was, and not by withdrawing
    standing_.push_back(result.sentence);
    step.observation = prompt_.told("changed", {{"sentence", standing_.back()}});
    return true;
}

bool AgentRun::call(AgentStep& step) {
    const std::string& name = step.reply.action;
    const ToolCallReading read = read_tool_call(tools_, name, step.reply.input, standing_.back());
    add_leniency(step.reply.let_pass, read.let_pass);
    if (!read.call) {
        if (repeated(name + " " + step.reply.input)) return end_or_report(step);
        return refuse(step, "arguments", {{"problem", read.problem}});
    }
    step.reply.input = dump_line(read.fields);
    if (repeated(normal_form(*read.call))) return end_or_report(step);
    std::string found;
    try {
        const TimeInto timed(step.seconds);
        const MeasuredText current(standing_.back());
        found = tools_.run(*read.call, {original_, current}).text;
    } catch (const WrongArguments& wrong) {
        return refuse(step, "arguments", {{"problem", wrong.problem}});
    } catch (const Error& error) {
        step.error = error.what();
        return refuse(step, "tool_failed", {{"tool", name}});
    }
    const std::string shown = options_.max_observation_chars > 0 ? cut_to(found, options_.max_observation_chars) : found;
    if (shown.size() < found.size()) ++trace_.noted["findings cut off"];
    for (const std::string& kind : quoted_lines(shown).noted) ++trace_.noted[kind];
    step.observation = prompt_.told("found", {{"text", shown}});
    return true;
}

}  // namespace craft
