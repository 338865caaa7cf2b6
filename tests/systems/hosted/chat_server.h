// A server that speaks OpenAI's Chat Completions and misbehaves on purpose: for tests, in their own process, and for
// benchmarks and tests that kill their client, as a program (benchmarks/chat_server.cpp).
//
//   ChatServer server({.latency_ms = 20, .faults = {{Fault::http_429, .2}, {Fault::dropped, .05}}});
//   ... ask server.base_url() + "/chat/completions" ...
//   EXPECT_EQ(server.counts().of(Fault::dropped), 15);
//
// It answers POST on every path that ends in /chat/completions and GET on every path that ends in /models; of a request to a
// proxy (http://host/path) it takes the path. Bodies need Content-Length. One thread serves all connections.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/systems/hosted/server/counts.h"
#include "tests/systems/hosted/server/faults.h"
#include "tests/systems/hosted/server/http_request.h"
#include "tests/systems/hosted/server/options.h"

namespace craft::chat_server {

// All functions are thread-safe.
class ChatServer {
public:
    // Listens when it returns. Throws UsageError with every problem of the options; Error where the port cannot be had or
    // the log not be written.
    explicit ChatServer(ChatServerOptions options = {});
    ~ChatServer();  // stops
    ChatServer(const ChatServer&) = delete;
    ChatServer& operator=(const ChatServer&) = delete;

    int port() const;
    std::string base_url() const;  // "http://127.0.0.1:PORT/v1"
    // Closes all connections; what was in flight is not answered. A second call does nothing.
    void stop();
    // Throws what `answer` or `choose` threw, or what kept the log from being written: it has stopped the server.
    ChatServerCounts counts() const;
    // In the order of their arrival; empty without keep_requests.
    std::vector<ReceivedRequest> requests() const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace craft::chat_server
