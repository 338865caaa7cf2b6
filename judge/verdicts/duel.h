// Two candidates held against each other.
#pragma once

#include <cstddef>
#include <optional>

namespace craft {

enum class PairVerdict { win, tie, loss };  // of the first one

// Candidates `a` and `b` were compared; `verdict` is a's, absent where the judge gave none.
struct Duel {
    size_t a = 0, b = 0;
    std::optional<PairVerdict> verdict;
    friend bool operator==(const Duel&, const Duel&) = default;
};

}  // namespace craft
