#include "core/spool.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/error.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void throw_spool_error(const fs::path& folder) {
    throw Error(folder.string(), "a folder with room for partial results", std::strerror(errno));
}

}  // namespace

Spool::Spool(fs::path folder, size_t memory) : folder_(std::move(folder)), memory_(memory) {}

Spool::~Spool() {
    if (fd_ >= 0) ::close(fd_);
}

void Spool::write(std::string_view text) {
    text_ += text;
    if (text_.size() > memory_) spill();
}

void Spool::spill() {
    if (fd_ < 0) {
        std::string name = (folder_ / ".craft-train-rows-XXXXXX").string();
        fd_ = ::mkostemp(name.data(), O_CLOEXEC);
        if (fd_ < 0) throw_spool_error(folder_);
        ::unlink(name.c_str());
    }
    for (std::string_view rest = text_; !rest.empty();) {
        const ssize_t count = ::write(fd_, rest.data(), rest.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw_spool_error(folder_);
        rest.remove_prefix(static_cast<size_t>(count));
    }
    text_.clear();
}

void Spool::copy_to(OutputFile& file) {
    if (fd_ >= 0) {
        std::string block(size_t{1} << 20, '\0');
        for (off_t at = 0;;) {
            const ssize_t count = ::pread(fd_, block.data(), block.size(), at);
            if (count < 0 && errno == EINTR) continue;
            if (count < 0) throw_spool_error(folder_);
            if (count == 0) break;
            file.write(std::string_view(block).substr(0, static_cast<size_t>(count)));
            at += count;
        }
    }
    file.write(text_);
}

fs::path spool_folder(const std::string& output) {
    std::error_code code;
    if (output == "-" || fs::is_other(output, code)) return fs::temp_directory_path();
    // Where a link leads: /dev/stdout may be a file.
    const fs::path folder = fs::weakly_canonical(output, code).parent_path();
    return code || folder.empty() ? fs::path(".") : folder;
}

}  // namespace craft
