#include "tools/utf8_ranges.h"

#include <algorithm>
#include <string>

#include "text/code_points.h"

namespace craft {

namespace {

constexpr char32_t kLast = 0x10FFFF;

// Ascending and apart; of a complement what it leaves.
std::vector<CodePointRange> normalised(const CharacterSet& characters) {
    std::vector<CodePointRange> ranges = characters.ranges;
    std::sort(ranges.begin(), ranges.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<CodePointRange> apart;
    for (const CodePointRange& range : ranges) {
        if (!apart.empty() && range.first <= apart.back().last + 1)
            apart.back().last = std::max(apart.back().last, range.last);
        else
            apart.push_back(range);
    }
    if (!characters.is_complement) return apart;
    std::vector<CodePointRange> others;
    char32_t next = 0;
    for (const CodePointRange& range : apart) {
        if (range.first > next) others.push_back({next, range.first - 1});
        next = range.last + 1;
    }
    if (next <= kLast) others.push_back({next, kLast});
    return others;
}

// A range whose first and last characters have as many bytes. It is cut until all combinations of the bytes between those of
// its first and its last character belong to it: where a leading part differs, what follows must be all there is.
void append_ranges(CodePointRange range, std::vector<Utf8Ranges>& out) {
    std::string first, last;
    append_utf8(first, range.first);
    append_utf8(last, range.last);
    for (size_t i = 1; i < first.size(); ++i) {
        const char32_t low = (char32_t{1} << (6 * i)) - 1;  // the bits of the last i bytes
        if ((range.first & ~low) == (range.last & ~low)) continue;
        const bool is_cut_first = (range.first & low) != 0, is_cut_last = (range.last & low) != low;
        if (!is_cut_first && !is_cut_last) continue;
        const char32_t middle = is_cut_first ? range.first | low : (range.last & ~low) - 1;
        append_ranges({range.first, middle}, out);
        append_ranges({middle + 1, range.last}, out);
        return;
    }
    Utf8Ranges bytes;
    for (size_t i = 0; i < first.size(); ++i)
        bytes.push_back({static_cast<uint8_t>(first[i]), static_cast<uint8_t>(last[i])});
    out.push_back(std::move(bytes));
}

}  // namespace

std::vector<Utf8Ranges> utf8_ranges(const CharacterSet& characters) {
    // By the number of bytes; between the third and the fourth lie the surrogates.
    constexpr CodePointRange kWhole[] = {{0, 0x7F}, {0x80, 0x7FF}, {0x800, 0xD7FF}, {0xE000, 0xFFFF}, {0x10000, kLast}};
    std::vector<Utf8Ranges> out;
    for (const CodePointRange& range : normalised(characters))
        for (const CodePointRange& whole : kWhole) {
            const CodePointRange part{std::max(range.first, whole.first), std::min(range.last, whole.last)};
            if (part.first <= part.last) append_ranges(part, out);
        }
    return out;
}

}  // namespace craft
