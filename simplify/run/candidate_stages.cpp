#include "simplify/run/candidate_stages.h"

#include <utility>

#include "core/error.h"
#include "core/rng.h"
#include "core/run_folder.h"
#include "judge/verdicts/combined_verdict.h"
#include "judge/verdicts/judge_panel.h"
#include "judge/verdicts/principles/principles_judge.h"
#include "simplify/model_simplifier.h"
#include "simplify/rule_systems.h"
#include "simplify/run/policy_following.h"
#include "simplify/run/stage_rows.h"
#include "simplify/run/stopwatch.h"
#include "systems/flowing_systems.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

constexpr const char* kJudge = "rules";

// Each policy has rules that do what it asks for, and others.
std::vector<const char*> rules_of(SimplificationPolicy policy) {
    std::vector<const char*> rules = {"lexical", "split", "delete", "copy"};
    if (policy == SimplificationPolicy::rewriting) rules.insert(rules.begin(), "rewrite");
    return rules;
}

// The systems of a policy's candidates, opened for one flow.
class CandidateSystems {
public:
    CandidateSystems(const Student& student, Flow& flow, SimplificationPolicy policy, const SimplifyJobOptions& options,
                     const SimplifyJobParts& parts)
        : model_(flow, student.system(options.seed)) {
        for (const char* rule : rules_of(policy)) made_.push_back(make_rule_system(rule, parts.rules));
        const PromptFiles prompts;
        for (const auto& [name, shots] : {std::pair(kZeroShot, size_t{0}), std::pair(kFewShot, PolicyPrompt::kMaxShots)})
            made_.push_back(std::make_unique<ModelSimplifier>(name, model_, prompts, policy,
                                                              ModelSimplifierOptions{shots, options.sampling}));
        for (const auto& one : made_) all_.push_back(one.get());
    }
    const std::vector<const TextSimplifier*>& all() const { return all_; }

private:
    ComputedSystem model_;
    std::vector<std::unique_ptr<TextSimplifier>> made_;
    std::vector<const TextSimplifier*> all_;
};

void write_groups(const std::vector<CandidateGroup>& groups, const fs::path& file) {
    JsonLinesWriter writer(file.string());
    for (const CandidateGroup& group : groups) writer.write(to_json(group));
    writer.close();
}

std::vector<std::string> systems_of(const CandidateGroup& group) {
    std::vector<std::string> systems;
    for (const Candidate& candidate : group.candidates) systems.push_back(candidate.system);
    return systems;
}

std::optional<ChosenCandidates> chosen_by(const JudgedGroup& judged, const CombinedVerdict& said, const std::string& aspect,
                                          const SimplifyJobOptions& options) {
    if (!said.verdict) return std::nullopt;
    PairOrigin origin{.judge = kJudge, .aspect = aspect, .judgements = judged.judgements};
    if (options.orders != CandidateOrders::fixed) origin.seed = options.seed;
    return ChosenCandidates{
        .chosen = said.verdict->best, .rejected = said.verdict->worst, .gap = {}, .origin = pair_origin(origin)};
}

PairStage made_pairs(const Stage& stage) {
    PairStage made;
    JsonLinesReader reader((stage.path() / "pairs.jsonl").string(), {.number_rows = false});
    while (const auto row = reader.next()) made.pairs.push_back(pair_from_json(*row, reader.where()));
    const auto rows = stage.read_summary([&](const Json& summary) {
        made.counts = summary.at("counts");
        made.seconds = summary.at("seconds").get<double>();
        return summary.at("counts").at("pairs").get<size_t>();
    });
    if (made.pairs.size() != rows)
        throw Error((stage.path() / "pairs.jsonl").string(),
                    std::to_string(rows) + " pairs, as complete.json beside it says", std::to_string(made.pairs.size()),
                    "remove " + stage.path().string() + " to recompute them");
    return made;
}

}  // namespace

