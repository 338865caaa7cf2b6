// What evaluations by id share: shape names of gold calls, ids that stand twice or nowhere.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/json.h"
#include "tools/craft/tool_call.h"

namespace craft {

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
