#include "core/append_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/error.h"
#include "core/log.h"

namespace craft {

namespace {

constexpr size_t kAppendBuffer = size_t{1} << 14;
constexpr auto kInterval = std::chrono::seconds(2);  // for who watches the file
constexpr auto kBetweenSyncs = std::chrono::milliseconds(300);

[[noreturn]] void fail(const std::filesystem::path& path) {
    throw Error(path.string() + ": cannot write: " + std::strerror(errno));
}

}  // namespace

AppendFile::AppendFile(std::filesystem::path path) : path_(std::move(path)) {
    fd_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd_ < 0) fail(path_);
}

AppendFile::AppendFile(AppendFile&& other) noexcept
    : path_(std::move(other.path_)), buffer_(std::move(other.buffer_)), fd_(std::exchange(other.fd_, -1)) {}

AppendFile::~AppendFile() {
    if (fd_ < 0) return;
    try {
        flush();
    } catch (const Error& error) {
        log_warning(error.what());
    }
    ::close(fd_);
}

void AppendFile::write(std::string_view bytes) {
    buffer_.append(bytes);
    if (buffer_.size() >= kAppendBuffer || std::chrono::steady_clock::now() - flushed_ > kInterval) flush();
}

void AppendFile::flush() {
    flushed_ = std::chrono::steady_clock::now();
    const std::string bytes = std::exchange(buffer_, {});  // a failed write is not tried again
    for (size_t at = 0; at < bytes.size();) {
        const ssize_t written = ::write(fd_, bytes.data() + at, bytes.size() - at);
        if (written < 0 && errno != EINTR) fail(path_);
        if (written > 0) at += static_cast<size_t>(written);
    }
}

void AppendFile::sync() {
    flush();
    if (::fsync(fd_) != 0 && errno != EINVAL && errno != EROFS) fail(path_);
}

bool AppendFile::sync_now_and_then() {
    const auto now = std::chrono::steady_clock::now();
    if (now - synced_ < kBetweenSyncs) return false;
    synced_ = now;
    sync();
    return true;
}

}  // namespace craft
