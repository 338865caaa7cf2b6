// What the test server sends: whole answers, refusals and everything that is wrong on purpose, as bytes of HTTP.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/json.h"
#include "tests/systems/hosted/server/http_request.h"
#include "tests/systems/hosted/server/options.h"

namespace craft::chat_server {

struct Reply {
    enum class Ending {
        keep,     // the connection continues, if the client wants
        close,    // it is closed
        hold,     // nothing more is sent, and it stays open
        trickle,  // a blank is sent every ChatServerOptions::trickle_ms
    };
    std::string bytes = {};
    int64_t filling = 0;    // this many letters after `bytes`, which are made as they are sent
    std::string tail = {};  // and this after them
    Ending ending = Ending::keep;
};

// status: "200 OK". headers: whole lines, each with its "\r\n".
Reply http_reply(const std::string& status, const std::string& type, const std::string& body,
                 const std::string& headers = "");
// An error object like OpenAI's.
Reply refuse(const std::string& status, const std::string& message, const std::string& type, const Json& code = nullptr,
             const Json& param = nullptr, const std::string& headers = "");
// The list that GET /v1/models gives.
Reply models_reply(const ChatServerOptions& options);

// Whether a fault concerns this body at all, e.g. http_400_max_tokens only one with max_tokens.
bool concerns(Fault fault, const Json& body);
// The reply to a request for a chat completion, whose body has been parsed. Throws what `options.answer` throws.
Reply chat_reply(const ChatServerOptions& options, const ReceivedRequest& request, const Json& body,
                 std::optional<Fault> fault);

}  // namespace craft::chat_server
