#include "model/files/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/error.h"
#include "core/signals.h"

namespace craft {

namespace {

uint64_t page_size() {
    static const auto size = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
    return size;
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path, const std::string& kind) : path_(path) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe is refused, not waited for
    if (fd < 0) throw Error(path.string() + ": cannot read: " + std::strerror(errno));
    struct stat status {};
    void* bytes = MAP_FAILED;
    if (::fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
        bytes = ::mmap(nullptr, static_cast<size_t>(status.st_size), PROT_READ, MAP_PRIVATE | MAP_NORESERVE, fd, 0);
    const int reason = errno;
    ::close(fd);
    if (!S_ISREG(status.st_mode)) throw Error(path.string(), kind, "something that is not a file");
    if (status.st_size == 0) return;
    if (bytes == MAP_FAILED) throw Error(path.string() + ": cannot map: " + std::strerror(reason));
    size_ = static_cast<size_t>(status.st_size);
    map_ = {static_cast<char*>(bytes), [size = size_](char* p) { ::munmap(p, size); }};
}

void MappedFile::will_need(uint64_t begin, uint64_t end) const {
    const uint64_t start = begin / page_size() * page_size();
    // Advice: where it is not taken, pages come when they are read.
    ::madvise(map_.get() + start, end - start, MADV_WILLNEED);
}

void MappedFile::release(uint64_t begin, uint64_t end) const {
    // Whole pages alone: the others hold parts of neighbours, which may be in use.
    const uint64_t first = (begin + page_size() - 1) / page_size() * page_size(), last = end / page_size() * page_size();
    if (last > first) ::madvise(map_.get() + first, last - first, MADV_DONTNEED);
}

// Left to their first use, pages would come in the order of that use, and a disk's error as a signal.
std::shared_ptr<char> MappedFile::private_pages(uint64_t begin, uint64_t end) const {
    constexpr uint64_t kPart = 64 << 20;  // the disk reads one ahead
    char* const map = map_.get();
    const uint64_t start = begin / page_size() * page_size();
    if (start < end && ::mprotect(map + start, end - start, PROT_READ | PROT_WRITE) != 0)
        throw Error(path_.string() + ": cannot map: " + std::strerror(errno));
    const auto advise = [&](uint64_t from, int advice) {
        return from < end ? ::madvise(map + from, std::min(kPart, end - from), advice) : 0;
    };
    advise(start, MADV_WILLNEED);
    for (uint64_t from = start; from < end; from += kPart) {
        throw_if_stopped();
        advise(from + kPart, MADV_WILLNEED);
        // EFAULT: the first use would end in SIGBUS. Other errors: a system that does not know this advice, or has no memory
        // for it now; the pages then come with their first use.
        if (advise(from, MADV_POPULATE_READ) != 0 && errno == EFAULT)
            throw Error(path_.string(), "all its bytes", "some that cannot be read",
                        "the disk fails, or the file became shorter");
    }
    return {map_, map + begin};
}

}  // namespace craft
