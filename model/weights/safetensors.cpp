#include "model/weights/safetensors.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <torch/types.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>

#include "core/error.h"
#include "core/json.h"

namespace craft {

namespace {

constexpr uint64_t kLongestHeader = 100'000'000;  // the limit of the reference implementation

const std::vector<std::pair<std::string, at::ScalarType>>& dtype_names() {
    static const std::vector<std::pair<std::string, at::ScalarType>> names = {
        {"F64", at::kDouble}, {"F32", at::kFloat}, {"BF16", at::kBFloat16}, {"F16", at::kHalf}, {"I64", at::kLong},
        {"I32", at::kInt},    {"I16", at::kShort}, {"I8", at::kChar},       {"U8", at::kByte},  {"BOOL", at::kBool}};
    return names;
}

std::shared_ptr<char> map_file(const std::filesystem::path& path, uint64_t& size) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe is refused, not waited for
    if (fd < 0) throw Error(path.string() + ": cannot read: " + std::strerror(errno));
    struct stat status {};
    void* bytes = MAP_FAILED;
    if (::fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size >= 8)
        bytes = ::mmap(nullptr, static_cast<size_t>(status.st_size), PROT_READ, MAP_PRIVATE | MAP_NORESERVE, fd, 0);
    const int reason = errno;
    ::close(fd);
    if (!S_ISREG(status.st_mode)) throw Error(path.string(), "a safetensors file", "something that is not a file");
    if (status.st_size < 8)
        throw Error(path.string(), "a safetensors file", std::to_string(status.st_size) + " bytes", "the file is truncated");
    if (bytes == MAP_FAILED) throw Error(path.string() + ": cannot map: " + std::strerror(reason));
    size = static_cast<uint64_t>(status.st_size);
    const auto length = static_cast<size_t>(size);
    return {static_cast<char*>(bytes), [length](char* p) { ::munmap(p, length); }};
}

uint64_t page_size() {
    static const auto size = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
    return size;
}

// Bytes [begin, end) of a mapped file may be written to and, as far as memory suffices, are in it afterwards. Left to their
// first use, they would come in the order of that use, and a disk's error as a signal.
void own_pages(const std::filesystem::path& path, char* map, uint64_t begin, uint64_t end) {
    constexpr uint64_t kPart = 64 << 20;  // the disk reads one ahead
    const uint64_t start = begin / page_size() * page_size();
    if (start < end && ::mprotect(map + start, end - start, PROT_READ | PROT_WRITE) != 0)
        throw Error(path.string() + ": cannot map: " + std::strerror(errno));
    const auto advise = [&](uint64_t from, int advice) {
        return from < end ? ::madvise(map + from, std::min(kPart, end - from), advice) : 0;
    };
    advise(start, MADV_WILLNEED);
    for (uint64_t from = start; from < end; from += kPart) {
        advise(from + kPart, MADV_WILLNEED);
        // EFAULT: the first use would end in SIGBUS. Other errors: a system that does not know this advice, or has no memory
        // for it now; the pages then come with their first use.
        if (advise(from, MADV_POPULATE_READ) != 0 && errno == EFAULT)
            throw Error(path.string(), "all its bytes", "some that cannot be read",
                        "the disk fails, or the file became shorter");
    }
}

uint64_t little_endian(const char* bytes) {
    uint64_t value = 0;
    for (int i = 7; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
}

// Deeper than {"tensor": {"shape": [..]}} no header goes; what claims to would only take memory.
constexpr int kDeepestHeader = 4;

// Parses the header; a tensor named twice is an error that plain JSON parsing would hide.
nlohmann::json parse_header(const std::string& text, const std::string& where) {
    std::set<std::string> seen;
    std::string twice;
    const auto watch = [&](int depth, nlohmann::json::parse_event_t event, nlohmann::json& value) {
        if (depth > kDeepestHeader) throw Error(where, "tensors with dtype, shape and data_offsets", "JSON nested deeper");
        if (event == nlohmann::json::parse_event_t::key && depth == 1 && !seen.insert(value.get<std::string>()).second)
            twice = value.get<std::string>();
        return true;
    };
    nlohmann::json header = nlohmann::json::parse(text, watch, false);
    if (header.is_discarded() || !header.is_object()) throw Error(where, "a JSON object as header", "something else");
    if (!twice.empty()) throw Error(where, "each tensor once", "'" + twice + "' twice");
    return header;
}

}  // namespace

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path) : path_(path) {
    uint64_t size = 0;
    map_ = map_file(path, size);
    const uint64_t header = little_endian(map_.get());
    if (header > kLongestHeader || header > size - 8)
        throw Error(path.string(), "a header inside the file's " + std::to_string(size) + " bytes",
                    "a header length of " + std::to_string(header), "the file is truncated or not safetensors");
    data_offset_ = 8 + header;
    read_header(std::string(map_.get() + 8, header));
    check_ranges(size - data_offset_);
}

