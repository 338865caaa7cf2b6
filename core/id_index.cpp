#include "core/id_index.h"

#include "core/error.h"
#include "core/utf8.h"

namespace craft {

void IdIndex::add(const std::string& id, size_t row, const std::string& where) {
    if (!rows_.emplace(id, row).second) throw Error(where, "each id once", "'" + shortened(id, 80) + "' again");
}

size_t IdIndex::row_of(const std::string& id, const std::string& where) const {
    const auto found = rows_.find(id);
    if (found == rows_.end())
        throw Error(where, "an id of the items", "'" + shortened(id, 80) + "'", "do both files belong together?");
    return found->second;
}

}  // namespace craft
