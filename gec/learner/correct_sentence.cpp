#include "gec/learner/correct_sentence.h"

#include <algorithm>
#include <cctype>

#include "text/utf8.h"

namespace craft {

bool CorrectSentence::is_whole_word(size_t token) const {
    if (token >= size()) return false;
    const EnglishToken& one = (*this)[token];
    const bool blank_before = token == 0 || (*this)[token - 1].space_after;
    const bool ends = one.space_after || token + 1 == size() || (*this)[token + 1].pos == "PUNCT";
    const bool of_letters =
        std::all_of(one.text.begin(), one.text.end(), [](unsigned char c) { return std::isalpha(c) != 0; });
    return blank_before && ends && of_letters && !is_lower(token + 1, {"-"});
}

size_t CorrectSentence::final_marks() const {
    size_t at = size();
    while (at > 0 && (*this)[at - 1].pos == "PUNCT") --at;
    return at;
}

LearnerError CorrectSentence::error(TextReplacement change, size_t first, size_t last) const {
    LearnerError made;
    made.begin = change.begin;
    made.end = change.end;
    made.written = std::move(change.to);
    made.first = first == 0 ? 0 : first - 1;
    made.last = std::min(last + 1, size() - 1);
    return made;
}

LearnerError CorrectSentence::instead_of(size_t first, size_t last, std::string written) const {
    // Elsewhere the capital of a word may be the very thing that is written otherwise.
    if (first == 0 && has_capital(0)) written = uppercase_first(written);
    return error({begin_of(first), end_of(last), std::move(written)}, first, last);
}

LearnerError CorrectSentence::without(size_t token) const {
    return error(removed(token, token + 1), token, std::max<size_t>(token, 1));
}

LearnerError CorrectSentence::put_in_before(size_t token, std::string_view word) const {
    return error(inserted_before(token, std::string(word)), token, token);
}

LearnerError CorrectSentence::put_in_after(size_t token, std::string_view mark) const {
    return error({end_of(token), end_of(token), std::string(mark)}, token, token);
}

}  // namespace craft
