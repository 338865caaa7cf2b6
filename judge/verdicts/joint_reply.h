// What a model answered that was to mark several texts in one JSON object (CRAFT App. E.5).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "data/reply_text.h"
#include "judge/verdicts/mark_scales.h"

namespace craft {

struct JointReply {
    std::vector<std::map<std::string, size_t>> marks;  // of each text by aspect: its place on the scale; empty: no answer
    // Why there is none: "empty", "no object", "another id", "output missing" (one text's marks are not there), "mark
    // missing", "no mark" (a value that the scale does not have).
    std::string problem;
    // What was let pass: "thinking", "fenced", "text around" (the object), "no id", "key form" (case, blanks and hyphens of
    // keys), "mark form" ("4" for 4 and the reverse, "minor over-correction" for "slight").
    Leniency let_pass;
};

// `names` are the texts' keys and differ in letters and digits. Keys that nobody asked for are ignored. An answer counts as
// a whole: one text without a mark, and it has none. Never throws on any bytes.
JointReply read_joint(std::string_view reply, const std::string& id, const std::vector<std::string>& names,
                      const std::vector<MarkScale>& scales);

}  // namespace craft
