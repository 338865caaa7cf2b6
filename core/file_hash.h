// Hashes of files, and a memory of them: a file that stayed as it was is not read again.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/json.h"

namespace craft {

// "xxh64:..." of these bytes.
std::string hash_text(std::string_view bytes);
// XXH3 of these bytes in 128 bits, as 32 hexadecimal digits: names what must not be mistaken among millions.
std::string hash128_text(std::string_view bytes);

// A record holds for a file of the same size, times and inode. Files that take no time to read have none, and neither have
// those that were written within two seconds of being read: they may have been written again in the same tick of the file
// system's clock, which no time would show. Not thread-safe.
class FileHashes {
public:
    FileHashes() = default;
    // With what records() gave, in this process or an earlier one. What is not of that form is taken for no record.
    explicit FileHashes(const Json& records);
    // As file_hash() of core/files.h.
    std::string hash(const std::filesystem::path& path, const std::filesystem::path& without = {});
    // {real path: {"size", "mtime_ns", "ctime_ns", "inode", "hash"}} of the files that hash() has met.
    const Json& records() const { return met_; }

private:
    std::string hash_of_file(const std::filesystem::path& path);
    Json known_ = Json::object(), met_ = Json::object();
};

}  // namespace craft
