// In which order candidates are shown: judges heed places, too.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace craft {

enum class CandidateOrders {
    random,  // drawn by seed, group and repeat
    both,    // the drawn one, and the same from its end
    fixed,   // as they stand in the file, as in policy simplification §4.1
};

// One order, or two; order[place] is a candidate's number. A group of another number of candidates has other orders, what
// else is judged changes nothing.
std::vector<std::vector<size_t>> candidate_orders(CandidateOrders orders, size_t candidates, uint64_t seed,
                                                  const std::string& id, uint64_t repeat);

}  // namespace craft
