// Which ids were seen, of more rows than should be held in memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace craft {

// Keeps 128 bits of hash of each id, whatever its length: 32 to 64 bytes an id. That two ids of a file have the same is less
// likely than a fault of the machine.
class IdSet {
public:
    // Whether the id is new.
    bool insert(std::string_view id);
    bool contains(std::string_view id) const;
    size_t size() const { return size_; }

private:
    using Key = std::array<uint64_t, 2>;  // all 0: an empty slot
    static Key key_of(std::string_view id);
    size_t slot_of(const Key& key) const;
    void grow();

    std::vector<Key> slots_ = std::vector<Key>(64);
    size_t size_ = 0;
};

}  // namespace craft
