#include "model/generate/stop_strings.h"

#include <algorithm>

namespace craft {

StopStrings::StopStrings(std::vector<std::string> strings) : strings_(std::move(strings)) {
    for (const std::string& s : strings_) longest_ = std::max(longest_, s.size());
}

size_t StopStrings::first_in(const std::string& text) const {
    size_t first = std::string::npos;
    for (const std::string& s : strings_) first = std::min(first, text.find(s));
    return first;
}

bool StopStrings::ends_in(const std::vector<int64_t>& tokens, const Tokenizer& tokenizer) const {
    // A string that the last token completes lies within the last `needed` bytes. Most tokens give a byte or more; special
    // ones give none, so the tail grows until it is long enough or everything. Four bytes to spare: some tokenizers drop a
    // blank at the front of what they decode, and the tail may begin inside a character.
    const size_t needed = longest_ + tokenizer.decode({tokens.back()}, false).size() + 4;
    for (size_t count = longest_ + 4;; count *= 2) {
        count = std::min(count, tokens.size());
        const std::string text = tokenizer.decode({tokens.end() - static_cast<std::ptrdiff_t>(count), tokens.end()}, false);
        if (first_in(text) != std::string::npos) return true;
        if (count == tokens.size() || text.size() >= needed) return false;
    }
}

std::string StopStrings::cut(const std::string& text) const {
    return text.substr(0, first_in(text));
}

}  // namespace craft
