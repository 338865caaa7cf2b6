#include "core/new_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "core/error.h"
#include "core/files.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

std::string place_of(int descriptor) {
    return "/proc/self/fd/" + std::to_string(descriptor);
}

int open_without_name(const fs::path& path) {
    const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
    const int descriptor = ::open(folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
    if (descriptor < 0 || ::access(place_of(descriptor).c_str(), F_OK) == 0) return descriptor;
    ::close(descriptor);  // without /proc it could not be given a name
    return -1;
}

bool has_name(int descriptor) {
    struct stat info {};
    return ::fstat(descriptor, &info) == 0 && info.st_nlink > 0;
}

// What an interrupted process left under the name is removed first.
bool give_name(int descriptor, const fs::path& name) {
    const std::string place = place_of(descriptor);
    const auto link = [&] { return ::linkat(AT_FDCWD, place.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0; };
    return link() || (errno == EEXIST && ::unlink(name.c_str()) == 0 && link());
}

}  // namespace

int open_new_file(const fs::path& path) {
    const int descriptor = open_without_name(path);
    return descriptor >= 0 ? descriptor : create_new_file(temporary_name(path));
}

void publish_new_file(int descriptor, const fs::path& path) {
    const fs::path name = temporary_name(path);  // a link cannot take the place of a file, a rename can
    if (!has_name(descriptor) && !give_name(descriptor, name))
        throw Error(path.string() + ": cannot write: " + std::strerror(errno));
    publish_file(name, path);
}

void discard_new_file(int descriptor, const fs::path& path) {
    if (has_name(descriptor)) ::unlink(temporary_name(path).c_str());
    ::close(descriptor);
}

}  // namespace craft
