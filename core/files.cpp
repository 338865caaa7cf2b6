#include "core/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "core/new_file.h"
#include "core/output_place.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

constexpr size_t kBuffer = size_t{1} << 16;

[[noreturn]] void fail(const std::string& name, const std::string& doing) {
    throw Error(name + ": cannot " + doing + ": " + std::strerror(errno));
}

void sync_path(const fs::path& path, int flags) {
    const int fd = ::open(path.c_str(), flags | O_CLOEXEC);
    if (fd < 0) fail(path.string(), "open");
    const int failed = ::fsync(fd);
    const int reason = errno;
    ::close(fd);
    errno = reason;
    if (failed != 0 && errno != EINVAL && errno != EROFS) fail(path.string(), "write to disk");
}

void write_all(int fd, std::string_view bytes, const std::string& name) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(fd, bytes.data(), bytes.size());
        if (written >= 0) {
            bytes.remove_prefix(static_cast<size_t>(written));
        } else if (errno == EPIPE) {
            throw Stopped(SIGPIPE);  // whoever read it has had enough (| head), which is no failure
        } else if (errno != EINTR) {
            fail(name, "write");
        }
    }
}

}  // namespace

std::string read_file(const fs::path& path) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) fail(path.string(), "read");
    std::string bytes;
    ssize_t count = 0;
    do {
        const size_t size = bytes.size();
        bytes.resize(size + kBuffer + size / 2);
        count = ::read(fd, bytes.data() + size, bytes.size() - size);
        bytes.resize(size + static_cast<size_t>(count > 0 ? count : 0));
    } while (count > 0 || (count < 0 && errno == EINTR));
    const int reason = errno;
    ::close(fd);
    errno = reason;
    if (count < 0) fail(path.string(), "read");
    return bytes;
}

void write_stdout(std::string_view bytes) {
    write_all(STDOUT_FILENO, bytes, "stdout");
}

int create_new_file(const fs::path& path) {
    constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    int fd = ::open(path.c_str(), kFlags, 0666);
    if (fd < 0 && errno == EEXIST && ::unlink(path.c_str()) == 0) fd = ::open(path.c_str(), kFlags, 0666);
    return fd;
}

fs::path temporary_name(const fs::path& path) {
    fs::path name = path;
    name += ".tmp-" + std::to_string(::getpid());
    return name;
}

void publish_file(const fs::path& temporary, const fs::path& path) {
    try {
        sync_path(temporary, O_RDONLY);
        std::error_code code;
        fs::rename(temporary, path, code);
        if (code) throw Error(path.string() + ": cannot rename into place: " + code.message());
    } catch (...) {
        ::unlink(temporary.c_str());
        throw;
    }
    sync_path(path.has_parent_path() ? path.parent_path() : fs::path("."), O_RDONLY | O_DIRECTORY);
}

void write_file_atomic(const fs::path& path, std::string_view bytes) {
    OutputFile file(path == "-" ? "./-" : path.string());
    file.write(bytes);
    file.close();
}

void copy_file_atomic(const fs::path& from, const fs::path& to) {
    std::ifstream in(from, std::ios::binary);
    if (!in) fail(from.string(), "read");
    OutputFile out(to.string());
    std::array<char, kBuffer> block{};
    while (in.read(block.data(), block.size()) || in.gcount() > 0)
        out.write({block.data(), static_cast<size_t>(in.gcount())});
    if (in.bad()) fail(from.string(), "read");
    out.close();
}

void ensure_folder(const fs::path& path) {
    if (path.empty()) throw Error("output folder", "a path", "an empty one");
    std::error_code code;
    fs::create_directories(path, code);
    const int reason = code.value();
    if (fs::exists(path, code) && !fs::is_directory(path, code)) throw Error(path.string(), "a folder", "a file");
    errno = reason;
    if (reason != 0) fail(path.string(), "create the folder");
    if (::access(path.c_str(), W_OK | X_OK) != 0) fail(path.string(), "write to the folder");
}

fs::path share_folder() {
    if (const char* named = std::getenv("CRAFT_SHARE"); named != nullptr && *named != '\0') {
        if (!fs::is_directory(named)) throw Error("CRAFT_SHARE", "a folder", named);
        return named;
    }
    std::error_code code;
    const fs::path program = fs::read_symlink("/proc/self/exe", code);
    if (!code) {
        const fs::path installed = program.parent_path().parent_path() / "share" / "craft-train";
        if (fs::is_directory(installed)) return installed;
    }
    if (fs::is_directory(CRAFT_SOURCE_SHARE)) return CRAFT_SOURCE_SHARE;
    throw Error("shipped files", "the folder share/craft-train beside the program", "none", "set CRAFT_SHARE to it");
}

OutputFile::OutputFile(const std::string& path) : name_(path), path_(path) {
    if (path == "-") {
        name_ = "stdout";
        fd_ = STDOUT_FILENO;
        return;
    }
    if (path.empty()) throw Error("output file", "a path", "an empty one");
    struct stat info {};
    const bool exists = ::stat(path.c_str(), &info) == 0;
    if (!exists && errno != ENOENT) fail(name_, "write");
    if (exists && S_ISDIR(info.st_mode)) throw Error(path, "a file to write", "a folder");
    if (is_written_directly(path)) {  // renaming onto /dev/null would replace the device
        const int own = own_descriptor(path);
        fd_ = own >= 0 ? ::fcntl(own, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    } else {
        path_ = link_target(path_);
        temporary_ = temporary_name(path_);
        fd_ = open_new_file(path_);
    }
    if (fd_ < 0) fail(name_, "write");
    if (exists && !temporary_.empty())
        ::fchmod(fd_, info.st_mode & 07777U);  // the new file keeps the older one's permissions
}

OutputFile::~OutputFile() {
    if (fd_ <= STDERR_FILENO) return;
    if (temporary_.empty())
        ::close(fd_);
    else
        discard_new_file(fd_, path_);
}

void OutputFile::write(std::string_view bytes) {
    buffer_.append(bytes);
    if (buffer_.size() >= kBuffer) flush();
}

void OutputFile::flush() {
    write_all(fd_, buffer_, name_);
    buffer_.clear();
}

void OutputFile::close() {
    if (fd_ < 0) return;
    flush();
    if (fd_ == STDOUT_FILENO) {
        fd_ = -1;
        return;
    }
    if (!temporary_.empty()) publish_new_file(fd_, path_);
    if (::close(std::exchange(fd_, -1)) != 0) fail(name_, "write");
}

}  // namespace craft
