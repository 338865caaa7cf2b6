#include "data/constraints/adherence.h"

#include <algorithm>

namespace craft {

namespace {

bool is_range(const std::vector<ToolCall>& group) {
    return std::count_if(group.begin(), group.end(),
                         [](const ToolCall& call) { return std::holds_alternative<WordCountCheck>(call); }) > 1;
}

}  // namespace

Adherence constraint_adherence(const Instruction& instruction, const MeasuredText& original, const MeasuredText& revision,
                               Scoring scoring) {
    Adherence adherence;
    std::vector<int64_t> to_change;
    for (const auto& group : instruction.gold) {
        bool met = !(scoring == Scoring::published && is_range(group));
        for (const ToolCall& call : group) {
            adherence.results.push_back(check(call, original, revision, scoring));
            met = met && adherence.results.back().met;
            const auto* sentences = std::get_if<SentenceModificationCheck>(&call);
            if (sentences == nullptr || !sentences->change) continue;
            to_change.insert(to_change.end(), sentences->sentence_ids.begin(), sentences->sentence_ids.end());
        }
        adherence.met.push_back(met);
    }
    if (!to_change.empty()) {
        adherence.touched_besides = static_cast<int64_t>(sentences_touched_besides(to_change, original, revision).size());
    }
    if (!adherence.met.empty()) {
        const auto satisfied = std::count(adherence.met.begin(), adherence.met.end(), true);
        adherence.s_c = static_cast<double>(satisfied) / static_cast<double>(adherence.met.size());
    }
    return adherence;
}

}  // namespace craft
