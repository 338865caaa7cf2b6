// Where the entries of a ZIP archive lie that are stored as they are: what torch.save() writes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace craft {

struct ZipEntry {
    uint64_t begin = 0, end = 0;  // its bytes in the archive
};

// `bytes` are all of a file's, whatever they are. Before they are believed, they are checked: the directory at the end,
// ZIP64 or not, ranges inside the file, without overlaps, each name once. Throws Error naming `file`, and the entry where
// one is to blame: compressed or encrypted ones are refused.
std::map<std::string, ZipEntry> parse_stored_zip(std::string_view bytes, const std::string& file);

}  // namespace craft
