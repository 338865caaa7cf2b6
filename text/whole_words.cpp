#include "text/whole_words.h"

#include <algorithm>

#include "text/code_points.h"

namespace craft {

namespace {

// Whether two neighbours belong to one word or number.
bool are_one_word(char32_t left, char32_t right) {
    return (is_letter(left) && is_letter(right)) || (is_decimal_digit(left) && is_decimal_digit(right));
}

// Whether a word may begin or end between the byte before `at` and the one there.
bool is_edge(std::string_view text, size_t at) {
    return at == 0 || at == text.size() || !are_one_word(code_point_before(text, at).value, code_point_at(text, at).value);
}

}  // namespace

WholeParts::WholeParts(const std::vector<std::string>& parts) : count_(parts.size()) {
    for (size_t i = 0; i < parts.size(); ++i)
        if (!parts[i].empty()) sorted_.push_back({parts[i], i});
    std::stable_sort(sorted_.begin(), sorted_.end(), [](const Part& a, const Part& b) { return a.text < b.text; });
    sorted_.erase(std::unique(sorted_.begin(), sorted_.end(), [](const Part& a, const Part& b) { return a.text == b.text; }),
                  sorted_.end());
    for (size_t i = 0; i < sorted_.size(); ++i) {
        Range& range = by_first_[static_cast<unsigned char>(sorted_[i].text[0])];
        if (range.end == 0) range.begin = i;
        range.end = i + 1;
    }
}

// Calls found(index, length) for the parts that stand whole at this place, the shortest first. The parts that agree with the
// text so far are a range of the sorted ones, which each byte narrows.
template <typename Found>
void WholeParts::for_each_at(std::string_view text, size_t at, Found found) const {
    Range range = by_first_[static_cast<unsigned char>(text[at])];
    for (size_t length = 1; range.begin < range.end; ++length) {
        if (sorted_[range.begin].text.size() == length) {
            if (is_edge(text, at + length)) found(sorted_[range.begin].index, length);
            ++range.begin;
        }
        if (at + length == text.size() || range.begin == range.end) return;
        const auto byte_of = [length](const Part& part) { return static_cast<unsigned char>(part.text[length]); };
        const auto next = static_cast<unsigned char>(text[at + length]);
        const auto begin = sorted_.begin() + static_cast<std::ptrdiff_t>(range.begin);
        const auto end = sorted_.begin() + static_cast<std::ptrdiff_t>(range.end);
        const auto first = std::partition_point(begin, end, [&](const Part& part) { return byte_of(part) < next; });
        const auto last = std::partition_point(first, end, [&](const Part& part) { return byte_of(part) == next; });
        range = {static_cast<size_t>(first - sorted_.begin()), static_cast<size_t>(last - sorted_.begin())};
    }
}

std::vector<int64_t> WholeParts::count(std::string_view text) const {
    std::vector<int64_t> counts(count_, 0);
    for (size_t at = 0; at < text.size();) {
        size_t index = 0, longest = 0;
        if (is_edge(text, at))
            for_each_at(text, at, [&](size_t part, size_t length) {
                index = part;
                longest = length;
            });
        if (longest > 0) ++counts[index];
        at += longest > 0 ? longest : code_point_at(text, at).bytes;
    }
    return counts;
}

std::vector<bool> WholeParts::present(std::string_view text) const {
    std::vector<bool> there(count_, false);
    for (size_t at = 0; at < text.size(); at += code_point_at(text, at).bytes)
        if (is_edge(text, at)) for_each_at(text, at, [&](size_t part, size_t) { there[part] = true; });
    return there;
}

}  // namespace craft
