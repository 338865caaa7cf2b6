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

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.h"
#include "tests/systems/hosted/server/faults.h"

namespace craft::chat_server {

enum class RetryAfter { none, seconds, date };

struct ChatServerOptions {
    int port = 0;                    // of 127.0.0.1; 0: any that is free
    double latency_ms = 0;           // from a request's last byte to its answer's first, faults included
    std::vector<FaultShare> faults;  // their shares sum to at most 1; the rest is answered well
    // So many faults a body gets before it is answered well: who asks again is served in the end. Unset: 2 if the shares sum
    // to at most .5, else no bound.
    std::optional<int64_t> most_faults;
    uint64_t seed = 0;  // of the draws of faults
    // The fault of the `asked`-th (from 0) request with this body, instead of a draw: for tests that need an order. Called
    // on the server's thread, as `answer` is.
    std::function<std::optional<Fault>(const Json& body, int64_t asked)> choose;
    // The content of a choice (from 0). Unset: words that are made of a hash of the messages, the body's seed and the
    // choice.
    std::function<std::string(const Json& body, int64_t choice)> answer;
    std::string api_key;                   // if set: 401 without "Authorization: Bearer KEY"
    std::string proxy_authorization;       // if set: 407 for requests to a proxy without this "Proxy-Authorization"
    std::string model = "test-model";      // in the replies
    bool usage = true;                     // a usage block: tokens are words between white space
    std::optional<int64_t> cached_tokens;  // in the usage block as prompt_tokens_details.cached_tokens
    RetryAfter retry_after = RetryAfter::none;
    int64_t retry_after_s = 1;      // of `retry_after`
    int64_t limit_in_flight = 0;    // so many requests at once; what is above gets http_429; 0: no limit
    int64_t huge_bytes = 64 << 20;  // content of the fault `huge`
    double trickle_ms = 50;         // between two bytes of the fault `slow_body`
    std::string log;                // a JSON line for each request when it ended; empty: none
    bool keep_requests = false;     // for requests()
};

struct ChatServerCounts {
    int64_t connections = 0;                // accepted
    int64_t requests = 0;                   // whole ones, on any path
    int64_t in_flight = 0;                  // requests that came and whose answer has not been written
    int64_t most_in_flight = 0;             // at once
    int64_t good = 0;                       // good answers that were handed to the kernel whole, also n_ignored and the like
    std::map<std::string, int64_t> faults;  // by name; "none" for requests without one
    std::map<std::string, int64_t> asked;   // chat completions by body_hash()
    std::map<std::string, int64_t> answered;  // the good ones of them

    int64_t of(std::optional<Fault> fault) const;
};

struct ReceivedRequest {
    std::string method, target;                  // as they came
    std::map<std::string, std::string> headers;  // names in small letters
    std::string body;
};

// Of a request's body, as the log and the counts name it.
std::string body_hash(std::string_view body);

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
    ChatServerCounts counts() const;
    // In the order of their arrival; empty without keep_requests.
    std::vector<ReceivedRequest> requests() const;

private:
    class Loop;
    std::unique_ptr<Loop> loop_;
};

}  // namespace craft::chat_server
