#include "gec/edit_m2.h"

#include "gec/common_words.h"
#include "text/lists.h"
#include "text/words.h"

namespace craft {

namespace {

const char* type_of(const ChangedWords& one) {
    if (one.reordered) return "R:WO";
    if (one.a_begin == one.a_end) return "M:OTHER";
    return one.b_begin == one.b_end ? "U:OTHER" : "R:OTHER";
}

std::vector<std::string_view> views_of(const std::vector<std::string>& words) {
    return {words.begin(), words.end()};
}

// Two bars part alternatives of a correction, and three the fields of an edit.
std::string without_marks(const std::string& text) {
    std::string parted;
    for (const char c : text) {
        if (c == '|' && parted.ends_with('|')) parted += ' ';
        parted += c;
    }
    return parted;
}

}  // namespace

M2Sentence m2_of(const std::string& source, const std::string& target) {
    const std::vector<std::string> a = whitespace_words(source), b = whitespace_words(target);
    M2Sentence sentence;
    sentence.source = join(a, " ");
    for (const ChangedWords& one : changed_words(views_of(a), views_of(b))) {
        const std::vector<std::string> to(b.begin() + static_cast<std::ptrdiff_t>(one.b_begin),
                                          b.begin() + static_cast<std::ptrdiff_t>(one.b_end));
        sentence.edits.push_back({static_cast<int64_t>(one.a_begin), static_cast<int64_t>(one.a_end), type_of(one),
                                  to.empty() ? "-NONE-" : without_marks(join(to, " "))});
    }
    if (sentence.edits.empty()) sentence.edits.push_back({-1, -1, "noop", "-NONE-"});
    return sentence;
}

}  // namespace craft
