// A number for each of many words, in little memory: the words' bytes in one piece, and a table of places in it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace craft {

class WordTable {
public:
    // A word that is there already keeps the smaller number. Words of more than 65,535 bytes are left out, as empty ones
    // are.
    void add(std::string_view word, uint16_t value);
    std::optional<uint16_t> find(std::string_view word) const;
    size_t size() const { return count_; }

private:
    struct Slot {
        uint32_t at = 0;
        uint16_t length = 0;  // 0: free
        uint16_t value = 0;
    };
    // Of the word, or the free one where it belongs.
    size_t slot(std::string_view word) const;
    void grow();
    std::string_view word(const Slot& slot) const { return std::string_view(text_).substr(slot.at, slot.length); }

    std::string text_;
    std::vector<Slot> slots_;  // as many as a power of two
    size_t count_ = 0;
};

}  // namespace craft
