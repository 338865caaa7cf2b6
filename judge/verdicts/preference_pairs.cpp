#include "judge/verdicts/preference_pairs.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/file_hash.h"
#include "text/character_similarity.h"
#include "text/lists.h"
#include "text/words.h"

namespace craft {

namespace {

constexpr double kScoreRounding = 1e-9;  // as judge/pairs.cpp: scores that are sums can differ in their last bits

std::string with_single_blanks(const std::string& text) {
    return join(whitespace_words(text), " ");
}

PromptText side_like(const PromptText& prompt, const std::string& text) {
    if (std::holds_alternative<std::string>(prompt)) return text;
    return Conversation(std::vector<Message>{{Role::assistant, text}});
}

bool is_longer_than(double ratio, const std::string& a, const std::string& b) {
    const auto [less, more] = std::minmax({count_whitespace_words(a), count_whitespace_words(b)});
    return ratio > 0 && static_cast<double>(more) > ratio * static_cast<double>(less);
}

void check_chosen(const CandidateGroup& group, const ChosenCandidates& chosen, const PairFilters& filters) {
    const std::string where = "preference pair of '" + group.id + "'";
    const size_t count = group.candidates.size();
    if (chosen.chosen >= count || chosen.rejected >= count || chosen.chosen == chosen.rejected)
        throw Error(where, "two of the " + std::to_string(count) + " candidates",
                    std::to_string(chosen.chosen) + " and " + std::to_string(chosen.rejected));
    if (chosen.gap && !(std::isfinite(*chosen.gap) && *chosen.gap >= 0))
        throw Error(where, "a gap of 0 or more", std::to_string(*chosen.gap));
    if (!chosen.gap && filters.min_gap > 0)
        throw Error(where, "scores, whose gap is to be at least " + std::to_string(filters.min_gap),
                    "a verdict without numbers", "a minimum gap requires judges that give numbers");
}

Json verdict_json(const ListwiseVerdict& verdict) {
    return {{"best", verdict.best}, {"worst", verdict.worst}};
}

Json judgement_json(const Judgement& judgement, const std::string& aspect) {
    Json row = {{"judge", judgement.judge}, {"order", judgement.order}, {"repeat", judgement.repeat}};
    const auto verdict = judgement.verdicts.find(aspect);
    row["verdict"] = verdict == judgement.verdicts.end() ? Json(nullptr) : verdict_json(verdict->second);
    const auto reason = judgement.reasons.find(aspect);
    if (reason != judgement.reasons.end()) row["reason"] = reason->second;
    for (const auto& score : judgement.scores) row["scores"].push_back(value_or_null(score));
    return row;
}

}  // namespace

Json pair_origin(const PairOrigin& origin) {
    Json row = {{"judge", origin.judge}};
    if (!origin.aspect.empty()) row["aspect"] = origin.aspect;
    if (!origin.guideline_hash.empty())
        row["guideline"] = {{"version", origin.guideline_version}, {"hash", origin.guideline_hash}};
    if (origin.seed) row["seed"] = *origin.seed;
    row["judgements"] = Json::array();
    for (const Judgement& judgement : origin.judgements)
        row["judgements"].push_back(judgement_json(judgement, origin.aspect));
    return row;
}

std::vector<FieldProblem> pair_filter_problems(const PairFilters& filters) {
    std::vector<FieldProblem> problems;
    const auto check = [&](bool is_right, const char* field, const char* expected, double got) {
        if (!is_right) problems.push_back({field, "expected " + std::string(expected) + ", got " + Json(got).dump()});
    };
    check(std::isfinite(filters.min_gap) && filters.min_gap >= 0, "min_gap", "a number of 0 or more", filters.min_gap);
    check(filters.max_length_ratio == 0 || (std::isfinite(filters.max_length_ratio) && filters.max_length_ratio >= 1),
          "max_length_ratio", "0 (any) or a number of 1 or more", filters.max_length_ratio);
    check(filters.max_source_copy >= 0 && filters.max_source_copy <= 1, "max_source_copy", "a number from 0 to 1",
          filters.max_source_copy);
    return problems;
}

PreferencePairs::PreferencePairs(PairFilters filters, std::function<PromptText(const CandidateGroup&)> prompt,
                                 std::shared_ptr<const LeakCheck> leaks)
    : filters_(filters), prompt_(std::move(prompt)), leaks_(std::move(leaks)) {
    std::vector<std::string> lines;
    for (const FieldProblem& problem : pair_filter_problems(filters_)) lines.push_back(problem.line());
    if (!lines.empty()) throw UsageError(lines);
}

std::string PreferencePairs::problem_of(const CandidateGroup& group, const ChosenCandidates& chosen) const {
    const Candidate &better = group.candidates[chosen.chosen], &worse = group.candidates[chosen.rejected];
    if (chosen.gap && *chosen.gap <= kScoreRounding) return "tie";
    if (better.is_cut || worse.is_cut) return "cut";
    const std::string preferred = with_single_blanks(better.text), other = with_single_blanks(worse.text);
    if (preferred.empty() || other.empty()) return "empty";
    if (preferred == other) return "identical";
    if (chosen.gap && *chosen.gap < filters_.min_gap - kScoreRounding) return "gap";
    if (filters_.different_systems && better.system == worse.system) return "one system";
    if (is_longer_than(filters_.max_length_ratio, preferred, other)) return "length ratio";
    if (filters_.max_source_copy < 1 &&
        indel_similarity(preferred, with_single_blanks(group.source)) > filters_.max_source_copy)
        return "near copy";
    if (leaks_ && (leaks_->meets(group.source) || leaks_->meets(better.text) || leaks_->meets(worse.text))) return "leak";
    return "";
}

Pair PreferencePairs::pair_of(const CandidateGroup& group, const ChosenCandidates& chosen) const {
    const Candidate &better = group.candidates[chosen.chosen], &worse = group.candidates[chosen.rejected];
    Pair pair;
    pair.prompt = prompt_(group);
    pair.chosen = side_like(pair.prompt, better.text);
    pair.rejected = side_like(pair.prompt, worse.text);
    Json& origin = pair.provenance = chosen.origin;
    origin["source_id"] = group.id;
    origin["source_hash"] = hash128_text(group.source);
    if (!group.policy.empty()) origin["policy"] = group.policy;
    origin["chosen_system"] = better.system;
    origin["rejected_system"] = worse.system;
    origin["systems"] = Json::array();
    for (const Candidate& one : group.candidates) origin["systems"].push_back(one.system);
    origin["verdict"] = verdict_json({chosen.chosen, chosen.rejected});
    if (chosen.gap) origin["gap"] = *chosen.gap;
    return pair;
}

bool PreferencePairs::is_new(const Pair& pair, const CandidateGroup& group, const ChosenCandidates& chosen) {
    const Json key = {to_json(pair)["prompt"], with_single_blanks(group.candidates[chosen.chosen].text),
                      with_single_blanks(group.candidates[chosen.rejected].text)};
    return made_.insert(dump_line(key));
}

std::optional<Pair> PreferencePairs::add(const CandidateGroup& group, const std::optional<ChosenCandidates>& chosen,
                                         const std::string& reason) {
    const std::string none = "no verdict";  // which is all that some judges' replies say
    std::string problem = reason.empty() || reason == none ? none : reason == "tie" ? reason : none + ": " + reason;
    std::optional<Pair> pair;
    if (chosen) {
        check_chosen(group, *chosen, filters_);
        problem = problem_of(group, *chosen);
        if (problem.empty()) {
            pair = pair_of(group, *chosen);
            if (!is_new(*pair, group, *chosen)) problem = "duplicate";
        }
    }
    ++groups_;
    if (!problem.empty()) {
        ++dropped_[problem];
        return std::nullopt;
    }
    ++pairs_;
    if (group.candidates[chosen->chosen].system == group.candidates[chosen->rejected].system) ++one_system_;
    return pair;
}

Json PreferencePairs::counts() const {
    Json dropped = Json::object();
    for (const auto& [reason, count] : dropped_) dropped[reason] = count;
    return {{"groups", groups_}, {"pairs", pairs_}, {"dropped", dropped}, {"one_system", one_system_}};
}

std::shared_ptr<const LeakCheck> open_leak_check(const PairMakingOptions& o) {
    if (o.leak_files.empty()) return nullptr;
    const auto check = std::make_shared<LeakCheck>(o.leak_words);
    for (const std::string& file : o.leak_files) check->add_file(file);
    return check;
}

}  // namespace craft
