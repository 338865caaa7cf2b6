#include "judge/run/candidate_judges.h"

#include "judge/verdicts/joint_judge.h"
#include "judge/verdicts/pairwise_candidates.h"
#include "judge/verdicts/pointwise_judge.h"

namespace craft {

std::unique_ptr<CandidateJudge> make_candidate_judge(const CandidateJudgeSpec& spec, const CandidateJudgeParts& parts) {
    if (spec.kind == CandidateJudgeSpec::Kind::rules)
        return std::make_unique<PrinciplesJudge>(spec.text, parts.aspects, parts.principles());
    if (spec.kind == CandidateJudgeSpec::Kind::scores)
        return std::make_unique<ScoreJudge>(parts.scores_name, std::vector<std::string>{parts.aspect}, parts.scoring);
    System& system = parts.open(spec.system);
    if (parts.form == JudgeForm::pointwise)
        return std::make_unique<PointwiseJudge>(system, spec.text, *parts.prompts, parts.aspect, parts.asking,
                                                parts.marks_all);
    if (parts.form == JudgeForm::joint)
        return std::make_unique<JointJudge>(system, spec.text, *parts.prompts, parts.aspect, parts.asking, parts.marks_all);
    ListwiseJudge listwise(system, spec.text, parts.listwise, {parts.aspect}, parts.asking);
    if (parts.form == JudgeForm::pairwise) return std::make_unique<PairwiseCandidates>(std::move(listwise));
    return std::make_unique<ListwiseJudge>(std::move(listwise));
}

}  // namespace craft
