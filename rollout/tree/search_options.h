// What a search for a revision may do (CRAFT §5.2, App. D.6).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/json.h"

namespace craft {

struct SearchOptions {
    int64_t children = 3;         // responses that are sampled for a leaf; at least 1
    int64_t depth = 6;            // the deepest level that nodes may stand on, the root being on 0; 1 to 1000
    int64_t iterations = 30;      // leaves that are expanded at most; at least 1
    int64_t patience = 5;         // ends after this many iterations without a higher reward; 0: never for that
    double explore = 0.2;         // alpha of UCT, in units of the reward (0-2); 0: the best mean alone decides
    int64_t leaves = 1;           // that are expanded at once; more than 1: chosen under virtual loss
    bool use_quality = true;      // R_g counts; false: it is 0 in the search and in the choice of the result
    bool use_constraints = true;  // R_c likewise; one of the two must count
    bool operator==(const SearchOptions&) const = default;
};

// Each field that cannot be searched with.
std::vector<FieldProblem> search_problems(const SearchOptions& options);

Json to_json(const SearchOptions& options);
// Every field must be there, and no other. Throws Error naming `where` and the field, also on what search_problems() finds.
SearchOptions search_options_from_json(const Json& object, const std::string& where);

}  // namespace craft
