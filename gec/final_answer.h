// A final answer: the sentence in it, and what it changes that no step named (GEC-Agent §3.2: minimal edits).
#pragma once

#include <string>
#include <vector>

#include "data/reply_text.h"
#include "gec/sentence_edit.h"

namespace craft {

struct FinalAnswer {
    std::string sentence;
    // What was cut: "marks" (">" in front of lines), "preface" ("Corrected sentence:"), "quotes" that the sentence does not
    // have, "explanation" (further lines or paragraphs).
    Leniency let_pass;
};

// `sentence`: the one that is corrected. Never throws on any bytes.
FinalAnswer read_final_answer(const std::string& answer, const std::string& sentence);

// Changes of words that an answer makes to the sentence as it stands after named edits; other white space and other
// quotation marks are none.
std::vector<SentenceEdit> unnamed_changes(const std::string& standing, const std::string& answer);

}  // namespace craft
