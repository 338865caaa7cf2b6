// The sentences that an "only change" constraint names, and the text in which these alone are revised: the proof of a set
// that has such a constraint (docs/constraints.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/rng.h"
#include "data/constraints/wordings.h"
#include "data/instruction.h"
#include "text/sentences.h"
#include "tools/measured_text.h"

namespace craft {

// One sentence that a revision reworded or cut in several, or two next to each other that it joined.
struct ChangedPart {
    std::vector<int64_t> ids;  // in the original, from 1, ascending
    std::string text;          // what stands for them in the revision
    int64_t sentences = 1;     // of `text`
};

// In the order of the original. Sentences are matched, in order, by the words that they share. A sentence that is new, gone
// or in words of its own is in no part.
std::vector<ChangedPart> changed_parts(const std::string& original, const std::string& revision, SentenceRule rule);

// The original in which the revision of a few sentences alone stands: of as many as a constraint of the shape (modify_one,
// ...) names, whole parts, which the split may name. Parts come first that let the original violate constraints of the other
// shapes: its longest sentence where all must be shorter. Empty if the revision gives none.
std::optional<std::string> narrowed_revision(Shape modify, const std::vector<Shape>& shapes, const MeasuredText& original,
                                             const std::string& revision, SentenceRule rule, Split split, Rng& rng);

// Whether all sentences of the original but these stand whole and in their order in the revision.
bool keeps_all_but(const std::vector<int64_t>& ids, const MeasuredText& original, const MeasuredText& revision);

}  // namespace craft
