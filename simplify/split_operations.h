// The ways of splitting a sentence: each takes one apart where it finds what it looks for (sentence_splitting.h).
#pragma once

#include <optional>
#include <vector>

#include "simplify/noun_reference.h"
#include "simplify/sentence_piece.h"

namespace craft {

// A sentence that is made of a part of the parse.
struct SplitPiece {
    PieceWords words;
    size_t verb = 0;                            // its main one
    std::optional<NounReference> subject = {};  // where it is no noun of the parse
    bool is_written_first = true;               // nothing was put before it that it continues ("But ...")
};

// In the order in which they are read; absent: there is nothing of this kind to be split. The pieces hold what the given one
// holds, and none is checked for its length.
using SplitPieces = std::optional<std::vector<SplitPiece>>;

SplitPieces split_at_semicolon(const ParsedSentence& sentence, const SplitPiece& piece);
SplitPieces split_coordination(const ParsedSentence& sentence, const SplitPiece& piece);
SplitPieces split_subordinate(const ParsedSentence& sentence, const SplitPiece& piece);
SplitPieces split_opening_participle(const ParsedSentence& sentence, const SplitPiece& piece);
SplitPieces split_apposition(const ParsedSentence& sentence, const SplitPiece& piece);
SplitPieces split_relative_clause(const ParsedSentence& sentence, const SplitPiece& piece);

// What the operations share.
// How a piece's subject is spoken of again.
std::optional<NounReference> subject_reference(const ParsedSentence& sentence, const SplitPiece& piece, bool pronoun);
// Where what is set off (`described`, ascending) ends the phrase of the subject, with which the piece begins: the subject
// and `said` of it as a sentence with the verb `verb`, then the predicate with the subject named again. Absent: it stands
// elsewhere.
SplitPieces told_of_subject(const ParsedSentence& sentence, const SplitPiece& piece, const std::vector<size_t>& described,
                            size_t verb, const PieceWords& said);
// Whether these tokens stand in what goes before the piece's subject.
bool opens_sentence(const ParsedSentence& sentence, const SplitPiece& piece, const std::vector<size_t>& tokens);
// Whether a participle tells of what lasts ("known as", "fed by") and not of what was done once ("built by").
bool is_lasting_state(const std::string& lemma);
// "was", "were", "is" or "are"; unknown numbers have none.
std::optional<std::string> copula(GrammaticalNumber number, bool past);

}  // namespace craft
