// Strings that end a sequence.
#pragma once

#include <string>
#include <vector>

#include "model/tokenizer/tokenizer.h"

namespace craft {

class StopStrings {
public:
    explicit StopStrings(std::vector<std::string> strings);
    bool empty() const { return strings_.empty(); }
    // Whether the text of the last tokens holds a stop string. Only as many are decoded as can matter, so that a check a
    // token costs the same all along a sequence.
    bool ends_in(const std::vector<int64_t>& tokens, const Tokenizer& tokenizer) const;
    // The text before the first stop string in it.
    std::string cut(const std::string& text) const;

private:
    size_t first_in(const std::string& text) const;
    std::vector<std::string> strings_;
    size_t longest_ = 0;
};

}  // namespace craft
