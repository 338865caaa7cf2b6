// A file that grows row by row (metrics, events): rows are buffered and reach the file together.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>

namespace craft {

// Every function throws Error with the path and the system's reason (a full disk). The destructor writes what is buffered
// and can only log a failure.
class AppendFile {
public:
    explicit AppendFile(std::filesystem::path path);
    ~AppendFile();
    AppendFile(AppendFile&& other) noexcept;
    AppendFile& operator=(AppendFile&&) = delete;
    void write(std::string_view bytes);
    void flush();  // into the file, for readers that follow it
    void sync();   // and to disk
    // sync(), unless the last one was a moment ago; returns whether it did. A kill costs what was written since.
    bool sync_now_and_then();

private:
    std::filesystem::path path_;
    std::string buffer_;
    int fd_ = -1;
    std::chrono::steady_clock::time_point flushed_, synced_ = std::chrono::steady_clock::now();
};

}  // namespace craft
