#include "cli/candidate_judges.h"

#include "verdicts/pairwise_candidates.h"
#include "verdicts/pointwise_judge.h"

namespace craft {

namespace {

constexpr const char* kJudges = "local:MODEL[+ADAPTER], openai:PROFILE or rules";

}  // namespace

bool parse_candidate_judge(OptionTable& table, const char* key, const std::string& text, CandidateJudgeSpec& spec) {
    spec.text = text;
    if (text == "rules") {
        spec.kind = CandidateJudgeSpec::Kind::rules;
        return true;
    }
    if (text == "scores" || text.starts_with("rules:")) {
        table.add_problem(table.find(key)->shown_name() + ": expected " + kJudges + ", got " + text);
        return false;
    }
    return parse_role(table, key, text, spec.system);
}

std::unique_ptr<CandidateJudge> make_candidate_judge(const CandidateJudgeSpec& spec, const CandidateJudgeParts& parts) {
    if (spec.kind == CandidateJudgeSpec::Kind::rules)
        return std::make_unique<PrinciplesJudge>(spec.text, parts.aspects, parts.principles());
    System& system = parts.open(spec.system);
    if (parts.form == JudgeForm::pointwise)
        return std::make_unique<PointwiseJudge>(system, spec.text, *parts.prompts, parts.aspect, parts.asking);
    ListwiseJudge listwise(system, spec.text, parts.listwise, {parts.aspect}, parts.asking);
    if (parts.form == JudgeForm::pairwise) return std::make_unique<PairwiseCandidates>(std::move(listwise));
    return std::make_unique<ListwiseJudge>(std::move(listwise));
}

}  // namespace craft
