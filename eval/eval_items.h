// What evaluations by id share: rows of files, shape names of gold calls, ids that stand twice or nowhere.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/json.h"
#include "tools/tool_call.h"

namespace craft {

// Calls on_row(row, "file:line") for each row; throws Error if there was none. An Error thrown by it ends the reading or,
// with skip_bad, is counted like a line that does not parse.
void for_each_row(const std::string& path, const JsonLinesOptions& options,
                  const std::function<void(const Json&, const std::string&)>& on_row);

// The shape's name; "other" for calls that have none of the 19.
std::string shape_of(const std::vector<ToolCall>& gold);

// Remembers which row each id came from.
class IdIndex {
public:
    // Throws Error(where) if the id was added before.
    void add(const std::string& id, size_t row, const std::string& where);
    // Throws Error(where) if there is no such id.
    size_t row_of(const std::string& id, const std::string& where) const;

private:
    std::map<std::string, size_t> rows_;
};

}  // namespace craft
