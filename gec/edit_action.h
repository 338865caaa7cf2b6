// An edit that the agent asks for, done on the sentence as it stands: one modification, of words that stand there (GEC-Agent
// §3.2).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/json.h"

namespace craft {

// "insert", "delete", "transform", "rearrange".
const std::vector<std::string>& edit_action_names();
bool is_edit_action(const std::string& name);

struct EditResult {
    std::string sentence;  // with the edit; as it was where it was refused
    // Why it was refused; empty: it was done. "input" (parameters that are missing, empty or unknown), "absent" (the words
    // do not stand there), "several_places" (they do more than once), "occurrence" (not so often), "no_change",
    // "several_changes", "other_words" (a rearrangement that is more).
    std::string refused;
    std::map<std::string, std::string> told;  // what the wording of that refusal is filled in with
};

// {"from","to"} of transform and rearrange, {"words"} of delete, {"text"} with "after" or "before" of insert; "occurrence"
// says which one is meant of words that stand there several times. Words are found as they are written, but for quotation
// marks and white space; what is put in is spaced as the sentence is ("safe," but "safe ," where the sentence is tokenised).
EditResult apply_edit(const std::string& action, const Json& input, const std::string& sentence);

}  // namespace craft
