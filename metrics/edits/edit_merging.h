// Which steps of an alignment make one edit (errant 3.0.2, en/merger.py).
#pragma once

#include <cstdint>
#include <vector>

#include "metrics/edits/alignment.h"
#include "metrics/edits/annotated_token.h"

namespace craft {

enum class EditMerging {
    rules,      // ERRANT's rules for English
    all_split,  // each step is an edit
    all_merge,  // steps side by side are one
    all_equal   // steps of one kind side by side are one
};

// The most stretches of changed tokens that rules look at in a sentence, some seconds; changes side by side have as many as
// the third power of their number.
constexpr int64_t kMaxMergingSteps = int64_t{1} << 24;

// The edits of an alignment, from left to right, as spans of both sides; unchanged tokens are none. Throws Error on a part
// of speech that is not Universal Dependencies', and where rules take more steps than that; without parts of speech the
// rules that ask for them do not apply.
std::vector<AlignedTokens> merge_steps(const std::vector<AlignedTokens>& alignment, const AnnotatedTokens& source,
                                       const AnnotatedTokens& target, EditMerging merging,
                                       int64_t max_steps = kMaxMergingSteps);

}  // namespace craft
