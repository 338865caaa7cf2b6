// Parts that commas set off from the rest of a sentence.
#pragma once

#include <vector>

#include "simplify/sentence_piece.h"

namespace craft {

// The tokens of the apposition that this token heads: after a comma, up to a comma or the end, with an article or, of
// several, an adjective ("goats, voracious eaters,"); empty: it heads none. Members of a list, which parsers take for
// appositions, have no article or are joined to others.
std::vector<size_t> set_off_apposition(const ParsedSentence& sentence, const PieceWords& words, size_t token);

}  // namespace craft
