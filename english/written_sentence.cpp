#include "english/written_sentence.h"

#include <algorithm>

#include "text/code_points.h"
#include "text/utf8.h"

namespace craft {

namespace {

EnglishDocument without_spaces(const EnglishDocument& document) {
    std::vector<size_t> place(document.size(), 0);
    EnglishDocument tokens;
    for (size_t i = 0; i < document.size(); ++i) {
        place[i] = tokens.size();
        if (!document[i].is_space) tokens.push_back(document[i]);
    }
    size_t at = 0;
    for (size_t i = 0; i < document.size(); ++i) {
        if (document[i].is_space) continue;
        const size_t head = document[i].head;
        tokens[at].head = document[head].is_space ? at : place[head];
        ++at;
    }
    return tokens;
}

bool is_capital(std::string_view word) {
    return !word.empty() &&
           lowercase(word.substr(0, code_point_at(word, 0).bytes)) != word.substr(0, code_point_at(word, 0).bytes);
}

std::string small_first(std::string_view word) {
    const size_t bytes = word.empty() ? 0 : code_point_at(word, 0).bytes;
    return lowercase(word.substr(0, bytes)) + std::string(word.substr(bytes));
}

}  // namespace

WrittenSentence::WrittenSentence(std::string text, const EnglishDocument& document)
    : ParsedSentence(without_spaces(document)), text_(std::move(text)) {
    for (size_t i = 1; i < size() && !tokenised_; ++i)
        tokenised_ = is_lower(i, {",", ".", "?", "!", "n't", "'s"}) && begin_of(i) > end_of(i - 1);
}

bool WrittenSentence::is_word(size_t token) const {
    const std::u32string signs = decode_utf8((*this)[token].text);
    return !signs.empty() && is_letter(signs[0]) && std::all_of(signs.begin(), signs.end(), [](char32_t c) {
        return is_letter(c) || c == '-' || c == '\'' || c == 0x2019 || c == 0x2010 || c == 0x2011;
    });
}

bool WrittenSentence::has_capital(size_t token) const {
    return is_capital((*this)[token].text);
}

bool WrittenSentence::is_glued(size_t token) const {
    return token > 0 && begin_of(token) == end_of(token - 1);
}

std::string WrittenSentence::phrase(size_t first, size_t last) const {
    std::string words;
    for (size_t i = first; i < last; ++i) {
        if (i > first && !is_glued(i)) words += ' ';
        words += (*this)[i].lower;
    }
    return words;
}

TextReplacement WrittenSentence::replaced(size_t first, size_t last, const std::string& words) const {
    const bool keeps = has_capital(first) && (first == 0 || (*this)[first].lower != "i");
    return {begin_of(first), end_of(last - 1), keeps ? uppercase_first(words) : words};
}

TextReplacement WrittenSentence::inserted_before(size_t token, const std::string& words) const {
    const EnglishToken& next = (*this)[token];
    const bool moves = token == 0 && has_capital(0);
    if (!moves) return {next.byte, next.byte, words + " "};
    const bool stays = next.text == "I" || !next.entity.empty();
    return {next.byte, end_of(0), uppercase_first(words) + " " + (stays ? next.text : small_first(next.text))};
}

TextReplacement WrittenSentence::inserted_after(size_t token, const std::string& words) const {
    return {end_of(token), end_of(token), " " + words};
}

TextReplacement WrittenSentence::mark_after(size_t token, const std::string& mark) const {
    return {end_of(token), end_of(token), tokenised_ ? " " + mark : mark};
}

TextReplacement WrittenSentence::removed(size_t first, size_t last) const {
    // One side keeps its blank: what stood on the word before leaves that of the word after.
    const bool keeps_after = is_glued(first);
    if (first > 0 && (keeps_after || last >= size() || is_glued(last)))
        return {keeps_after ? begin_of(first) : end_of(first - 1), end_of(last - 1), ""};
    if (last >= size()) return {begin_of(first), end_of(last - 1), ""};
    if (first == 0 && has_capital(0)) return {begin_of(0), end_of(last), uppercase_first((*this)[last].text)};
    return {begin_of(first), begin_of(last), ""};
}

}  // namespace craft
