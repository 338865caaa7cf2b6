#include "text/whole_words.h"

#include "text/code_points.h"

namespace craft {

namespace {

// Whether two neighbours belong to one word or number.
bool are_one_word(char32_t left, char32_t right) {
    return (is_letter(left) && is_letter(right)) || (is_decimal_digit(left) && is_decimal_digit(right));
}

}  // namespace

int64_t count_whole(std::string_view text, std::string_view part) {
    if (part.empty()) return 0;
    const char32_t first = code_point_at(part, 0).value, last = code_point_before(part, part.size()).value;
    int64_t count = 0;
    for (size_t at = text.find(part); at != std::string_view::npos;) {
        const size_t end = at + part.size();
        const bool begins = at == 0 || !are_one_word(code_point_before(text, at).value, first);
        const bool ends = end == text.size() || !are_one_word(last, code_point_at(text, end).value);
        count += begins && ends ? 1 : 0;
        at = text.find(part, begins && ends ? end : at + 1);
    }
    return count;
}

}  // namespace craft
