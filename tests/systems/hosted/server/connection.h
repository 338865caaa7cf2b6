// A connection to the test server: what came, and what is still to be sent.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "tests/systems/hosted/server/descriptor.h"
#include "tests/systems/hosted/server/http_request.h"
#include "tests/systems/hosted/server/service.h"

namespace craft::chat_server {

class Connection {
public:
    enum class Progress {
        all,      // everything was taken
        blocked,  // the rest must wait until the socket takes more
        lost,     // the other side is gone
    };

    Connection(Descriptor socket, uint64_t number) : number_(number), socket_(std::move(socket)) {}
    int fd() const { return socket_.fd(); }
    uint64_t number() const { return number_; }

    // Reads what is there into `reader`; false when the other side is gone.
    bool receive();
    // Sends of the reply in `taken` what has not been sent.
    Progress send_reply();
    // Sends a few bytes beside any reply; what the socket does not take at once counts as lost.
    Progress send_now(std::string_view bytes);

    RequestReader reader;
    std::optional<Taken> taken;   // the request that is being answered
    bool is_due = false;          // its latency has passed
    bool is_trickling = false;    // its reply was sent and blanks follow
    bool waits_to_write = false;  // the socket is watched for that

private:
    Progress send_part(std::string_view part, int64_t part_at);
    uint64_t number_;
    Descriptor socket_;
    int64_t sent_ = 0;  // bytes of the reply
};

}  // namespace craft::chat_server
