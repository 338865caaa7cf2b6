#include "core/output_place.h"

#include <fcntl.h>

#include <charconv>
#include <system_error>

namespace craft {

namespace fs = std::filesystem;

namespace {

constexpr int kMaxLinks = 40;  // as the kernel's

fs::path next_link(const fs::path& path, std::error_code& code) {
    return path.parent_path() / fs::read_symlink(path, code);
}

int open_descriptor(const std::string& name) {
    int number = -1;
    const auto [end, failed] = std::from_chars(name.data(), name.data() + name.size(), number);
    const bool is_number = failed == std::errc() && end == name.data() + name.size() && number >= 0;
    return is_number && ::fcntl(number, F_GETFD) != -1 ? number : -1;
}

}  // namespace

bool is_written_directly(const std::string& output) {
    if (output == "-") return true;
    std::error_code code;
    const fs::file_status status = fs::status(output, code);
    if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status)) return true;
    return own_descriptor(output) >= 0;
}

int own_descriptor(const fs::path& path) {
    std::error_code code;
    const fs::path descriptors = fs::canonical("/proc/self/fd", code);
    if (code) return -1;
    fs::path at = path;
    for (int links = 0; links < kMaxLinks; ++links) {
        const fs::path folder = fs::canonical(at.has_parent_path() ? at.parent_path() : ".", code);
        if (code) return -1;
        if (folder == descriptors) return open_descriptor(at.filename());
        if (!fs::is_symlink(at, code)) return -1;
        at = next_link(at, code);
        if (code) return -1;
    }
    return -1;
}

fs::path link_target(fs::path path) {
    std::error_code code;
    for (int links = 0; links < kMaxLinks && fs::is_symlink(path, code); ++links) {
        const fs::path next = next_link(path, code);
        if (code) break;
        path = next;
    }
    return path;
}

}  // namespace craft
