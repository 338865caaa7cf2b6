// How much the server bears: its time is printed, not judged, since the machine may have other work.
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "tests/systems/hosted/chat_server.h"
#include "tests/systems/hosted/server/raw_client.h"

namespace craft::chat_server {
namespace {

// A client with as little work as can be: it looks for the end of a reply and no more.
class LoadClient {
public:
    LoadClient(int port, int connections) {
        for (int i = 0; i < connections; ++i) {
            clients_.push_back(std::make_unique<RawClient>(port));
            polled_.push_back({clients_.back()->fd(), POLLIN, 0});
        }
        got_.resize(clients_.size());
    }

    // Sends requests of different bodies, one at a time on each connection; returns how many were answered.
    int run(int requests) {
        int sent = 0, answered = 0;
        const auto send_next = [&](size_t i) {
            if (sent < requests) clients_[i]->send(post(chat_body("text " + std::to_string(sent++))));
        };
        for (size_t i = 0; i < clients_.size(); ++i) send_next(i);
        while (answered<requests&& ::poll(polled_.data(), polled_.size(), 20000)> 0) {
            for (size_t i = 0; i < clients_.size(); ++i) {
                if (polled_[i].revents == 0) continue;
                if (!receive(i)) return answered;
                if (!take_reply(got_[i])) continue;
                ++answered;
                send_next(i);
            }
        }
        return answered;
    }

private:
    bool receive(size_t i) {
        std::array<char, 16 << 10> buffer;
        const ssize_t count = ::recv(polled_[i].fd, buffer.data(), buffer.size(), 0);
        if (count > 0) got_[i].append(buffer.data(), static_cast<size_t>(count));
        return count > 0;
    }

    static bool take_reply(std::string& got) {
        const size_t head = got.find("\r\n\r\n"), length = got.find("Content-Length: ");
        if (head == std::string::npos || length > head) return false;
        if (got.size() < head + 4 + std::strtoul(got.c_str() + length + 16, nullptr, 10)) return false;
        got.clear();
        return true;
    }

    std::vector<std::unique_ptr<RawClient>> clients_;
    std::vector<pollfd> polled_;
    std::vector<std::string> got_;
};

TEST(Load, TwoThousandRequestsOf64Connections) {
    for (const double latency_ms : {20., 0.}) {
        ChatServer server({.latency_ms = latency_ms});
        LoadClient client(server.port(), 64);
        const auto start = std::chrono::steady_clock::now();
        EXPECT_EQ(client.run(2000), 2000);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        std::printf("latency %.0f ms: 2000 requests in %.3f s, %.0f/s\n", latency_ms, took.count(), 2000 / took.count());
        server.stop();
        EXPECT_EQ(server.counts().good, 2000);
        EXPECT_EQ(server.counts().connections, 64);
        if (latency_ms > 0) {
            EXPECT_EQ(server.counts().max_in_flight, 64);
        }
    }
}

}  // namespace
}  // namespace craft::chat_server
