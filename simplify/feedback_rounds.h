// Rounds of judged feedback and self-correction, as policy simplification compares training with (App. A.4, Table 7): a
// judge reports on what a model made of a text, the model is given the report and makes it better, and the judge says which
// of the two is better.
#pragma once

#include <memory>
#include <string>

#include "judge/verdicts/candidate_report.h"
#include "judge/verdicts/judge_panel.h"
#include "simplify/model_simplifier.h"
#include "simplify/policy.h"
#include "simplify/simplification_asking.h"
#include "simplify/text_simplifier.h"

namespace craft {

enum class FeedbackForm {
    turn,   // the report is the user's next turn, after the source and the model's own text
    apart,  // a conversation of its own about source, text and report (policy simplification Figure 14)
};

enum class KeptText {
    last,       // of the last round that had an answer, as in the paper
    preferred,  // an answer takes the place of the text before it only where the judge calls it better
};

struct FeedbackRoundsOptions {
    int64_t rounds = 0;
    FeedbackForm form = FeedbackForm::turn;
    KeptText kept = KeptText::last;
    std::string aspect;  // whose verdict counts; "" of a guideline without aspects
};

// Who judges. Both must outlive the rounds.
struct FeedbackJudges {
    const CandidateReporter* reporter = nullptr;
    const JudgePanel* verdicts = nullptr;
};

// A simplifier whose texts go through the rounds. A round whose judge gives no report, or whose model gives no text, leaves
// the text as it was, and the next round begins with that text again.
class FeedbackRounds : public TextSimplifier {
public:
    // Wordings are simplify_feedback.json. `system` must outlive it. Throws Error as ModelSimplifier does.
    FeedbackRounds(std::string name, System& system, const PromptFiles& prompts, SimplificationPolicy policy,
                   const ModelSimplifierOptions& model, FeedbackJudges judges, FeedbackRoundsOptions options);
    std::string name() const override { return first_.name(); }
    // Simplification::first and ::rounds say what happened; `noted` is that of the first text. A text without a first answer
    // has no rounds.
    Simplification simplify(const SimplificationTask& task) const override;

private:
    Conversation question(const SimplificationTask& task, const std::string& text, const std::string& report) const;
    CorrectionRound round(const SimplificationTask& task, const std::string& text, uint64_t number) const;
    void judge(const SimplificationTask& task, const std::string& text, uint64_t number, CorrectionRound& made) const;

    ModelSimplifier first_;
    SimplificationAsking asking_;
    PolicyPrompt prompt_;
    WordingTable wordings_;
    size_t shots_;
    FeedbackJudges judges_;
    FeedbackRoundsOptions options_;
};

}  // namespace craft
