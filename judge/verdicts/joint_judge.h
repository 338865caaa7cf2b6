// All candidates of a text marked in one answer (CRAFT App. E.5).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "judge/verdicts/candidate_judge.h"
#include "judge/verdicts/choice_asking.h"
#include "judge/verdicts/mark_scales.h"
#include "systems/prompt_files.h"

namespace craft {

// A question about some candidates of a group; texts that are the same stand in it once.
struct JointQuestion {
    std::string prompt;
    std::vector<std::string> names;        // keys of the texts that it shows
    std::vector<size_t> text_of;           // of each candidate in the order: its text's place among the names
    std::map<std::string, int64_t> noted;  // as Judgement::noted
};

// The prompt that asks for an aspect and those beside it.
class JointPrompt {
public:
    // Throws Error on an unknown aspect, and on a prompt that is missing or lacks {input}.
    JointPrompt(const PromptFiles& prompts, const std::string& aspect);
    const std::vector<MarkScale>& scales() const { return scales_; }
    // Texts are called output_1 and so on by their places: no name says who wrote them.
    JointQuestion question(const CandidateGroup& group, const std::vector<size_t>& order) const;

private:
    std::vector<MarkScale> scales_;
    std::string prompt_;
};

class JointJudge : public CandidateJudge {
public:
    // Scores are the places of `aspect`'s marks. The system must outlive the judge. `marks_all` as PointwiseJudge has it.
    // Throws Error as JointPrompt does.
    JointJudge(System& system, std::string name, const PromptFiles& prompts, std::string aspect, ChoiceAsking asking,
               bool marks_all = false);
    std::string name() const override { return name_; }
    // One question; an answer that cannot be read is asked for again, one that failed or was cut is not. No verdict of an
    // aspect: two have the best mark, or the worst ("tie"); of any: the answer cannot be read (JointReply::problem, or a
    // failure's name).
    Judgement judge(const CandidateGroup& group, const std::vector<size_t>& order, uint64_t repeat) const override;

private:
    // One answer; the marks that it has go into the judgement.
    JudgingAttempt ask(const Request& request, const SamplingOptions& sampling, const CandidateGroup& group,
                       const JointQuestion& question, Judgement& judgement) const;
    // Scores, verdicts and reasons by the last answer; `nothing`: why none can be best, or "".
    void conclude(const std::string& nothing, Judgement& judgement) const;

    System& system_;
    std::string name_, aspect_;
    JointPrompt prompt_;
    ChoiceAsking asking_;
    bool marks_all_;
};

}  // namespace craft
