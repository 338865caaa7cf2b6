// Special tokens of a tokenizer folder and where they stand in a text.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/tokenizer.h"

namespace craft {

struct TextPart {
    std::string_view text;
    int64_t special = -1;  // the token that `text` spells; -1: plain text
};

// Cuts a text at the spellings of tokens: leftmost first, then the longest. What touches a range of `literal` is no
// spelling.
class SpecialTokens {
public:
    void add(const std::string& spelling, int64_t id) { ids_[spelling] = id; }
    std::vector<TextPart> split(std::string_view text, const std::vector<ByteRange>& literal = {}) const;
    int64_t id_of(std::string_view spelling) const;  // -1 if it is none of them
    // The spelling of a special token; nullptr for other ids.
    const std::string* spelling(int64_t id) const;

private:
    std::map<std::string, int64_t, std::less<>> ids_;
};

}  // namespace craft
