// How ERRANT lines up two token sequences (errant 3.0.2, alignment.py; Felice, Bryant and Briscoe 2016): a
// Damerau-Levenshtein alignment in which a substitution costs less the more alike two tokens are in lemma, part of speech
// and letters.
#pragma once

#include <cstdint>
#include <vector>

#include "metrics/edits/annotated_token.h"

namespace craft {

enum class AlignmentStep { match, substitute, insert, remove, transpose };

// Source tokens [source_start, source_end) beside target tokens [target_start, target_end).
struct AlignedTokens {
    AlignmentStep step = AlignmentStep::match;
    int64_t source_start = 0, source_end = 0, target_start = 0, target_end = 0;
    bool operator==(const AlignedTokens&) const = default;
};

// The most cells of the table of costs, at 12 bytes each: any sentences of 5,000 tokens, or longer ones that are alike. A
// row a source token is as wide as the target, or as the band of cells that the cheapest way can lead through: 65, or some
// four for each unit that the way costs, so that of 150,000 tokens some 20 may be others.
constexpr int64_t kMaxAlignmentCells = int64_t{5001} * 5001;
// The most comparisons of tokens in another order, some seconds.
constexpr int64_t kMaxTranspositionSteps = int64_t{1} << 27;

// From left to right. Insertions and deletions cost 1, a substitution up to 2 (nothing where only case differs), tokens in
// another order one less than their number; of equal costs a transposition is taken before a substitution, an insertion, a
// deletion. Without parts of speech and lemmas (plain_tokens()) letters and text decide. Throws Error if the sentences are
// too long for the table, or if tokens in another order take more comparisons than that.
std::vector<AlignedTokens> align_tokens(const AnnotatedTokens& source, const AnnotatedTokens& target,
                                        int64_t max_steps = kMaxTranspositionSteps);

}  // namespace craft
