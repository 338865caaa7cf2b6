// What a model answered that was asked to revise a text: the revision in it, and what else was there.
#pragma once

#include <string>
#include <string_view>

#include "data/reply_text.h"
#include "text/wording_table.h"

namespace craft {

struct RevisionReply {
    std::string text;      // the revision, stripped; empty where there is none that can be used
    std::string unusable;  // why there is none: "empty", "no_marker", "echo", "unrelated", "not_utf8"; empty: there is one
    // What had to be taken off or is odd, each once: "thinking", "fenced", "prefaced", "bold", "quoted", "unchanged".
    Leniency noted;
};

// `source` is the text that was to be revised. `after_marker`: the model was asked to reason first, and what is after its
// last marker counts. `wordings` is share/prompts/reviser_replies.json. "echo": the plan came back instead of a text;
// "unrelated": of ten words or more, or of fewer that stand for a text of sixty, not one in five is a word of the source
// (another language, a refusal), or, where only the reply asks something at its end, not one in two (a model that asks
// back). A preface with nothing after it is "empty". Never throws on any bytes.
RevisionReply read_revision_reply(std::string_view reply, std::string_view source, bool after_marker,
                                  const WordingTable& wordings);

}  // namespace craft
