// Values of constraints, read from a revision so that each is satisfiable (CRAFT §3).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/rng.h"
#include "data/constraints/wordings.h"
#include "data/instruction.h"
#include "tools/craft/check.h"

namespace craft {

// A text, the revision that values are read from, and the keywords already in use by the instruction's other constraints.
struct ValueSource {
    const MeasuredText& original;
    const MeasuredText& revision;
    Split split = Split::all;
    std::vector<std::string> keywords_in_use;
};

// A constraint of this shape that the revision meets and, where the revision allows it, the original does not.
// Empty if this text and revision give none (no sentence left unchanged, no vanished word, ...).
std::optional<Constraint> draw_constraint(Shape shape, const ValueSource& source, Rng& rng);

// The split that a value belongs to, never `all`. One number, pair or triple in five of each shape in turn, and a fifth of
// all keywords, whatever the shape, by a stable hash, are kept from training: two thirds of them are for development, one
// for the sealed sets.
Split split_of(const Constraint& constraint);
// Whether data of this split may have the value.
bool in_split(const Constraint& constraint, Split split);

// How many sentences of the text a constraint of this shape names: 0 to 3.
size_t sentences_named(Shape shape);

// Whether an unrevised text can violate such a constraint: all but keep sentence and keyword keep.
bool asks_for_change(Shape shape);

}  // namespace craft
