// A web search for tests.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>
#include <thread>
#include <vector>

namespace craft::test {

// A SearXNG server that answers each of its connections, in order, with these bytes; empty ones are an answer that never
// comes.
class SearchServer {
public:
    explicit SearchServer(std::vector<std::string> answers) : listening_(::socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        auto* plain = reinterpret_cast<sockaddr*>(&address);
        EXPECT_EQ(::bind(listening_, plain, size), 0);
        EXPECT_EQ(::listen(listening_, 4), 0);
        EXPECT_EQ(::getsockname(listening_, plain, &size), 0);
        port_ = ntohs(address.sin_port);
        thread_ = std::thread([this, answers = std::move(answers)] {
            for (const std::string& bytes : answers) {
                const int connection = ::accept(listening_, nullptr, nullptr);
                std::array<char, 8192> request{};
                const ssize_t got = ::recv(connection, request.data(), request.size(), 0);
                requests_.emplace_back(request.data(), static_cast<size_t>(std::max<ssize_t>(0, got)));
                if (bytes.empty())
                    while (::recv(connection, request.data(), request.size(), 0) > 0) {}
                ::send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL);
                ::close(connection);
            }
        });
    }
    ~SearchServer() { end(); }
    SearchServer(const SearchServer&) = delete;
    SearchServer& operator=(const SearchServer&) = delete;
    std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
    // What was asked, once all answers are given.
    const std::vector<std::string>& requests() {
        end();
        return requests_;
    }

private:
    void end() {
        if (thread_.joinable()) thread_.join();
        if (listening_ >= 0) ::close(listening_);
        listening_ = -1;
    }
    int listening_;
    uint16_t port_ = 0;
    std::vector<std::string> requests_;
    std::thread thread_;
};

inline std::string http(const std::string& status, const std::string& body) {
    return "HTTP/1.1 " + status + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\nConnection: close\r\n\r\n" +
           body;
}

inline const std::string kFoundOnTheWeb =
    R"({"results":[{"title":"Depend on","url":"https://g.example/x","content":"We <b>depend on</b> it."}]})";

}  // namespace craft::test
