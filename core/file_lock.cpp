#include "core/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/error.h"

namespace craft {

namespace {

// Whoever held it may have removed the file between our open() and our lock: then the lock is one of a file that is gone.
bool is_there(int fd, const std::filesystem::path& file) {
    struct stat opened = {}, named = {};
    return ::fstat(fd, &opened) == 0 && ::stat(file.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

}  // namespace

FileLock::FileLock(std::filesystem::path file, mode_t permissions) : file_(std::move(file)) {
    while (!is_held_) {
        fd_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, permissions);
        if (fd_ < 0) throw Error(file_.string() + ": cannot write: " + std::strerror(errno));
        if (::flock(fd_, LOCK_EX | LOCK_NB) != 0) {
            const int reason = errno;
            if (reason == EWOULDBLOCK) return;
            ::close(fd_);
            throw Error(file_.string() + ": cannot lock: " + std::strerror(reason));
        }
        is_held_ = is_there(fd_, file_);
        if (!is_held_) ::close(fd_);
    }
}

FileLock::~FileLock() {
    ::close(fd_);
}

}  // namespace craft
