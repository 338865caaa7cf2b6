#include "cli/candidate_judges.h"

#include "judge/verdicts/pairwise_candidates.h"
#include "judge/verdicts/pointwise_judge.h"

namespace craft {

namespace {

constexpr const char* kJudges = "local:MODEL[+ADAPTER], openai:PROFILE, rules or scores";

}  // namespace

bool parse_candidate_judge(OptionTable& table, const char* key, const std::string& text, CandidateJudgeSpec& spec) {
    spec.text = text;
    if (text == "rules" || text == "scores") {
        spec.kind = text == "rules" ? CandidateJudgeSpec::Kind::rules : CandidateJudgeSpec::Kind::scores;
        table.find(key)->reads({});
        return true;
    }
    if (text.starts_with("rules:") || text.starts_with("scores:")) {
        table.add_problem(table.at(key).shown_name() + ": expected " + kJudges + ", got " + text);
        return false;
    }
    return parse_role(table, key, text, spec.system);
}

std::unique_ptr<CandidateJudge> make_candidate_judge(const CandidateJudgeSpec& spec, const CandidateJudgeParts& parts) {
    if (spec.kind == CandidateJudgeSpec::Kind::rules)
        return std::make_unique<PrinciplesJudge>(spec.text, parts.aspects, parts.principles());
    if (spec.kind == CandidateJudgeSpec::Kind::scores)
        return std::make_unique<ScoreJudge>(parts.scores_name, std::vector<std::string>{parts.aspect}, parts.scoring);
    System& system = parts.open(spec.system);
    if (parts.form == JudgeForm::pointwise)
        return std::make_unique<PointwiseJudge>(system, spec.text, *parts.prompts, parts.aspect, parts.asking);
    ListwiseJudge listwise(system, spec.text, parts.listwise, {parts.aspect}, parts.asking);
    if (parts.form == JudgeForm::pairwise) return std::make_unique<PairwiseCandidates>(std::move(listwise));
    return std::make_unique<ListwiseJudge>(std::move(listwise));
}

}  // namespace craft
