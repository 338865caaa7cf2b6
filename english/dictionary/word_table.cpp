#include "english/dictionary/word_table.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace craft {

size_t WordTable::slot(std::string_view word) const {
    const size_t mask = slots_.size() - 1;
    size_t at = std::hash<std::string_view>()(word) & mask;
    while (slots_[at].length != 0 && this->word(slots_[at]) != word) at = (at + 1) & mask;
    return at;
}

void WordTable::grow() {
    std::vector<Slot> old(std::max<size_t>(slots_.size() * 2, 64));
    old.swap(slots_);
    for (const Slot& entry : old)
        if (entry.length != 0) slots_[slot(word(entry))] = entry;
}

void WordTable::add(std::string_view word, uint16_t value) {
    if (word.empty() || word.size() > std::numeric_limits<uint16_t>::max() ||
        text_.size() + word.size() > std::numeric_limits<uint32_t>::max())
        return;
    if ((count_ + 1) * 3 > slots_.size() * 2) grow();
    Slot& entry = slots_[slot(word)];
    if (entry.length != 0) {
        entry.value = std::min(entry.value, value);
        return;
    }
    entry = {static_cast<uint32_t>(text_.size()), static_cast<uint16_t>(word.size()), value};
    text_ += word;
    ++count_;
}

std::optional<uint16_t> WordTable::find(std::string_view word) const {
    if (word.empty() || slots_.empty()) return std::nullopt;
    const Slot& entry = slots_[slot(word)];
    if (entry.length == 0) return std::nullopt;
    return entry.value;
}

}  // namespace craft
