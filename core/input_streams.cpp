#include "core/input_streams.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "core/error.h"
#include "core/signals.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

constexpr const char* kStdin = "/proc/self/fd/0";  // reopened, a file is read from its beginning

// The file that took stdin's place.
struct KeptStdin {
    bool is_there = false;
    dev_t device = 0;
    ino_t inode = 0;
};
KeptStdin kept_stdin;

bool stdin_is_kept() {
    struct stat info {};
    return kept_stdin.is_there && ::fstat(STDIN_FILENO, &info) == 0 && info.st_dev == kept_stdin.device &&
           info.st_ino == kept_stdin.inode;
}

struct Descriptor {
    int fd = -1;
    explicit Descriptor(int opened) : fd(opened) {}
    ~Descriptor() {
        if (fd > STDIN_FILENO) ::close(fd);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
};

std::optional<int> descriptor_named(const std::string& path) {
    if (path == "-" || path == "/dev/stdin") return STDIN_FILENO;
    for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
        if (!path.starts_with(folder)) continue;
        const char* end = path.data() + path.size();
        int number = -1;
        const auto [rest, problem] = std::from_chars(path.data() + folder.size(), end, number);
        if (problem == std::errc() && rest == end && number >= 0) return number;
    }
    return std::nullopt;
}

[[noreturn]] void fail(const std::string& name, const char* doing) {
    throw Error(name + ": cannot " + doing + ": " + std::strerror(errno));
}

// Open, and gone with the process: it has no name.
int unnamed_file(const fs::path& folder) {
    std::string name = (folder / "craft-train-XXXXXX").string();
    const int fd = ::mkostemp(name.data(), O_CLOEXEC);
    if (fd < 0) fail(folder.string(), "write");
    ::unlink(name.c_str());
    return fd;
}

void copy_to_end(int from, const std::string& name, int to, const fs::path& folder) {
    std::array<char, size_t{1} << 16> block{};
    while (true) {
        pollfd waiting{from, POLLIN, 0};  // unlike a read it comes back after a signal
        const ssize_t count = ::poll(&waiting, 1, -1) < 0 ? -1 : ::read(from, block.data(), block.size());
        if (count < 0 && errno == EINTR) {
            throw_if_stopped();
            continue;
        }
        if (count < 0) fail(name, "read");
        if (count == 0) return;
        for (ssize_t at = 0; at < count;) {
            const ssize_t written = ::write(to, block.data() + at, static_cast<size_t>(count - at));
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) fail(folder.string(), ("store the data from " + name).c_str());
            at += written;
        }
    }
}

// A file read from its beginning needs no copy.
bool starts_a_file(int fd, const struct stat& info) {
    return S_ISREG(info.st_mode) && ::lseek(fd, 0, SEEK_CUR) == 0;
}

}  // namespace

bool is_stream(const fs::path& input) {
    return descriptor_named(input.string()).has_value();
}

void make_rereadable(const fs::path& input) {
    const std::optional<int> fd = descriptor_named(input.string());
    struct stat info {};
    if (!fd) {
        if (::stat(input.c_str(), &info) == 0 && S_ISFIFO(info.st_mode))
            throw Error(input.string(), "a file, - or a pipe that the shell makes",
                        "a named pipe, which can be read only once", "redirect it to stdin and give -");
        return;
    }
    const std::string name = *fd == STDIN_FILENO ? "stdin" : input.string();
    if (*fd == STDIN_FILENO && stdin_is_kept()) return;
    if (::fstat(*fd, &info) != 0) fail(name, "read");
    if (S_ISDIR(info.st_mode)) return;  // whoever reads it says so
    if (!starts_a_file(*fd, info)) {
        std::error_code code;
        const fs::path folder = fs::temp_directory_path(code);
        if (code) throw Error("TMPDIR", "a folder to store the data from " + name, code.message());
        const Descriptor copy(unnamed_file(folder));
        copy_to_end(*fd, name, copy.fd, folder);
        ::lseek(copy.fd, 0, SEEK_SET);
        if (::dup2(copy.fd, *fd) < 0) fail(name, "read");
    }
    if (*fd == STDIN_FILENO && ::fstat(*fd, &info) == 0) kept_stdin = {true, info.st_dev, info.st_ino};
}

int open_stdin() {
    return stdin_is_kept() ? ::open(kStdin, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
}

}  // namespace craft
