// A descriptor of the system's that is closed with its owner.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "core/error.h"

namespace craft::chat_server {

class Descriptor {
public:
    Descriptor() = default;
    // Takes what a system call returned. Throws Error with the system's reason where that is below 0.
    Descriptor(int fd, const std::string& what) : fd_(fd) {
        if (fd < 0) throw Error(what, "a descriptor", std::generic_category().message(errno));
    }
    Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~Descriptor() {
        if (fd_ >= 0) ::close(fd_);
    }
    int fd() const { return fd_; }

private:
    int fd_ = -1;
};

}  // namespace craft::chat_server
