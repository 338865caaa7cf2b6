// The in-context example that a teacher is shown (CRAFT §5.1.1, App. E.3): a text with a plan by hand, constraints applied
// to it, and the response that they ask for.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "data/constraints/wordings.h"
#include "rollout/rules/rules.h"
#include "text/sentences.h"
#include "text/wording_table.h"

namespace craft {

struct TeacherExample {
    std::string request, text, response;
};

// From share/prompts/teacher_example.json. Two constraints are drawn by `seed` that the revision by hand meets and the text
// does not; thought and calls are worded by `teacher` (share/prompts/teacher.json). Throws Error if the file is none such,
// or nothing can be asked of its text.
TeacherExample make_teacher_example(const std::filesystem::path& file, const std::shared_ptr<const Rules>& rules,
                                    const Wordings& wordings, const WordingTable& teacher, uint64_t seed,
                                    SentenceRule sentences);

// A prompt's text with the example in the places of {example_request}, {example_text} and {example_response}.
std::string with_example(const std::string& prompt, const TeacherExample& example);

}  // namespace craft
