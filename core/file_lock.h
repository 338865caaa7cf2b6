// A file that one process at a time holds. The lock goes with the process, however it ends.
#pragma once

#include <sys/types.h>

#include <filesystem>

namespace craft {

class FileLock {
public:
    // Makes the file where there is none, with these permissions. Throws Error with the system's reason where it cannot be
    // opened or locked, and where it is a link.
    explicit FileLock(std::filesystem::path file, mode_t permissions = 0666);
    ~FileLock();
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;
    bool is_held() const { return is_held_; }  // false: another process, or another object of this one, has it

private:
    std::filesystem::path file_;
    int fd_ = -1;
    bool is_held_ = false;
};

}  // namespace craft
