// What a model answered that was asked what could be better in a text (CRAFT App. E.8): lines "Original: …; Suggestion: …".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/leniency.h"

namespace craft {

struct Suggestion {
    std::string original;    // as it stands in the text, but for white space
    std::string suggestion;  // on one line, other than `original`
};

struct FeedbackReply {
    std::vector<Suggestion> suggestions;  // in their order, each once
    // What was let pass: "thinking", "marked line" (a list's mark, bold type), "two lines", "quoted". What was left out:
    // "other line", "no suggestion", "empty", "not in the text", "unchanged", "repeated".
    Leniency counted;
};

// `text` is what the model was shown. Never throws on any bytes.
FeedbackReply read_feedback_reply(std::string_view reply, std::string_view text);

}  // namespace craft
