// A line of a batch's answers: the Batch API's output and error files, and what `vllm run-batch` writes.
#pragma once

#include <string>

#include "core/json.h"
#include "systems/system.h"

namespace craft {

struct BatchAnswer {
    std::string custom_id;
    enum class Kind {
        answered,  // HTTP 200: `body` is a chat completion
        failed,    // the server was asked and answered with an error
        unasked    // the batch ended before this request's turn: expired or cancelled
    };
    Kind kind = Kind::answered;
    Json body;            // of an answered one: an object
    std::string failure;  // of the others, a name to count by: failure_name(), "expired", "cancelled"
    std::string error;    // of the others: what the line says, shortened
};

// Of an object {"custom_id", "response": {"status_code", "body"} or null, "error": {"code", "message"} or null}. Throws
// Error naming `where` and the field if it is none.
BatchAnswer batch_answer(const Json& line, const std::string& where);

}  // namespace craft
