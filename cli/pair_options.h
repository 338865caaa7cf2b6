// What commands have in common that make preference pairs of judged candidates: which pairs are left out.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/options.h"
#include "judge/verdicts/preference_pairs.h"

namespace craft {

struct PairMakingOptions {
    double min_gap = 0, max_length_ratio = 0, max_source_copy = 1;  // as PairFilters
    bool different_systems = false;                                 // a pair's sides may not be of one system
    std::vector<std::string> leak_files;                            // of evaluations; none: nothing is checked
    int64_t leak_words = 8;                                         // a sequence

    PairFilters filters() const;
};

// For commands that have an option `judge`.
void bind_pair_making(OptionTable& table, PairMakingOptions& options);
// Adds what is wrong with them.
void check_pair_making(OptionTable& table, const PairMakingOptions& options);
// Reads the evaluation files; null where there are none. Throws Error as LeakCheck does.
std::shared_ptr<const LeakCheck> open_leak_check(const PairMakingOptions& options);

}  // namespace craft
