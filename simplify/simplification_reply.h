// What a model answered that was asked to simplify a text: the simplified text in it, and what surrounded it.
#pragma once

#include <string>
#include <string_view>

#include "data/reply_text.h"
#include "text/wording_table.h"

namespace craft {

enum class SimplifiedForm {
    sentence,  // one line: several are joined by blanks, since files of sentences have each on a line of its own
    document   // lines as they are, stripped, with at most one empty line between two
};

struct SimplificationReply {
    std::string text;      // stripped; empty where there is none that can be used
    std::string unusable;  // why there is none: "empty", "not_utf8"; empty: there is one
    // What was taken off or is odd, each once: "thinking", "fenced", "prefaced" ("Here is the simplified sentence:"),
    // "bold", "quoted", "remarked" (a note after the text), "listed" (marks of a list), "lines" (several, joined by
    // blanks), "unchanged" (the source as it was).
    Leniency noted;
};

// `wordings` is share/prompts/simplify_replies.json. What the source has itself (a fence, quotes, a colon after such a
// beginning) is left; in a document, of which any paragraph may begin with "Changes ...", remarks are what the table's
// `document_remarks` begin, where no line of the source begins so. Never throws on any bytes.
SimplificationReply read_simplification(std::string_view reply, std::string_view source, const WordingTable& wordings,
                                        SimplifiedForm form = SimplifiedForm::sentence);

}  // namespace craft
