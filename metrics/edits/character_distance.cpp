#include "metrics/edits/character_distance.h"

#include <algorithm>
#include <bit>
#include <unordered_map>
#include <vector>

#include "core/error.h"
#include "text/character_similarity.h"

namespace craft {

namespace {

constexpr size_t kBits = 64;

// For every code point of a word, the places at which it stands.
class Occurrences {
public:
    explicit Occurrences(std::u32string_view word) : words_((word.size() + kBits - 1) / kBits), none_(words_, 0) {
        for (size_t i = 0; i < word.size(); ++i) {
            auto& places = places_.try_emplace(word[i], words_, 0).first->second;
            places[i / kBits] |= uint64_t{1} << (i % kBits);
        }
    }
    const std::vector<uint64_t>& of(char32_t c) const {
        const auto found = places_.find(c);
        return found == places_.end() ? none_ : found->second;
    }
    size_t words() const { return words_; }

private:
    size_t words_;
    std::vector<uint64_t> none_;
    std::unordered_map<char32_t, std::vector<uint64_t>> places_;
};

// Leaves out what both have at the start and at the end, which no distance hangs on, and gives its length.
size_t strip_common_ends(std::u32string_view& a, std::u32string_view& b) {
    size_t front = 0, back = 0;
    const size_t most = std::min(a.size(), b.size());
    while (front < most && a[front] == b[front]) ++front;
    while (back < most - front && a[a.size() - 1 - back] == b[b.size() - 1 - back]) ++back;
    a = a.substr(front, a.size() - front - back);
    b = b.substr(front, b.size() - front - back);
    return front + back;
}

void check_size(std::u32string_view a, std::u32string_view b) {
    if (a.empty() || static_cast<int64_t>(b.size()) <= kMaxCharacterCells / static_cast<int64_t>(a.size())) return;
    throw Error("token", "tokens that differ in fewer characters",
                std::to_string(a.size()) + " and " + std::to_string(b.size()) + " of them");
}

size_t short_common_subsequence(std::u32string_view a, std::u32string_view b) {
    uint64_t row = ~uint64_t{0};  // a zero where the subsequence grows by one
    for (const char32_t c : b) {
        uint64_t places = 0;
        for (size_t i = 0; i < a.size(); ++i) places |= uint64_t{a[i] == c} << i;
        const uint64_t used = row & places;
        row = (row + used) | (row - used);
    }
    if (a.size() < kBits) row |= ~uint64_t{0} << a.size();
    return static_cast<size_t>(std::popcount(~row));
}

// Most tokens are short enough for one word of bits.
size_t checked_common_subsequence(std::u32string_view a, std::u32string_view b) {
    const size_t common = std::min(a.size(), b.size()) > kBits ? strip_common_ends(a, b) : 0;
    check_size(a, b);
    if (a.size() > b.size()) std::swap(a, b);
    return common + (a.size() <= kBits ? short_common_subsequence(a, b) : common_subsequence(a, b));
}

size_t levenshtein(std::u32string_view a, std::u32string_view b) {
    strip_common_ends(a, b);
    check_size(a, b);
    if (a.size() > b.size()) std::swap(a, b);
    if (a.empty() || b.empty()) return std::max(a.size(), b.size());
    const Occurrences occurrences(a);
    const size_t words = occurrences.words();
    // Where a column's cells are one more, and one less, than the cell above.
    std::vector<uint64_t> more(words, ~uint64_t{0}), less(words, 0);
    const uint64_t last = uint64_t{1} << ((a.size() - 1) % kBits);
    size_t distance = a.size();
    for (const char32_t c : b) {
        const auto& places = occurrences.of(c);
        uint64_t more_in = 1, less_in = 0;  // along the top row each cell is one more than the one before
        for (size_t w = 0; w < words; ++w) {
            const uint64_t match = places[w] | less_in;
            const uint64_t diagonal = (((match & more[w]) + more[w]) ^ more[w]) | match | less[w];
            uint64_t row_more = less[w] | ~(diagonal | more[w]);
            uint64_t row_less = more[w] & diagonal;
            if (w + 1 == words) {
                if (row_more & last) ++distance;
                if (row_less & last) --distance;
            }
            const uint64_t more_out = row_more >> (kBits - 1), less_out = row_less >> (kBits - 1);
            row_more = (row_more << 1) | more_in;
            row_less = (row_less << 1) | less_in;
            more[w] = row_less | ~(diagonal | row_more);
            less[w] = row_more & diagonal;
            more_in = more_out;
            less_in = less_out;
        }
    }
    return distance;
}

}  // namespace

double normalized_indel_distance(std::u32string_view a, std::u32string_view b) {
    const size_t length = a.size() + b.size();
    if (length == 0) return 0;
    return static_cast<double>(length - 2 * checked_common_subsequence(a, b)) / static_cast<double>(length);
}

double levenshtein_similarity(std::u32string_view a, std::u32string_view b) {
    const size_t length = std::max(a.size(), b.size());
    return length == 0 ? 1.0 : 1.0 - static_cast<double>(levenshtein(a, b)) / static_cast<double>(length);
}

}  // namespace craft
