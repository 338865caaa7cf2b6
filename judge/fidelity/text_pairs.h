// Texts and their revisions, joined by id.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/revised_text.h"

namespace craft {

struct TextPair {
    std::string id, original, revision;
};

struct TextPairs {
    std::vector<TextPair> pairs;  // those with a revision, in the order of the originals
    int64_t missing = 0;          // originals without one
};

// Throws Error on a repeated id on a side, or on a revision whose id no original has.
TextPairs pair_texts(std::vector<RevisedText> originals, std::vector<RevisedText> revisions);
// Those of some of the originals.
TextPairs pairs_of(const std::vector<RevisedText>& originals, const TextPairs& all);
// How many revisions hold nothing but white space.
int64_t empty_revisions(const TextPairs& texts);

}  // namespace craft
