#include "tests/systems/hosted/server/http_request.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace craft::chat_server {

namespace {

constexpr size_t kMaxHeadBytes = 64 << 10;
constexpr size_t kMaxBodyBytes = 64 << 20;

std::string lower(std::string_view text) {
    std::string small(text);
    std::ranges::transform(small, small.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return small;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

// False where it is none.
bool read_size(const std::string& text, size_t& size) {
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), size);
    return problem == std::errc() && end == text.data() + text.size();
}

// "POST /v1/x HTTP/1.1" and the lines below it; false where they are none.
bool read_lines(std::string_view head, ReceivedRequest& request, bool& is_old) {
    bool is_first = true;
    while (!head.empty()) {
        const size_t end = std::min(head.find("\r\n"), head.size());
        const std::string_view line = head.substr(0, end);
        head.remove_prefix(std::min(end + 2, head.size()));
        if (is_first) {
            const size_t first = line.find(' '), last = line.rfind(' ');
            if (first == std::string_view::npos || first == last || !line.substr(last + 1).starts_with("HTTP/1."))
                return false;
            request.method = line.substr(0, first);
            request.target = line.substr(first + 1, last - first - 1);
            is_old = line.ends_with(".0");
        } else {
            const size_t colon = line.find(':');
            if (colon == std::string_view::npos || colon == 0) return false;
            request.headers[lower(line.substr(0, colon))] = trimmed(line.substr(colon + 1));
        }
        is_first = false;
    }
    return !is_first;
}

}  // namespace

const std::string& ReceivedRequest::header(const std::string& name) const {
    static const std::string none;
    const auto found = headers.find(name);
    return found == headers.end() ? none : found->second;
}

bool ReceivedRequest::is_to_proxy() const {
    return target.find("://") < target.find('/');
}

std::string ReceivedRequest::path() const {
    std::string path = target;
    if (is_to_proxy()) {
        const size_t slash = path.find('/', path.find("://") + 3);
        path = slash == std::string::npos ? "/" : path.substr(slash);
    }
    return path.substr(0, path.find('?'));
}

void RequestReader::feed(std::string_view bytes) {
    bytes_ += bytes;
    if (body_at_ == 0) read_head();
}

void RequestReader::read_head() {
    if (!refusal_.empty()) return;
    const size_t end = bytes_.find("\r\n\r\n");
    if (end == std::string::npos || end > kMaxHeadBytes) {
        if (bytes_.size() > kMaxHeadBytes) refusal_ = "431 Request Header Fields Too Large";
        return;
    }
    request_ = {};
    bool is_old = false;
    body_bytes_ = 0;
    if (!read_lines(std::string_view(bytes_).substr(0, end), request_, is_old)) {
        refusal_ = "400 Bad Request";
    } else if (!request_.header("transfer-encoding").empty()) {
        refusal_ = "411 Length Required";
    } else if (const std::string& size = request_.header("content-length"); !size.empty() && !read_size(size, body_bytes_)) {
        refusal_ = "400 Bad Request";
    } else if (body_bytes_ > kMaxBodyBytes) {
        refusal_ = "413 Content Too Large";
    }
    if (!refusal_.empty()) return;
    const std::string connection = lower(request_.header("connection"));
    request_.keep_alive = is_old ? connection == "keep-alive" : connection != "close";
    expects_continue_ = lower(request_.header("expect")) == "100-continue";
    body_at_ = end + 4;
}

bool RequestReader::wants_continue() {
    const bool waits = expects_continue_ && body_at_ > 0 && bytes_.size() < body_at_ + body_bytes_;
    if (waits) expects_continue_ = false;
    return waits;
}

std::optional<ReceivedRequest> RequestReader::next() {
    if (body_at_ == 0 || bytes_.size() < body_at_ + body_bytes_) return std::nullopt;
    request_.body = bytes_.substr(body_at_, body_bytes_);
    bytes_.erase(0, body_at_ + body_bytes_);
    body_at_ = 0;
    ReceivedRequest whole = std::exchange(request_, {});
    read_head();  // what was sent after it
    return whole;
}

}  // namespace craft::chat_server
