// Ids of rows: none twice, none unknown.
#pragma once

#include <map>
#include <string>

namespace craft {

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
