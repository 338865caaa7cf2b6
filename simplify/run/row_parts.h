// Rows that take minutes to make, kept in parts: a run that is stopped loses the part that it was at.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/json.h"

namespace craft {

struct MadeRows {
    std::vector<Json> rows;
    double seconds = 0;  // that making them took, over all processes
};

// The rows of `count` items, `part` of them at a time: make(begin, end) gives those of the items [begin, end). When all are
// there they are FOLDER/FILE, which a later call reads, and `folder` is a complete Stage. `kept` is notified of this many
// items whose rows were there already. Throws what `make` throws, and Error on a file that has lost rows.
MadeRows rows_in_parts(
    const std::filesystem::path& folder, const std::string& file, size_t count, size_t part,
    const std::function<std::vector<Json>(size_t begin, size_t end)>& make,
    const std::function<void(size_t items)>& kept = [](size_t) {});

}  // namespace craft
