// Constraint adherence S_c (docs/definitions.md, Scores).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "data/instruction.h"
#include "tools/craft/check.h"

namespace craft {

// Satisfied constraints of an instruction: a range counts once; empty without constraints.
struct Adherence {
    std::vector<bool> met;                   // one a constraint
    std::optional<double> s_c;               // satisfied / constraints; absent without constraints
    std::vector<CheckResult> results;        // one a call, in gold order
    std::optional<int64_t> touched_besides;  // "only change": other sentences touched; absent without such a constraint
    // Whether "only change" was kept to: no other sentence was touched. Not part of S_c; absent without such a constraint.
    std::optional<bool> only_kept() const { return touched_besides ? std::optional(*touched_besides == 0) : std::nullopt; }
};

// In the published mode every range fails, as in the authors' scoring.
Adherence constraint_adherence(const Instruction& instruction, const MeasuredText& original, const MeasuredText& revision,
                               Scoring scoring = Scoring::strict);

}  // namespace craft
