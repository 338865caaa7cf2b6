// A pipe that holds `bytes` and ends there, in the place of stdin while it lives.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

namespace craft::test {

// The reading end; the bytes must fit into a pipe (64 KiB).
inline int pipe_with(const std::string& bytes) {
    int ends[2] = {-1, -1};
    EXPECT_EQ(::pipe(ends), 0);
    EXPECT_EQ(::write(ends[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    ::close(ends[1]);
    return ends[0];
}

class PipedStdin {
public:
    explicit PipedStdin(const std::string& bytes) : saved_(::dup(STDIN_FILENO)) {
        const int end = pipe_with(bytes);
        ::dup2(end, STDIN_FILENO);
        ::close(end);
    }
    ~PipedStdin() {
        ::dup2(saved_, STDIN_FILENO);
        ::close(saved_);
    }
    PipedStdin(const PipedStdin&) = delete;
    PipedStdin& operator=(const PipedStdin&) = delete;

private:
    int saved_;
};

}  // namespace craft::test
