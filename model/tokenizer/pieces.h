// The pieces of a text between normalization and the model, and ways of splitting them further. Inside model/tokenizer/
// only.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "model/tokenizer/component.h"
#include "model/tokenizer/pattern.h"

namespace craft {

struct Piece {
    std::string_view text;
    bool at_start = false;  // begins with the first character of the whole text
};

struct PieceList {
    std::vector<Piece> pieces;
    std::deque<std::string> rewritten;  // what pieces that are no part of the text point to
    std::vector<Piece> next;            // pieces under way, and
    std::vector<PatternSpan> spans;     // spans, kept for their memory
};

// What becomes of matches.
enum class MatchBehaviour { removed, isolated, merged_with_previous, merged_with_next, contiguous };

MatchBehaviour match_behaviour(const Component& component, const std::string& field);

// Appends the parts of `piece` that `list.spans`, which cover it, make of it; empty parts are left out.
void append_parts(PieceList& list, const Piece& piece, MatchBehaviour behaviour);

// Puts every piece through `split(piece)`, which appends its parts to list.next.
template <class Split>
void split_pieces(PieceList& list, Split split) {
    list.next.clear();
    for (const Piece& piece : list.pieces) split(piece);
    list.pieces.swap(list.next);
}

// Characters for which `matches` holds are matches of one character each.
void character_spans(std::string_view text, bool (*matches)(char32_t), std::vector<PatternSpan>& spans);

}  // namespace craft
