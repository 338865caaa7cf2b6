#include "gec/training_rows.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace craft {

namespace {

Conversation part_of(const Conversation& all, size_t begin, size_t end) {
    Conversation part;
    for (size_t i = begin; i < end; ++i) part.messages.push_back(all.messages[i]);
    return part;
}

void make_pair_of(const Conversation& chosen, const Conversation& rejected, TrainingRows& rows) {
    size_t common = 0;
    while (common < chosen.messages.size() && common < rejected.messages.size() &&
           chosen.messages[common] == rejected.messages[common])
        ++common;
    const Conversation good = part_of(chosen, common, chosen.messages.size());
    const Conversation bad = part_of(rejected, common, rejected.messages.size());
    if (!says_something(good.messages) || !says_something(bad.messages)) {
        rows.no_pair = "same steps";
        return;
    }
    Conversation prompt = part_of(chosen, 0, common);
    prompt.tools = chosen.tools;
    rows.pair = Pair{prompt, good, bad};
}

}  // namespace

TrainingRows training_rows(const std::string& id, const std::string& gold, const std::vector<AgentTrace>& traces,
                           const TraceConversation& conversation_of, const TrainingRowOptions& options) {
    std::vector<double> values;
    for (const AgentTrace& trace : traces)
        values.push_back(score_correction(trace.source, trace.text, gold, options.penalty, options.score_by).value);
    std::vector<size_t> order(traces.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
        const auto key = [&](size_t i) {
            return std::make_tuple(-values[i], traces[i].ended == AgentEnd::final ? 0 : 1, traces[i].steps.size());
        };
        return key(a) < key(b);
    });
    const AgentTrace& best = traces.at(order.at(0));
    const AgentTrace& worst = traces[order.back()];
    TrainingRows rows;
    rows.value = values[order[0]];
    const std::string& source = best.source;
    rows.source_value = score_correction(source, source, gold, options.penalty, options.score_by).value;
    const bool helps = rows.value > rows.source_value || (source == gold && best.text == source);
    if (best.ended != AgentEnd::final || best.steps.empty())
        rows.no_conversation = "not final";
    else if (!helps)
        rows.no_conversation = "not better";
    else
        rows.conversation = conversation_of(best);
    if (traces.size() < 2)
        rows.no_pair = "one trace";
    else if (rows.value - values[order.back()] < options.min_gap)
        rows.no_pair = "gap";
    else
        make_pair_of(conversation_of(best), conversation_of(worst), rows);
    if (rows.pair)
        rows.pair->provenance = {{"source_id", id}, {"chosen_value", rows.value}, {"rejected_value", values[order.back()]}};
    return rows;
}

}  // namespace craft
