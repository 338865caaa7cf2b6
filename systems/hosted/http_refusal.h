// Why a Chat Completions server did not take a request: an answer of another HTTP status than 200.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "systems/hosted/server_words.h"
#include "systems/system.h"

namespace craft {

// What is known of a reply with another HTTP status than 200, or of an error that says another one (status_within()).
struct HttpRefusal {
    Failure failure = Failure::refused_request;
    std::string error;                         // one line: the status and what the server says, in at most 300 bytes
    std::string parameter;                     // of the body, that the server refuses; empty: none is named
    bool wants_max_completion_tokens = false;  // in place of max_tokens, or refuses the latter
    bool is_final = false;                     // the run cannot continue: wrong key, no access, no credit
};
// `fields`: the names of what was sent, by which a parameter is found that only the message, or FastAPI's `loc`, names.
HttpRefusal read_http_refusal(long status, std::string_view bytes, const Redactor& redacted = {},
                              const std::vector<std::string>& fields = {});
// The names of a body's fields that a server may refuse: all but the model and the messages.
std::vector<std::string> fields_of(const Json& body);

}  // namespace craft
