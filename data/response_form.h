// The fixed parts of a planner's response (CRAFT App. E.1), for what prints, reads and constrains it. Inside data/ only.
#pragma once

#include <string_view>

namespace craft::response_form {

inline constexpr std::string_view kThought = "###THOUGHT:\n", kTools = "\n###ACTION:\n###TOOLS:\n```\n",
                                  kPlan = "```\n###PLAN:";
inline constexpr std::string_view kSentence = "Sentence: \"", kImprovement = "\"; Improvement Plan: \"", kFence = "```";

}  // namespace craft::response_form
