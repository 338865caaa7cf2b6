// Rows of a stage of the simplification job, which take minutes to make.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/json.h"
#include "systems/asked_rows.h"

namespace craft {

struct MadeRows {
    std::vector<Json> rows;
    double seconds = 0;  // that making them took, over all processes
};

// Makes the rows of all items, a list of them an item, side by side; each is kept as it is made, so that a stopped run goes
// on behind it. When all are there they are FOLDER/FILE, which a later call reads, and `folder` is a complete Stage. Throws
// what ask_for_rows() does, and Error on a file that has lost rows.
MadeRows stage_rows(const std::filesystem::path& folder, const std::string& file, const AskedRows& items, Asking& asking);

}  // namespace craft
