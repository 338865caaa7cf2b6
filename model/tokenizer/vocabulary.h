// Tokens and their ids. Inside model/tokenizer/ only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace craft {

// A larger id is refused: tables are as long as the largest one.
inline constexpr int64_t kLargestTokenId = 16'777'215;

class Vocabulary {  // moved, not copied: spellings_ points into ids_
public:
    Vocabulary() = default;
    Vocabulary(Vocabulary&&) = default;
    Vocabulary& operator=(Vocabulary&&) = default;
    // A spelling that is there already gets the new id. Throws Error naming `where` if the id is out of range.
    void add(const std::string& spelling, int64_t id, const std::string& where);
    int64_t id_of(std::string_view spelling) const;                               // -1 if it is none of them
    const std::string* spelling(int64_t id) const;                                // nullptr for ids that are none
    size_t size() const { return ids_.size(); }                                   // number of spellings
    int64_t id_limit() const { return static_cast<int64_t>(spellings_.size()); }  // largest id + 1
    size_t longest() const { return longest_; }                                   // bytes of the longest spelling

private:
    struct Hash {
        using is_transparent = void;
        size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };
    std::unordered_map<std::string, int64_t, Hash, std::equal_to<>> ids_;
    std::vector<const std::string*> spellings_;  // by id, the keys of ids_
    size_t longest_ = 0;
};

}  // namespace craft
