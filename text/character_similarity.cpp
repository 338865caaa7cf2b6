#include "text/character_similarity.h"

#include <bit>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "text/code_points.h"

namespace craft {

namespace {

// Where a character stands in a text: 64 places a block, blocks without it left out.
struct PlaceBlock {
    size_t block;
    uint64_t bits;
};
using Places = std::unordered_map<char32_t, std::vector<PlaceBlock>>;

Places places_of(std::u32string_view text) {
    Places places;
    for (size_t i = 0; i < text.size(); ++i) {
        auto& blocks = places[text[i]];
        if (blocks.empty() || blocks.back().block != i / 64) blocks.push_back({i / 64, 0});
        blocks.back().bits |= uint64_t{1} << (i % 64);
    }
    return places;
}

// One step of the recurrence for one more character: row = (row + (row & places)) | (row & ~places), over all blocks with
// the carry of the sum. Blocks without the character change by a carry only.
void take_character(std::vector<uint64_t>& row, const std::vector<PlaceBlock>& places) {
    uint64_t carry = 0;
    size_t block = 0;
    const auto step = [&](uint64_t bits) {
        const uint64_t before = row[block], matched = before & bits;
        const uint64_t part = before + matched, sum = part + carry;
        carry = (part < before ? 1U : 0U) | (sum < part ? 1U : 0U);
        row[block++] = sum | (before & ~bits);
    };
    for (const PlaceBlock& place : places) {
        while (carry != 0 && block < place.block) step(0);
        block = place.block;
        step(place.bits);
    }
    while (carry != 0 && block < row.size()) step(0);
}

}  // namespace

size_t common_subsequence(std::u32string_view a, std::u32string_view b) {
    size_t common = 0;
    while (!a.empty() && !b.empty() && a.front() == b.front()) {
        a.remove_prefix(1);
        b.remove_prefix(1);
        ++common;
    }
    while (!a.empty() && !b.empty() && a.back() == b.back()) {
        a.remove_suffix(1);
        b.remove_suffix(1);
        ++common;
    }
    if (a.empty() || b.empty()) return common;
    const Places places = places_of(a);
    std::vector<uint64_t> row((a.size() + 63) / 64, ~uint64_t{0});
    for (const char32_t c : b)
        if (const auto found = places.find(c); found != places.end()) take_character(row, found->second);
    // A zero is a character of the subsequence; bits beyond the text are no characters.
    if (a.size() % 64 != 0) row.back() |= ~uint64_t{0} << (a.size() % 64);
    for (const uint64_t bits : row) common += static_cast<size_t>(std::popcount(~bits));
    return common;
}

double indel_similarity(std::string_view a, std::string_view b) {
    const std::u32string first = decode_utf8(a), second = decode_utf8(b);
    const size_t both = first.size() + second.size();
    if (both == 0) return 1;
    // distance = both - 2 common
    return static_cast<double>(2 * common_subsequence(first, second)) / static_cast<double>(both);
}

}  // namespace craft
