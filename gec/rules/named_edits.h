// Changes of a sentence in the words by which the agent asks for them (gec/edit_action.h): what a program that plays the
// model replies.
#pragma once

#include <string>
#include <vector>

#include "core/json.h"

namespace craft {

struct NamedEdit {
    std::string action;    // "transform"
    Json input;            // {"from": "go", "to": "goes"}
    std::string sentence;  // as it comes after the edit
};

// Edits, one after the other and from left to right, that lead from one sentence to the other. Each is done by apply_edit()
// here, so that the agent will do it, too. Where the last step cannot be named (the sentences differ in white space alone,
// or in quotation marks) the edits end before it.
// Insertions are named by the word before them first, or by the one after them: error_parsing names that one, and who
// copies from it need not look for the other.
enum class InsertionAnchor { word_before, word_after };
std::vector<NamedEdit> named_edits(const std::string& source, const std::string& target,
                                   InsertionAnchor anchor = InsertionAnchor::word_before);

}  // namespace craft
