#include "text/text_replacement.h"

#include <algorithm>

#include "core/error.h"

namespace craft {

std::string with_replacement(const std::string& text, const TextReplacement& change) {
    if (change.begin > change.end || change.end > text.size())
        throw Error("a change of a text", "bytes within its " + std::to_string(text.size()),
                    std::to_string(change.begin) + " to " + std::to_string(change.end));
    std::string changed = text;
    return changed.replace(change.begin, change.end - change.begin, change.to);
}

TextReplacement replacement_between(const std::string& from, const std::string& to) {
    const auto shorter = static_cast<std::ptrdiff_t>(std::min(from.size(), to.size()));
    const std::ptrdiff_t begin = std::mismatch(from.begin(), from.begin() + shorter, to.begin()).first - from.begin();
    const std::ptrdiff_t tail =
        std::mismatch(from.rbegin(), from.rbegin() + shorter - begin, to.rbegin()).first - from.rbegin();
    return {static_cast<size_t>(begin), from.size() - static_cast<size_t>(tail), {to.begin() + begin, to.end() - tail}};
}

}  // namespace craft
