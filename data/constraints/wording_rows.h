// Rows of a file of wordings: alternatives spelled out, slots checked, what development has taken out of training.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/json.h"
#include "data/constraints/wordings.h"

namespace craft {

// The slots that the texts of a list may hold.
struct SlotRule {
    std::map<std::string, std::string> values;  // what each slot stands for: "N+1" for the value "N"
    std::set<std::string> needed;               // values that every text has to hold
    bool only_needed = false;                   // and no others
    bool ranges = false;                        // {3-40}, a number between the two, is a slot, too
};

// Rows are [split, text], or [split, form, text] `with_form`. Throws Error naming `where` and the row's number.
std::vector<Wording> read_rows(const Json& rows, bool with_form, const SlotRule& rule, const std::string& where);
// Rows are texts without alternatives.
std::vector<Wording> read_sealed_rows(const Json& rows, const SlotRule& rule, const std::string& where);

}  // namespace craft