void SafetensorsFile::read_header(const std::string& text) {
    const nlohmann::json header = parse_header(text, path_.string());
    for (const auto& [name, value] : header.items()) {
        const std::string where = path_.string() + ": tensor '" + name + "'";
        if (name == "__metadata__") {
            if (!value.is_object()) throw Error(path_.string(), "__metadata__ as an object", value.type_name());
            for (const auto& [key, text_value] : value.items())
                if (text_value.is_string()) metadata_[key] = text_value.get<std::string>();
            continue;
        }
        const auto is_sizes = [](const nlohmann::json& list) {
            return list.is_array() && std::all_of(list.begin(), list.end(), [](const nlohmann::json& n) {
                       return n.is_number_unsigned() && n.get<uint64_t>() <= uint64_t{1} << 62;
                   });
        };
        if (!value.is_object() || !value.contains("dtype") || !value["dtype"].is_string() || !value.contains("shape") ||
            !is_sizes(value["shape"]) || !value.contains("data_offsets") || !is_sizes(value["data_offsets"]) ||
            value["data_offsets"].size() != 2)
            throw Error(where, "dtype, shape and data_offsets", "a header entry without them");
        Entry entry;
        const auto dtype_name = value["dtype"].get<std::string>();
        const auto& known = dtype_names();
        const auto found =
            std::find_if(known.begin(), known.end(), [&](const auto& pair) { return pair.first == dtype_name; });
        if (found == known.end()) throw Error(where, "a known dtype (F32, BF16, F16, ...)", dtype_name);
        entry.dtype = found->second;
        entry.shape = value["shape"].get<std::vector<int64_t>>();
        entry.begin = value["data_offsets"][0].get<uint64_t>();
        entry.end = value["data_offsets"][1].get<uint64_t>();
        uint64_t bytes = at::elementSize(entry.dtype);
        for (const int64_t n : entry.shape)
            if (__builtin_mul_overflow(bytes, static_cast<uint64_t>(n), &bytes))
                throw Error(where, "a shape that fits memory", "an overflow");
        if (entry.end < entry.begin || entry.end - entry.begin != bytes)
            throw Error(where, std::to_string(bytes) + " bytes for its shape",
                        "offsets " + std::to_string(entry.begin) + " to " + std::to_string(entry.end));
        entries_[name] = std::move(entry);
    }
}

void SafetensorsFile::check_ranges(uint64_t data_bytes) const {
    std::vector<std::pair<std::pair<uint64_t, uint64_t>, std::string>> ranges;
    for (const auto& [name, entry] : entries_) ranges.push_back({{entry.begin, entry.end}, name});
    std::sort(ranges.begin(), ranges.end());
    uint64_t next = 0;
    for (const auto& [range, name] : ranges) {
        if (range.first != next)
            throw Error(path_.string() + ": tensor '" + name + "'", "to begin at byte " + std::to_string(next),
                        std::to_string(range.first), "ranges overlap or leave a hole");
        next = range.second;
    }
    if (next != data_bytes)
        throw Error(path_.string(), std::to_string(next) + " bytes of tensors", std::to_string(data_bytes),
                    next > data_bytes ? "the file is truncated" : "bytes that belong to no tensor");
}

std::vector<std::string> SafetensorsFile::names() const {
    std::vector<std::string> all;
    for (const auto& [name, entry] : entries_) all.push_back(name);
    return all;
}

const SafetensorsFile::Entry& SafetensorsFile::entry(const std::string& name) const {
    const auto found = entries_.find(name);
    if (found == entries_.end()) throw Error(path_.string(), "a tensor '" + name + "'", "none of that name");
    return found->second;
}

at::Tensor SafetensorsFile::tensor(const std::string& name) const {
    const Entry& e = entry(name);
    at::Tensor copy = at::empty(e.shape, at::TensorOptions().dtype(e.dtype));
    if (e.end > e.begin) std::memcpy(copy.data_ptr(), map_.get() + data_offset_ + e.begin, e.end - e.begin);
    return copy;
}

at::Tensor SafetensorsFile::view(const std::string& name) const {
    const Entry& e = entry(name);
    char* const bytes = map_.get() + data_offset_ + e.begin;
    // Foreign headers may have any length: numbers that do not lie at a multiple of their size are copied.
    if ((data_offset_ + e.begin) % at::elementSize(e.dtype) != 0) return tensor(name);
    return at::from_blob(bytes, e.shape, at::TensorOptions().dtype(e.dtype));
}

bool SafetensorsFile::are_neighbours(const std::vector<std::string>& names) const {
    const Entry& first = entry(names.front());
    uint64_t end = first.begin;
    for (const std::string& name : names) {
        const Entry& e = entry(name);
        if (e.begin != end || e.dtype != first.dtype) return false;
        end = e.end;
    }
    return (data_offset_ + first.begin) % at::elementSize(first.dtype) == 0;
}

at::Tensor SafetensorsFile::mapped(const std::vector<std::string>& names) const {
    const Entry& first = entry(names.front());
    const uint64_t begin = data_offset_ + first.begin, end = data_offset_ + entry(names.back()).end;
    own_pages(path_, map_.get(), begin, end);
    const auto numbers = static_cast<int64_t>((end - begin) / at::elementSize(first.dtype));
    return at::from_blob(
        map_.get() + begin, {numbers}, [map = map_](void*) {}, at::TensorOptions().dtype(first.dtype));
}

void SafetensorsFile::will_need(const std::string& name) const {
    const Entry& e = entry(name);
    const uint64_t begin = (data_offset_ + e.begin) / page_size() * page_size(), end = data_offset_ + e.end;
    ::madvise(map_.get() + begin, end - begin,
              MADV_WILLNEED);  // advice: where it is not taken, pages come when they are read
}

void SafetensorsFile::release(const std::string& name) const {
    const Entry& e = entry(name);
    // Whole pages alone: the others hold parts of neighbours, which may be in use.
    const uint64_t begin = (data_offset_ + e.begin + page_size() - 1) / page_size() * page_size();
    const uint64_t end = (data_offset_ + e.end) / page_size() * page_size();
    if (end > begin) ::madvise(map_.get() + begin, end - begin, MADV_DONTNEED);
}

std::string safetensors_dtype_name(at::ScalarType dtype) {
    for (const auto& [text, known] : dtype_names())
        if (known == dtype) return text;
    return "";
}

}  // namespace craft
