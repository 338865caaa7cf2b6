// A sentence in the making: tokens of a parse in a new order or number, with words put in.
#pragma once

#include <string>
#include <vector>

#include "english/parsed_sentence.h"

namespace craft {

struct PieceWord {
    static constexpr size_t kPutIn = static_cast<size_t>(-1);
    std::string text;
    size_t token = kPutIn;  // of the parse
    bool operator==(const PieceWord&) const = default;
};

using PieceWords = std::vector<PieceWord>;

PieceWords words_of(const ParsedSentence& sentence, const std::vector<size_t>& tokens);
PieceWord put_in(std::string text);

bool is_comma(const PieceWord& word);
// Without commas, dashes, semicolons and colons at either end, and full stops at the last one.
PieceWords trimmed(PieceWords words);
// Without these tokens, and without the commas that set them off; `keeps_comma`: of two one stays, which parts what came
// before the subject from it.
PieceWords without(const PieceWords& words, const std::vector<size_t>& tokens, bool keeps_comma);
// The tokens' places among the words, if they are there and nothing but words put in stands between them; empty: not so.
std::vector<size_t> places_of(const PieceWords& words, const std::vector<size_t>& tokens);

bool holds(const PieceWords& words, size_t token);
// Whether nothing but marks stands among the words from this place on.
bool ends_at(const PieceWords& words, size_t place);
// The words from `begin` on, up to `end`.
PieceWords part(const PieceWords& words, size_t begin, size_t end);
PieceWords joined(PieceWords first, const PieceWords& second);

// As a sentence: a capital at the beginning, a full stop at the end, blanks as the text had them between neighbours. The
// text's first word loses its capital where it moved from there, unless it is a name's, and "a" and "an" follow the word
// that now comes after them.
std::string written(const ParsedSentence& sentence, const PieceWords& words);
// Words that are words: no marks.
size_t count_words(const PieceWords& words);

}  // namespace craft
