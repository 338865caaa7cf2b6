// Tool usage S_v: F1 of call sets against gold (docs/definitions.md, Scores).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/craft/craft_tools.h"
#include "tools/craft/tool_call.h"

namespace craft {

// Sizes of the sets without text_eval(), of which both sides always have one more.
struct CallCounts {
    int64_t correct = 0, predicted = 0, gold = 0;
};

struct ToolUse {
    double tool_f1 = 0;        // S_v, 0-1: with text_eval() added to gold and prediction
    double constraint_f1 = 0;  // without text_eval(); with no gold: 1 if nothing was predicted, else 0
    bool exact_match = false;  // the sets without text_eval() are equal
    int64_t unusable = 0;      // malformed, unknown or wrongly typed calls, each distinct one a wrong prediction
    CallCounts counts = {};
};

// One spelling of the text of a call that cannot be used, by which such calls are told apart: without white space outside
// strings, and with double quotes around them.
std::string unusable_form(const std::string& text);
ToolUse score_tool_use(const ParsedCalls& predicted, const std::vector<ToolCall>& gold);
// The `published` reading of recorded calls: raw strings, lines equal to `python` dropped, text_eval() added, no
// normalisation; nothing is unusable here.
ToolUse published_tool_use(const std::vector<std::string>& recorded, const std::vector<std::string>& gold);

}  // namespace craft
