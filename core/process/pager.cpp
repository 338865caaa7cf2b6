#include "core/process/pager.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace craft {

namespace {

bool write_whole(int fd, const std::string& text) {
    for (size_t at = 0; at < text.size();) {
        const ssize_t written = ::write(fd, text.data() + at, text.size() - at);
        if (written < 0 && errno != EINTR) return false;
        if (written > 0) at += static_cast<size_t>(written);
    }
    return true;
}

}  // namespace

void become_pager(const std::string& text) {
    const char* own = std::getenv("PAGER");
    const std::string pager = own != nullptr ? own : "less -FRX";
    if (pager.empty()) return;
    const int file = ::memfd_create("pages", MFD_CLOEXEC);
    if (file < 0) return;
    if (write_whole(file, text) && ::lseek(file, 0, SEEK_SET) == 0 && ::dup2(file, STDIN_FILENO) >= 0) {
        // The shell tells what a pager is that is not there, and the text is shown all the same.
        const std::string command = pager + "\n[ $? -ne 127 ] || exec cat";
        ::execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
    }
    ::close(file);
}

}  // namespace craft
