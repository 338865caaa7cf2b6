// How a system is asked for an item's edit, and the row that is kept of its answer.
#pragma once

#include <optional>
#include <string>

#include "core/json.h"
#include "eval/editeval/prompts.h"
#include "eval/editeval/records.h"
#include "systems/system.h"

namespace craft {

struct EditAsking {
    std::string first_word = "Task";             // what the template begins with
    int64_t max_documents = 3;                   // of updating: passages that are shown at most; 0: none
    std::optional<int64_t> max_new_tokens = {};  // as SamplingOptions::max_new_tokens
};

// One message of the user's, the rendered prompt.
Request edit_request(const EditAsking& asking, const std::string& prompt, const EditItem& item);
// Greedy, with the template's stop strings.
SamplingOptions edit_sampling(const EditAsking& asking);
// {"id","prompt","prediction","status","answer"}: the prediction is edited_text(), null of an answer that was cut, and of a
// failed one, which has "failure"; the answer as it came stands there where it differs from the prediction.
Json prediction_row(const EditAsking& asking, const std::string& prompt, const EditItem& item, const Reply& reply);

}  // namespace craft
