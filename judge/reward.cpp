#include "judge/reward.h"

#include <numeric>
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

namespace {

using Places = std::vector<size_t>;  // in a list of revisions

// Those of one text together, the texts in the order in which they come.
std::vector<Places> by_text(const std::vector<Revision>& revisions) {
    std::vector<Places> groups;
    std::unordered_map<std::string, size_t> group_of;
    for (size_t i = 0; i < revisions.size(); ++i) {
        const auto [found, is_new] = group_of.try_emplace(revisions[i].original->text(), groups.size());
        if (is_new) groups.emplace_back();
        groups[found->second].push_back(i);
    }
    return groups;
}

Places all_of(const std::vector<Revision>& revisions) {
    Places all(revisions.size());
    std::iota(all.begin(), all.end(), size_t{0});
    return all;
}

// Adds a term of S_r, which is the mean of so many.
void add_term(const QualityTerm& term, size_t terms, const std::vector<Revision>& revisions, const Places& asked,
              std::vector<Judged>& judged) {
    std::vector<ScoredPair> pairs;
    std::unordered_map<std::string, size_t> initial;  // where in `pairs` a text stands against itself
    for (const size_t i : asked) {
        const std::string& text = revisions[i].original->text();
        if (initial.try_emplace(text, pairs.size()).second) pairs.push_back({text, text});
    }
    const size_t first = pairs.size();
    for (const size_t i : asked) pairs.push_back({revisions[i].original->text(), revisions[i].text->text()});
    const std::vector<double> values = term.scorer->score(pairs);
    if (values.size() != pairs.size())
        throw Error("scorer " + term.scorer->name(), std::to_string(pairs.size()) + " values",
                    std::to_string(values.size()));
    for (size_t k = 0; k < asked.size(); ++k) {
        Judged& one = judged[asked[k]];
        const double value = values[first + k], of_text = values[initial.at(pairs[first + k].source)];
        one.quality.push_back({term.scorer->name(), value, of_text});
        one.s_r = one.s_r.value_or(0) + term.to_hundred(value, of_text) / static_cast<double>(terms);
    }
}

}  // namespace

// A text and its revisions go to a scorer in one call, since a sentence that several have is computed once. Other texts do
// not: what a scorer returns may depend, in its last bits, on what is asked together, and a revision's score must not depend
// on what else is judged, or in how many processes.
void Judge::add_quality(const std::vector<Revision>& revisions, std::vector<Judged>& judged) {
    const std::vector<Places> texts = by_text(revisions), once = {all_of(revisions)};
    for (const QualityTerm& term : quality_)
        for (const Places& asked : term.scorer->is_best_asked_once() ? once : texts)
            add_term(term, quality_.size(), revisions, asked, judged);
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
