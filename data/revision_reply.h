// What a model answered that was asked to revise a text: the revision in it, and what else was there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/wording_table.h"

namespace craft {

struct RevisionReply {
    std::string text;                // the revision, stripped; empty where there is none that can be used
    std::string unusable;            // why there is none: "empty", "no_marker", "echo", "unrelated", "not_utf8"; empty:
                                     // there is one
    std::vector<std::string> noted;  // what had to be taken off or is odd: "thinking", "fenced", "prefaced", "quoted",
                                     // "unchanged"
};

// `source` is the text that was to be revised. `behind_marker`: the model was asked to reason first, and what is behind its
// last marker counts. `wordings` is share/prompts/reviser_replies.json. "echo": the plan came back instead of a text;
// "unrelated": of ten words or more, not one in five is a word of the source (another language, say). Never throws on any
// bytes.
RevisionReply read_revision_reply(std::string_view reply, std::string_view source, bool behind_marker,
                                  const WordingTable& wordings);

// Takes thinking in tags off the start of a trimmed reply, also where only its end was told; false if there is none.
bool cut_thinking(std::string_view& text);
// Takes a code fence, or a pair of quotation marks, off a trimmed reply that stands whole within it; not where `source`
// begins with one itself, nor where there are others within. False if there is none.
bool cut_reply_fence(std::string_view& text, std::string_view source);
bool cut_reply_quotes(std::string_view& text, std::string_view source);

}  // namespace craft
