// Files that may be compressed by gzip, as packages of PyPI carry their tables.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace craft {

// What gzip packed, of all members; bytes that do not begin as gzip's do are given back as they are. Throws Error naming
// `where` on damage, and on more than `most` bytes, which a small file may stand for.
std::string decompressed(std::string_view bytes, size_t most, const std::string& where);
// The same of a file. Throws Error naming the file and how to get it where it is missing.
std::string read_compressed_file(const std::filesystem::path& file, size_t most);

}  // namespace craft
