#include "tests/systems/hosted/server/raw_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <thread>

namespace craft::chat_server {

namespace {

using Clock = std::chrono::steady_clock;

// Takes the body of `reply` out of the bytes after its head; returns how many bytes were its own.
size_t read_body(RawReply& reply, std::string_view bytes) {
    if (const std::string size = reply.header("Content-Length"); !size.empty()) {
        const auto expected = static_cast<size_t>(std::strtoull(size.c_str(), nullptr, 10));
        bytes = bytes.substr(0, expected);
        reply.body += bytes.substr(reply.body.size());  // once each: a body of 64 MB comes in a thousand pieces
        reply.is_complete = reply.body.size() == expected;
        return reply.body.size();
    }
    reply.body.clear();
    size_t at = 0;
    while (true) {
        const size_t line = bytes.find("\r\n", at);
        if (line == std::string_view::npos) return at;
        const auto size = static_cast<size_t>(std::strtoull(std::string(bytes.substr(at, line - at)).c_str(), nullptr, 16));
        if (bytes.size() < line + 2 + size + 2) return at;
        reply.body += bytes.substr(line + 2, size);
        at = line + 2 + size + 2;
        if (size > 0) continue;
        reply.is_complete = true;
        return at;
    }
}

// Reads more into `bytes`: false when the server closed or the time is over.
bool read_more(int fd, std::string& bytes, Clock::time_point until, bool& is_closed) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
    pollfd ready{fd, POLLIN, 0};
    if (left < 0 || ::poll(&ready, 1, static_cast<int>(left)) <= 0) return false;
    std::array<char, 64 << 10> buffer;
    const ssize_t got = ::recv(fd, buffer.data(), buffer.size(), 0);
    is_closed = got <= 0;
    if (got > 0) bytes.append(buffer.data(), static_cast<size_t>(got));
    return got > 0;
}

}  // namespace

int RawReply::status() const {
    return head.starts_with("HTTP/1.1 ") ? std::atoi(head.c_str() + 9) : 0;
}

std::string RawReply::header(const std::string& name) const {
    const std::string start = "\r\n" + name + ": ";
    const size_t at = head.find(start);
    if (at == std::string::npos) return "";
    const size_t from = at + start.size();
    return head.substr(from, std::min(head.find("\r\n", from), head.size()) - from);
}

Json RawReply::json() const {
    return Json::parse(body, nullptr, false);
}

RawClient::RawClient(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket") {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket_.fd(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
        throw Error("port " + std::to_string(port), "a server", std::generic_category().message(errno));
}

void RawClient::send(std::string_view bytes) const {
    while (!bytes.empty()) {
        const ssize_t gone = ::send(socket_.fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (gone < 0) throw Error("send", "a connection", std::generic_category().message(errno));
        bytes.remove_prefix(static_cast<size_t>(gone));
    }
}

RawReply RawClient::receive(std::chrono::milliseconds longest) {
    const auto until = Clock::now() + longest;
    RawReply reply;
    size_t head_end = left_.find("\r\n\r\n");
    while (head_end == std::string::npos) {
        if (!read_more(fd(), left_, until, reply.is_closed)) return reply;
        head_end = left_.find("\r\n\r\n");
    }
    reply.head = left_.substr(0, head_end);
    left_.erase(0, head_end + 4);
    size_t own = 0;
    do {
        own = read_body(reply, left_);
    } while (!reply.is_complete && read_more(fd(), left_, until, reply.is_closed));
    left_.erase(0, own);
    return reply;
}

bool RawClient::is_closed_within(std::chrono::milliseconds longest) {
    bool is_closed = false;
    read_more(fd(), left_, Clock::now() + longest, is_closed);
    return is_closed && left_.empty();
}

bool becomes_true(const std::function<bool()>& condition) {
    const auto until = Clock::now() + std::chrono::seconds(20);
    while (!condition()) {
        if (Clock::now() > until) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
}

std::string post(const std::string& body, const std::string& headers, const std::string& path) {
    return "POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1:1\r\nContent-Type: application/json\r\n" + headers +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::string chat_body(const std::string& content, const Json& more) {
    Json body = {{"model", "asked-model"}, {"messages", {{{"role", "user"}, {"content", content}}}}};
    body.update(more);
    return dump_line(body);
}

RawReply ask(int port, const std::string& body, const std::string& headers, std::chrono::milliseconds longest) {
    RawClient client(port);
    client.send(post(body, headers));
    return client.receive(longest);
}

}  // namespace craft::chat_server
