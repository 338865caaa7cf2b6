// What one edit of a sentence pair teaches: an entry of the retrieval database (GEC-Agent Appendix D).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.h"
#include "gec/sentence_edit.h"

namespace craft {

struct GrammarEntry {
    std::string knowledge;  // the grammatical concept in words: "missing article"
    std::string rule;       // what holds, in one sentence; empty: nobody said it
    EditOperation modification = EditOperation::transform;
    std::string from, to;  // the word pair as it stands in the sentences; one of them is empty in insertions and deletions
    std::string pattern;   // the edit between its neighbours, in general words: "depend [of → on] PRON"
    std::string type;      // ERRANT's, "R:PREP"; empty: a model made the entry
    std::vector<std::string> keys = {};  // how the same error is found in other sentences (error_keys.h)
};

// The operation of this name, as operation_name() has it.
std::optional<EditOperation> modification_of(std::string_view name);

Json to_json(const GrammarEntry& entry);  // all but the keys
// "depend of → depend on", with "nothing" for an empty side.
std::string word_pair_text(const GrammarEntry& entry);

}  // namespace craft
