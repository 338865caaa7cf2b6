#include "judge/reward.h"

#include <algorithm>
#include <unordered_map>

#include "core/error.h"

namespace craft {

StepScores Judged::scores() const {
    StepScores scores;
    scores.s_v = tool_use.tool_f1;
    scores.s_c = adherence.s_c;
    scores.s_r = s_r;
    scores.s_a = s_a;
    scores.quality = quality;
    return scores;
}

Judge::Judge(RewardOptions options, std::vector<QualityTerm> quality) : options_(options), quality_(std::move(quality)) {}

// Texts and their revisions go to a scorer in one call: what it returns may depend, in the last bits, on what is asked
// together, and must not depend on what was asked before.
void Judge::add_quality(const std::vector<Revision>& revisions, std::vector<Judged>& judged) {
    std::vector<ScoredPair> pairs;
    std::unordered_map<std::string, size_t> initial;  // where in `pairs` a text stands against itself
    for (const Revision& revision : revisions) {
        const std::string& text = revision.original->text();
        if (initial.try_emplace(text, pairs.size()).second) pairs.push_back({text, text});
    }
    const size_t first = pairs.size();
    for (const Revision& revision : revisions) pairs.push_back({revision.original->text(), revision.text->text()});
    for (const auto& [scorer, to_hundred] : quality_) {
        const std::vector<double> values = scorer->score(pairs);
        if (values.size() != pairs.size())
            throw Error("scorer " + scorer->name(), std::to_string(pairs.size()) + " values", std::to_string(values.size()));
        for (size_t i = 0; i < judged.size(); ++i) {
            const double value = values[first + i], of_text = values[initial.at(pairs[first + i].source)];
            judged[i].quality.push_back({scorer->name(), value, of_text});
            judged[i].s_r = judged[i].s_r.value_or(0) + to_hundred(value, of_text) / static_cast<double>(quality_.size());
        }
    }
}

std::vector<Judged> Judge::judge(const std::vector<Revision>& revisions) {
    std::vector<Judged> judged;
    for (const Revision& revision : revisions) {
        const auto& [instruction, calls, original, text] = revision;
        if (instruction == nullptr || calls == nullptr || original == nullptr || text == nullptr)
            throw Error("judge", "a revision with its instruction, calls and measured texts", "one without");
        Judged one;
        one.tool_use = score_tool_use(*calls, instruction->gold_calls());
        one.adherence = constraint_adherence(*instruction, *original, *text);
        judged.push_back(std::move(one));
    }
    add_quality(revisions, judged);
    for (Judged& one : judged)
        one.s_a = options_.lambda_v * 100 * one.tool_use.tool_f1 + options_.lambda_r * one.s_r.value_or(0) +
                  options_.lambda_c * 100 * one.adherence.s_c.value_or(1);
    return judged;
}

}  // namespace craft
