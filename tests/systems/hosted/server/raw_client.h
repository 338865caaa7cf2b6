// A client of sockets alone, which shows what a server sent, byte by byte, and leaves nothing out.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "core/json.h"
#include "tests/systems/hosted/server/descriptor.h"

namespace craft::chat_server {

struct RawReply {
    std::string head;                                   // status line and headers, as they came
    std::string body;                                   // out of its chunks, if it came in some; what arrived of it
    bool is_complete = false;                           // by Content-Length, or by the last chunk
    bool is_closed = false;                             // by the server, before it was whole or after it
    int status() const;                                 // 0 without one
    std::string header(const std::string& name) const;  // "" without it; the name as the server writes it
    Json json() const;                                  // of the body; discarded where it is none
};

class RawClient {
public:
    // Connects to 127.0.0.1; throws Error where nobody listens.
    explicit RawClient(int port);
    void send(std::string_view bytes) const;
    // The next reply: until it is whole, the server closes, or the time is over.
    RawReply receive(std::chrono::milliseconds longest = std::chrono::seconds(20));
    // Whether the server closes the connection within that time and sends nothing more.
    bool is_closed_within(std::chrono::milliseconds longest);
    int fd() const { return socket_.fd(); }

private:
    Descriptor socket_;
    std::string left_;  // came after a whole reply
};

// Counts follow what a client sees by a moment: waits for that. False where it is not true after 20 seconds either.
bool becomes_true(const std::function<bool()>& condition);
// A POST of a body to /v1/chat/completions. headers: whole lines.
std::string post(const std::string& body, const std::string& headers = "", const std::string& path = "/v1/chat/completions");
// A body with one message.
std::string chat_body(const std::string& content, const Json& more = Json::object());
// The whole exchange on a connection of its own.
RawReply ask(int port, const std::string& body, const std::string& headers = "",
             std::chrono::milliseconds longest = std::chrono::seconds(20));

}  // namespace craft::chat_server
