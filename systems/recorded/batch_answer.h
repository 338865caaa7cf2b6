// A line of a batch's answers: the Batch API's output and error files, and what `vllm run-batch` writes.
#pragma once

#include <string>

#include "core/json.h"

namespace craft {

struct BatchAnswer {
    std::string custom_id;
    std::string unasked;  // why its turn never came: "expired" or "cancelled"; empty: the server was asked
    int64_t status = 0;   // of HTTP; 0: the line has an error alone
    Json body;            // what the server sent, an object; an error of the line that it says nothing of is {"error": ...}
};

// Of an object {"custom_id", "response": {"status_code", "body"} or null, "error": {"code", "message"} or null}. Throws
// Error naming `where` and the field if it is none.
BatchAnswer batch_answer(const Json& line, const std::string& where);

}  // namespace craft
