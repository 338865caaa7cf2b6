#include "tests/systems/hosted/server/connection.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>

namespace craft::chat_server {

namespace {

// What a reply is filled up with, sent again and again.
const std::string& letters() {
    static const std::string some(64 << 10, 'a');
    return some;
}

}  // namespace

bool Connection::receive() {
    std::array<char, 64 << 10> buffer;
    while (true) {
        const ssize_t got = ::recv(fd(), buffer.data(), buffer.size(), 0);
        if (got > 0) reader.feed({buffer.data(), static_cast<size_t>(got)});
        if (got > 0 && static_cast<size_t>(got) < buffer.size()) return true;
        if (got == 0) return false;
        if (got < 0 && errno != EINTR) return errno == EAGAIN;
    }
}

// A part of the reply that begins at its byte `part_at`.
Connection::Progress Connection::send_part(std::string_view part, int64_t part_at) {
    while (sent_ - part_at < static_cast<int64_t>(part.size())) {
        const std::string_view rest = part.substr(static_cast<size_t>(sent_ - part_at));
        const ssize_t gone = ::send(fd(), rest.data(), rest.size(), MSG_NOSIGNAL);
        if (gone >= 0) {
            sent_ += gone;
        } else if (errno != EINTR) {
            return errno == EAGAIN ? Progress::blocked : Progress::lost;
        }
    }
    return Progress::all;
}

Connection::Progress Connection::send_reply() {
    const Reply& reply = taken->reply;
    const auto tail_at = static_cast<int64_t>(reply.bytes.size()) + reply.filling;
    Progress progress = send_part(reply.bytes, 0);
    while (progress == Progress::all && sent_ < tail_at) {
        const auto bytes = std::min(static_cast<size_t>(tail_at - sent_), letters().size());
        progress = send_part(std::string_view(letters()).substr(0, bytes), sent_);
    }
    if (progress == Progress::all) progress = send_part(reply.tail, tail_at);
    if (progress == Progress::all) sent_ = 0;
    return progress;
}

Connection::Progress Connection::send_now(std::string_view bytes) {
    const ssize_t gone = ::send(fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    return gone == static_cast<ssize_t>(bytes.size()) ? Progress::all : Progress::lost;
}

}  // namespace craft::chat_server
