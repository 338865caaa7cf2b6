#include "core/file_hash.h"

#include <sys/stat.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <vector>

#include "core/error.h"
#include "core/files.h"
#include "core/model_cache.h"
#include "core/signals.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

constexpr off_t kWorthARecord = off_t{1} << 20;            // bytes
constexpr size_t kBlocksBetweenLooks = 256;                // 16 MiB: what is read at once is read to its end
constexpr int64_t kSettledAfter = int64_t{2'000'000'000};  // ns; FAT's clock has the longest ticks

std::string hash_as_text(uint64_t hash) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "xxh64:%016llx", static_cast<unsigned long long>(hash));
    return text.data();
}

std::string read_and_hash(const fs::path& path) {
    const std::unique_ptr<XXH64_state_t, decltype(&XXH64_freeState)> state(XXH64_createState(), &XXH64_freeState);
    XXH64_reset(state.get(), 0);
    std::ifstream in(path, std::ios::binary);
    if (!in) {
        const std::string reason = std::strerror(errno), hint = download_hint(path);
        throw Error(path.string() + ": cannot read: " + reason + (hint.empty() ? "" : " (" + hint + ")"));
    }
    std::array<char, 1 << 16> block{};
    for (size_t blocks = 1; in.read(block.data(), block.size()) || in.gcount() > 0; ++blocks) {
        if (blocks % kBlocksBetweenLooks == 0) throw_if_stopped();
        XXH64_update(state.get(), block.data(), static_cast<size_t>(in.gcount()));
    }
    if (in.bad()) throw Error(path.string() + ": cannot read: " + std::strerror(errno));
    return hash_as_text(XXH64_digest(state.get()));
}

std::vector<fs::path> files_under(const fs::path& folder, const fs::path& without) {
    std::vector<fs::path> files;
    std::error_code code;
    for (auto entry = fs::recursive_directory_iterator(folder); entry != fs::recursive_directory_iterator(); ++entry) {
        if (entry->is_regular_file()) files.push_back(entry->path());
        if (entry->is_directory() && !without.empty() && fs::equivalent(entry->path(), without, code))
            entry.disable_recursion_pending();
    }
    std::sort(files.begin(), files.end());
    return files;
}

int64_t in_nanoseconds(const timespec& time) {
    return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

int64_t wall_clock() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// What a file that was changed does not share with itself as it was; null where there is none worth a record.
Json state_of(const fs::path& path) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode) || info.st_size < kWorthARecord) return nullptr;
    return {{"size", static_cast<uint64_t>(info.st_size)},
            {"mtime_ns", in_nanoseconds(info.st_mtim)},
            {"ctime_ns", in_nanoseconds(info.st_ctim)},
            {"inode", static_cast<uint64_t>(info.st_ino)}};
}

// Whether `record` is `state` with a hash.
bool is_record_of(const Json& record, const Json& state) {
    if (!record.is_object() || !record.contains("hash") || !record["hash"].is_string()) return false;
    Json without_hash = record;
    without_hash.erase("hash");
    return without_hash == state;
}

}  // namespace

std::string hash_text(std::string_view bytes) {
    return hash_as_text(XXH64(bytes.data(), bytes.size(), 0));
}

std::string hash128_text(std::string_view bytes) {
    const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                  static_cast<unsigned long long>(hash.low64));
    return text.data();
}

FileHashes::FileHashes(const Json& records) {
    if (records.is_object()) known_ = records;
}

std::string FileHashes::hash_of_file(const fs::path& path) {
    std::error_code code;
    const fs::path real = fs::canonical(path, code);
    const Json state = code ? Json(nullptr) : state_of(real);
    if (state.is_null()) return read_and_hash(path);
    for (const Json* records : {&met_, &known_})
        if (const auto found = records->find(real.string()); found != records->end() && is_record_of(*found, state)) {
            const std::string hash = found->at("hash");
            if (records == &known_) met_[real.string()] = *found;
            return hash;
        }
    const int64_t began = wall_clock();
    const std::string hash = read_and_hash(path);
    met_.erase(real.string());
    if (state["mtime_ns"].get<int64_t>() < began - kSettledAfter && state_of(real) == state) {
        met_[real.string()] = state;
        met_[real.string()]["hash"] = hash;
    }
    return hash;
}

std::string FileHashes::hash(const fs::path& path, const fs::path& without) {
    std::error_code code;
    if (!fs::is_directory(path, code)) return hash_of_file(path);
    std::string listing;  // names and hashes
    for (const auto& file : files_under(path, without))
        listing += fs::relative(file, path).generic_string() + '\0' + hash_of_file(file) + '\n';
    return hash_text(listing);
}

std::string file_hash(const fs::path& path, const fs::path& without) {
    return FileHashes().hash(path, without);
}

}  // namespace craft
