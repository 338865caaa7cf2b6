// Texts with two revisions each, which are to be compared.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "judge/fidelity/text_pairs.h"

namespace craft {

struct PairwiseItem {
    std::string id, source, a, b;
};

struct PairwiseItems {
    std::vector<PairwiseItem> items;       // those with both revisions, by id: the order in files changes nothing
    int64_t missing_a = 0, missing_b = 0;  // texts without A's, without B's revision
    int64_t missing = 0;                   // without one of them, or both
    int64_t empty_a = 0, empty_b = 0;      // of the items, those of which A's, B's revision holds nothing
};

// The same originals on both sides. Throws Error if no text has both revisions.
PairwiseItems join_revisions(const TextPairs& a, const TextPairs& b);

}  // namespace craft
