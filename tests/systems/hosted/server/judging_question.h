// The question of a judge of several candidates (judge/verdicts/listwise_prompt.h) as its answerer reads it, and the form of
// the answer.
#pragma once

#include <string>
#include <vector>

#include "core/json.h"

namespace craft::chat_server {

struct JudgingQuestion {
    std::string instruction;              // as it is shown, each line behind its ">"; empty: none is shown
    std::vector<std::string> candidates;  // texts
    std::vector<std::string> responses;   // one a candidate, or none
};

// Of a prompt that is no such question all is empty.
JudgingQuestion read_judging_question(const std::string& prompt);

// Of a message; "" where it is no string.
std::string content_of(const Json& message);
// The assistant's last message: of a guideline with examples what a judge says of the last one. "": there is none.
std::string last_answer(const Json& messages);

// "Best: 1, Worst: 0" in the form of the verdicts that an example shows, "Aspect: A, Best: 1, Worst: 0" a line; without any,
// one line.
std::string verdict_like(const std::string& example, const std::string& best, const std::string& worst);

}  // namespace craft::chat_server
