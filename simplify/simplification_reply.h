// What a model answered that was asked to simplify a text: the simplified text in it, and what stood around it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/wording_table.h"

namespace craft {

struct SimplificationReply {
    std::string text;      // one line, stripped; empty where there is none that can be used
    std::string unusable;  // why there is none: "empty", "not_utf8"; empty: there is one
    // What was taken off or is odd, each once: "thinking", "fenced", "prefaced" ("Here is the simplified sentence:"),
    // "bold", "quoted", "remarked" (a note behind the text), "listed" (marks of a list), "lines" (several, joined by
    // blanks), "unchanged" (the source as it was).
    std::vector<std::string> noted;
};

// `wordings` is share/prompts/simplify_replies.json. What the source has itself (a fence, quotes, a colon behind such a
// beginning) is left. Never throws on any bytes.
SimplificationReply read_simplification(std::string_view reply, std::string_view source, const WordingTable& wordings);

}  // namespace craft
