// The records of a file, a store, a cache of answers, a folder of trees or a run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "view/records.h"

namespace craft {

// A file or folder that holds records of one kind, mostly.
struct RecordPlace {
    std::filesystem::path path;
    std::string name;  // as it stands in the run; the path itself where it is all that was asked for
};

// What there is at `path`: itself, or what a run (or any other folder) holds, in the order of the names in which round-10
// comes after round-9. Files of figures and of things half done are left out. Throws Error where nothing is there, and on a
// folder without records.
std::vector<RecordPlace> record_places(const std::filesystem::path& path);

// Calls take(record, where) until it returns false. A store that is still being written is read as far as it is sealed.
// Throws Error naming file and line on what cannot be read (with lines.skip_bad bad lines are counted and reported).
using TakeRecord = std::function<bool(const Json& record, const std::string& where)>;
void for_each_record(const std::filesystem::path& place, const JsonLinesOptions& lines, const TakeRecord& take);

}  // namespace craft
