// The connections of the test server: one thread that waits for sockets and for the time when an answer is due.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <queue>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tests/systems/hosted/server/connection.h"
#include "tests/systems/hosted/server/descriptor.h"
#include "tests/systems/hosted/server/service.h"

namespace craft::chat_server {

// run() belongs to one thread; stop() may be called by any.
class Loop {
public:
    // Listens on 127.0.0.1. Throws Error where the port cannot be had.
    Loop(const ChatServerOptions& options, Service& service);
    int port() const { return port_; }
    // Serves until stop(), then closes all connections. Throws what the service throws, and Error where the system refuses
    // (no descriptors left).
    void run();
    void stop();

private:
    using Clock = std::chrono::steady_clock;
    using Due = std::pair<Clock::time_point, uint64_t>;  // when, and a connection's number

    void listen(int port);
    void serve();
    void watch(int fd, uint64_t number, uint32_t events, bool is_new);
    void accept_all();
    void on_connection(Connection& connection, uint32_t events);
    void serve_due();
    void take_requests(Connection& connection);
    void send(Connection& connection);
    void finish_reply(Connection& connection);
    void close(Connection& connection);
    void wake_at(Clock::time_point when, Connection& connection);
    void set_timer();

    const ChatServerOptions& options_;
    Service& service_;
    Descriptor listener_, epoll_, timer_, stopper_;
    int port_ = 0;
    uint64_t last_number_ = 0;
    std::unordered_map<uint64_t, std::unique_ptr<Connection>> connections_;
    std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
    Clock::time_point timer_set_ = Clock::time_point::max();
};

}  // namespace craft::chat_server
