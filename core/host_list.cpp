#include "core/host_list.h"

#include <cctype>

#include "core/error.h"

namespace craft {

namespace {

bool is_digit(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

bool is_host_character(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.' || c == '_';
}

class HostListReader {
public:
    explicit HostListReader(const std::string& list) : list_(list) {}

    std::string first() {
        std::string host = one();
        while (at_ < list_.size()) {
            take(',');
            one();
        }
        return host;
    }

private:
    char peek() const { return at_ < list_.size() ? list_[at_] : '\0'; }

    [[noreturn]] void refuse(const std::string& expected) const {
        const std::string got = at_ < list_.size() ? "'" + list_.substr(at_, 20) + "'" : "its end";
        throw Error("host list '" + list_.substr(0, 200) + "', character " + std::to_string(at_ + 1), expected, got);
    }

    void take(char c) {
        if (peek() != c) refuse(std::string("'") + c + "'");
        ++at_;
    }

    std::string number() {
        const size_t begin = at_;
        while (is_digit(peek())) ++at_;
        if (begin == at_) refuse("a number");
        return list_.substr(begin, at_ - begin);
    }

    // "[01-04,07]": its first number, zeros and all.
    std::string range() {
        take('[');
        std::string lowest;
        while (true) {
            const std::string from = number();
            if (lowest.empty()) lowest = from;
            if (peek() == '-') {
                ++at_;
                number();
            }
            if (peek() != ',') break;
            ++at_;
        }
        take(']');
        return lowest;
    }

    std::string one() {
        std::string host;
        while (is_host_character(peek()) || peek() == '[') host += peek() == '[' ? range() : std::string(1, list_[at_++]);
        if (host.empty()) refuse("a host's name");
        return host;
    }

    const std::string& list_;
    size_t at_ = 0;
};

}  // namespace

std::string first_host(const std::string& list) {
    return HostListReader(list).first();
}

}  // namespace craft
