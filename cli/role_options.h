// The options of roles beside the planner's that several commands have: the reviser, who suggests what a planner reads of a
// revision, and who puts instructions into other words.
#pragma once

#include <string>
#include <vector>

#include "align/instruction_rewriter.h"
#include "cli/system_options.h"
#include "rollout/model_reviser.h"
#include "rollout/text_feedback.h"

namespace craft {

// --reviser and reviser_sampling.*; `what`: its help.
void bind_reviser(OptionTable& table, std::string& reviser, ModelReviserOptions& options, const std::string& what);

struct TextFeedbackChoice {
    std::vector<std::string> aspects = {"none"};
    std::string system;  // whose suggestions; empty: the reviser's
};

// --text-feedback, --feedback and feedback_sampling.*; a command adds its conditions to "text_feedback". `what`: help.
// `by_itself`: where `auto` may ask for suggestions; empty: there is no `auto`.
void bind_text_feedback(OptionTable& table, TextFeedbackChoice& choice, TextFeedbackOptions& options,
                        const std::string& what, const std::vector<OptionState>& by_itself = {});
// The values of "text_feedback" with which a model is asked.
std::vector<std::string> suggesting_values();
// Resolves whose suggestions which aspects are of, and adds problems; "reviser" is the key of the reviser's option.
void check_text_feedback(OptionTable& table, const TextFeedbackChoice& choice, const SystemSpec& reviser,
                         TextFeedbackOptions& options, SystemSpec& system);

// --rewriter (empty: none) and rewriter_sampling.*.
void bind_rewriter(OptionTable& table, std::string& rewriter, RewriterOptions& options);
// Reads who rewrites, if anybody does, and adds problems.
void check_rewriter(OptionTable& table, const std::string& rewriter, SystemSpec& system);

}  // namespace craft
