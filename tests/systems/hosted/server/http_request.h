// Requests of HTTP/1.1 out of the bytes of a connection.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace craft::chat_server {

struct ReceivedRequest {
    std::string method, target;                  // as they came
    std::map<std::string, std::string> headers;  // names in small letters
    std::string body;
    bool keep_alive = true;  // the client will send more on this connection

    // A header's value, or "".
    const std::string& header(const std::string& name) const;
    // The target without scheme and host, which a proxy gets, and without a query.
    std::string path() const;
    bool is_to_proxy() const;
};

// Takes bytes as they come and gives whole requests. A body needs Content-Length: what has none (chunks) is refused.
class RequestReader {
public:
    void feed(std::string_view bytes);
    // The next request that is there whole.
    std::optional<ReceivedRequest> next();
    // The client waits for "100 Continue" before it sends the body of the request that has begun; true once a request.
    bool wants_continue();
    // Status and reason ("411 Length Required") of bytes that are no request that is served: nothing can be read after
    // them. "" otherwise.
    const std::string& refusal() const { return refusal_; }

private:
    void read_head();
    std::string bytes_;
    size_t body_at_ = 0;  // 0: the head has not been read yet
    size_t body_bytes_ = 0;
    bool expects_continue_ = false;
    ReceivedRequest request_;
    std::string refusal_;
};

}  // namespace craft::chat_server
