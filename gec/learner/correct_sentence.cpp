#include "gec/learner/correct_sentence.h"

#include <cctype>

#include "text/utf8.h"

namespace craft {

namespace {

// "The" of "The house": what comes first in its place gets a capital; of a name or "I" nothing is taken.
std::string without_capital(const EnglishToken& token) {
    const bool keeps = token.text == "I" || token.tag.starts_with("NNP") || token.entity_place != 'O';
    return keeps ? token.text : token.lower;
}

}  // namespace

CorrectSentence::CorrectSentence(std::string text, EnglishDocument document)
    : text_(std::move(text)), document_(std::move(document)), parse_(document_, 0, document_.size()) {}

bool CorrectSentence::is(size_t token, std::initializer_list<std::string_view> words) const {
    return has(token) && is_one_of(document_[token].lower, words);
}

bool CorrectSentence::tagged(size_t token, std::initializer_list<std::string_view> tags) const {
    return has(token) && is_one_of(document_[token].tag, tags);
}

bool CorrectSentence::lemma_is(size_t token, std::initializer_list<std::string_view> lemmas) const {
    return has(token) && is_one_of(document_[token].lemma, lemmas);
}

bool CorrectSentence::is_whole_word(size_t token) const {
    if (!has(token)) return false;
    const EnglishToken& one = document_[token];
    const bool blank_before = token == 0 || document_[token - 1].space_after;
    const bool ends = one.space_after || token + 1 == size() || document_[token + 1].pos == "PUNCT";
    const bool of_letters =
        std::all_of(one.text.begin(), one.text.end(), [](unsigned char c) { return std::isalpha(c) != 0; });
    return blank_before && ends && of_letters && !is(token + 1, {"-"});
}

size_t CorrectSentence::final_marks() const {
    size_t at = size();
    while (at > 0 && document_[at - 1].pos == "PUNCT") --at;
    return at;
}

LearnerError CorrectSentence::error(size_t begin, size_t end, std::string written, size_t first, size_t last) const {
    LearnerError made;
    made.begin = begin;
    made.end = end;
    made.written = std::move(written);
    made.first = first == 0 ? 0 : first - 1;
    made.last = std::min(last + 1, size() - 1);
    return made;
}

LearnerError CorrectSentence::instead_of(size_t first, size_t last, std::string written) const {
    if (first == 0 && std::isupper(static_cast<unsigned char>(text_[0])) != 0) written = uppercase_first(written);
    return error(document_[first].byte, byte_end(last), std::move(written), first, last);
}

LearnerError CorrectSentence::without(size_t token) const {
    if (token == 0 && size() > 1) return error(0, byte_end(1), uppercase_first(document_[1].text), 0, 1);
    const size_t begin = document_[token].byte, end = byte_end(token);
    // One of the two blanks around it goes, too.
    if (!document_[token - 1].space_after) return error(begin, end, "", token, token);
    if (document_[token].space_after) return error(begin, document_[token + 1].byte, "", token, token);
    return error(byte_end(token - 1), end, "", token, token);
}

LearnerError CorrectSentence::put_in_before(size_t token, std::string_view word) const {
    if (token == 0) return error(0, byte_end(0), uppercase_first(word) + " " + without_capital(document_[0]), 0, 0);
    LearnerError made = error(document_[token].byte, document_[token].byte, std::string(word) + " ", token, token);
    return made;
}

LearnerError CorrectSentence::put_in_behind(size_t token, std::string_view mark) const {
    return error(byte_end(token), byte_end(token), std::string(mark), token, token);
}

}  // namespace craft