CandidateStage candidate_stage(const Student& student, const std::vector<SimplificationTask>& tasks,
                               SimplificationPolicy policy, const SimplifyJobOptions& options, const SimplifyJobParts& parts,
                               const fs::path& folder) {
    UnrecordedAsking asking({.items_at_once = options.items_at_once});
    const CandidateSystems systems(student, asking.flow(), policy, options, parts);
    const auto answers = [&](size_t i) {
        return Json::array({to_json(collect_candidates(tasks[i], policy, systems.all()))});
    };
    const MadeRows made =
        stage_rows(folder, "answers.jsonl",
                   asked_rows("candidates, " + policy_name(policy), "sentences", tasks.size(), answers), asking);
    CandidateStage stage{{}, {}, made.seconds};
    SimplificationCounts counts;
    const std::string where = (folder / "answers.jsonl").string();
    for (const Json& row : made.rows) {
        const CollectedCandidates collected = collected_from_json(row, where);
        for (const auto& one : collected.all) counts.add(one.system, one.made);
        stage.groups.push_back(collected.group());
    }
    stage.counts = counts.to_json();
    write_groups(stage.groups, folder / "candidates.jsonl");
    return stage;
}

JudgementStage judgement_stage(const std::vector<CandidateGroup>& groups, SimplificationPolicy policy,
                               const SimplifyJobOptions& options, const SimplifyJobParts& parts, const fs::path& folder) {
    const PrinciplesJudge judge(kJudge, {policy_aspect(policy)}, parts.judge);
    const JudgePanel panel({&judge}, {.orders = options.orders, .seed = options.seed});
    UnrecordedAsking asking({.items_at_once = options.items_at_once});
    const auto judged = [&](size_t i) {
        return Json(rows_of({groups[i].id, systems_of(groups[i]), panel.judge(groups[i], i)}));
    };
    const MadeRows made =
        stage_rows(folder, "judgements.jsonl",
                   asked_rows("judging, " + policy_name(policy), "sentences", groups.size(), judged), asking);
    JudgementStage stage{{}, made.seconds};
    for (const Json& row : made.rows) add_row(stage.judged, row, (folder / "judgements.jsonl").string());
    if (stage.judged.size() != groups.size())
        throw Error((folder / "judgements.jsonl").string(), std::to_string(groups.size()) + " judged sentences",
                    std::to_string(stage.judged.size()), "remove " + folder.string() + " to judge them again");
    return stage;
}

PairStage pair_stage(const std::vector<CandidateGroup>& groups, const std::vector<JudgedGroup>& judged,
                     SimplificationPolicy policy, const SimplifyJobOptions& options, const SimplifyJobParts& parts,
                     const fs::path& folder) {
    const Stage stage(folder);
    if (stage.complete()) return made_pairs(stage);
    const Stopwatch watch;
    const PolicyPrompt prompt(PromptFiles(), policy);
    const std::string aspect = policy_aspect(policy);
    PreferencePairs maker(options.filters,
                          [&](const CandidateGroup& group) -> PromptText { return prompt.ask(group.source); });
    PairStage made;
    for (size_t i = 0; i < groups.size(); ++i) {
        CombinedVerdict said = combined_verdict(judged.at(i).judgements, aspect);
        if (said.verdict && options.chosen_follows &&
            !follows_policy(policy, groups[i].source, groups[i].candidates.at(said.verdict->best).text, parts.judge))
            said = {std::nullopt, "the best one does not follow the policy"};
        if (auto pair = maker.add(groups[i], chosen_by(judged[i], said, aspect, options), said.reason))
            made.pairs.push_back(std::move(*pair));
    }
    made.counts = maker.counts();
    if (made.pairs.empty())
        throw Error(policy_name(policy) + ": verdicts", "pairs to train on",
                    "none" + dropped_note(made.counts.at("dropped").get<std::map<std::string, int64_t>>()),
                    "more sentences give some");
    JsonLinesWriter writer((folder / "pairs.jsonl").string());
    for (const Pair& pair : made.pairs) writer.write(to_json(pair));
    writer.close();
    made.seconds = watch.seconds();
    stage.mark_complete({{"counts", made.counts}, {"seconds", made.seconds}});
    return made;
}

std::vector<Pair> with_drawn_sides(std::vector<Pair> pairs, uint64_t seed) {
    for (Pair& pair : pairs) {
        Rng rng(seed, "simplify.random", to_json(pair).at("prompt").dump());
        if (rng.below(2) == 1) std::swap(pair.chosen, pair.rejected);
    }
    return pairs;
}

}  // namespace craft
