// A model's suggestions for a revision, which a planner reads after what tools found (CRAFT App. E.8).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "rollout/revision.h"
#include "systems/prompt_files.h"
#include "systems/system.h"
#include "text/wording_table.h"

namespace craft {

struct TextFeedbackOptions {
    std::vector<std::string> aspects;  // of text_feedback_aspects(), asked for one by one; empty: nothing is asked
    int64_t max_suggestions = 8;       // suggestions of an aspect that are told at most; the others are counted
    SamplingOptions sampling = {.keep_histories = false, .stage = "feedback"};
};

// "fluency", "grammaticality", "coherence": each has a prompt feedback.NAME.txt and a wording in feedback.json.
const std::vector<std::string>& text_feedback_aspects();

// What is told of one text.
struct TextFeedback {
    std::string lines;                       // one a suggestion, aspect by aspect, without a line break at the end
    std::vector<Usage> usage;                // of each answer; none of a text that another one of the call equals
    std::map<std::string, int64_t> counted;  // "feedback: suggestions", "feedback: not in the text", ...: how often
};

class TextFeedbackGiver {
public:
    // The system must outlive the giver. Throws Error on a prompt or a wording that is missing or lacks a placeholder, or an
    // unknown aspect.
    TextFeedbackGiver(System& system, const PromptFiles& prompts, TextFeedbackOptions options);
    // One result a text, in order; all aspects of all texts are asked for in one call, and texts and aspects key
    // the random streams. A failed answer is counted by its failure's name and tells nothing. Throws Error where the system
    // cannot answer at all.
    std::vector<TextFeedback> of(const std::vector<std::string>& texts) const;
    // What is asked of one text, aspect by aspect.
    std::vector<std::string> prompts(const std::string& text) const;

private:
    struct Aspect {
        std::string prompt, wording;
    };
    void add(const Reply& reply, const std::string& text, const Aspect& aspect, TextFeedback& told) const;

    System& system_;
    TextFeedbackOptions options_;
    std::vector<Aspect> aspects_;
};

// Costs and counts go into the result.
void note_feedback(RevisionResult& result, const TextFeedback& told);
// The lines after a step's feedback, and the observation remade from both.
void add_to_step(Step& step, const std::string& lines, const WordingTable& wordings);

}  // namespace craft
