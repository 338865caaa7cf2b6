#include "model/tokenizer/vocabulary.h"

#include <algorithm>

#include "core/error.h"
#include "core/utf8.h"

namespace craft {

void Vocabulary::add(const std::string& spelling, int64_t id, const std::string& where) {
    if (id < 0 || id > kLargestTokenId)
        throw Error(where + ": token '" + shortened(spelling, 60) + "'",
                    "an id from 0 to " + std::to_string(kLargestTokenId), std::to_string(id));
    const auto entry = ids_.insert_or_assign(spelling, id).first;
    if (spellings_.size() <= static_cast<size_t>(id)) spellings_.resize(static_cast<size_t>(id) + 1, nullptr);
    spellings_[static_cast<size_t>(id)] = &entry->first;
    longest_ = std::max(longest_, spelling.size());
}

int64_t Vocabulary::id_of(std::string_view spelling) const {
    const auto found = ids_.find(spelling);
    return found == ids_.end() ? -1 : found->second;
}

const std::string* Vocabulary::spelling(int64_t id) const {
    return id < 0 || id >= id_limit() ? nullptr : spellings_[static_cast<size_t>(id)];
}

}  // namespace craft
