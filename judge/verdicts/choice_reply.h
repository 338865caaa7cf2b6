// What a model answered that was to answer with one of a few words and nothing else (CRAFT App. E.6: A or B alone).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/reply_text.h"

namespace craft {

struct ChoiceReply {
    std::optional<size_t> choice;  // the word that was chosen, by its place; absent: the reply cannot be read
    // Why not: "empty", "tie" (neither, both, equal and the like), "more than the choice" (it begins with one of
    // the words and continues), "no choice". Empty where there is a choice.
    std::string problem;
    // What was let pass: "thinking", "marks" (quotes, brackets, bold type, a full stop), "label" ("Answer: A", "Candidate
    // A"), "case".
    Leniency let_pass;
};

// The forms of the table above are read, and no others: a word within a sentence is no choice, since the sentence may say
// the contrary. `words` differ from each other whatever their case. Never throws on any bytes.
ChoiceReply read_choice(std::string_view reply, const std::vector<std::string>& words);

}  // namespace craft
