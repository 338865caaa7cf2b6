#include "core/id_set.h"

#include "core/rng.h"

namespace craft {

IdSet::Key IdSet::key_of(std::string_view id) {
    Key key{stable_hash(id, 1), stable_hash(id, 2)};
    if (key == Key{}) key[1] = 1;
    return key;
}

size_t IdSet::slot_of(const Key& key) const {
    size_t at = key[0] & (slots_.size() - 1);
    while (slots_[at] != Key{} && slots_[at] != key) at = (at + 1) & (slots_.size() - 1);
    return at;
}

void IdSet::grow() {
    std::vector<Key> old(2 * slots_.size());
    old.swap(slots_);
    for (const Key& key : old)
        if (key != Key{}) slots_[slot_of(key)] = key;
}

bool IdSet::insert(std::string_view id) {
    const Key key = key_of(id);
    const size_t at = slot_of(key);
    if (slots_[at] == key) return false;
    slots_[at] = key;
    if (2 * ++size_ > slots_.size()) grow();
    return true;
}

bool IdSet::contains(std::string_view id) const {
    const Key key = key_of(id);
    return slots_[slot_of(key)] == key;
}

}  // namespace craft
