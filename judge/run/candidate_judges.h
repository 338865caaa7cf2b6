// The judges of candidates by name: the one place that knows which there are and makes them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "judge/verdicts/candidate_judge.h"
#include "judge/verdicts/choice_asking.h"
#include "judge/verdicts/listwise_prompt.h"
#include "judge/verdicts/principles/principles_judge.h"
#include "judge/verdicts/score_judge.h"
#include "systems/open/open_system.h"
#include "systems/prompt_files.h"

namespace craft {

// Those that mark single texts need no guideline.
enum class JudgeForm {
    listwise,   // all candidates at once, by a guideline
    pairwise,   // each two of them, by a guideline
    pointwise,  // one by one on a scale
    joint,      // all at once, each on several scales
};

inline bool gives_marks(JudgeForm form) {
    return form == JudgeForm::pointwise || form == JudgeForm::joint;
}

// Who judges.
struct CandidateJudgeSpec {
    enum class Kind { system, rules, scores };
    std::string text;  // as it was given
    Kind kind = Kind::system;
    SystemSpec system;  // of a system
};

// What judges are made of.
struct CandidateJudgeParts {
    JudgeForm form = JudgeForm::listwise;
    std::string aspect;                                   // without whose verdict an answer is asked for again
    std::shared_ptr<const ListwisePrompt> listwise = {};  // of listwise and pairwise judges
    const PromptFiles* prompts = nullptr;                 // of pointwise and joint ones
    bool marks_all = false;                               // likewise: also where none can be best (PointwiseJudge)
    ChoiceAsking asking = {};
    std::function<System&(const SystemSpec&)> open;          // outlives the judge
    std::vector<std::string> aspects = {};                   // of the guideline: what the rules give verdicts of
    std::function<PrincipleSources()> principles = nullptr;  // of the rules
    CandidateScoring scoring = nullptr;                      // of scores
    std::string scores_name = {};
};

// Throws Error as the judge's constructor and `open` do.
std::unique_ptr<CandidateJudge> make_candidate_judge(const CandidateJudgeSpec& spec, const CandidateJudgeParts& parts);

}  // namespace craft
