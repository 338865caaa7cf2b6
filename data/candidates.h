// A text with several systems' revisions of it, among which a judge finds the best and the worst (policy simplification
// §2.2, Eq. 2): {"id","source","policy"?,"instruction"?,"candidates":[{"system","text","response"?,"cut"?,"scores"?}...]}
// per line.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "core/unknown_keys.h"

namespace craft {

struct Candidate {
    std::string system, text;
    bool is_cut = false;  // its system came to its token limit
    std::map<std::string, double> scores =
        {};  // numbers that somebody put on it, by their names; those that are null are left out
    std::optional<std::string> response = {};  // what its planner answered, of which the text was made
};

struct CandidateGroup {
    std::string id, source;
    std::string policy;  // what the candidates were asked for; empty: not said
    std::vector<Candidate> candidates;
    std::optional<std::string> instruction = {};  // what the revisions were asked for, in words
};

// Keys that nobody reads are counted in `unknown` (may be null). Throws Error naming `where` and the key on another form and
// on a group without candidates; empty texts are taken, since who makes pairs counts them.
CandidateGroup candidate_group_from_json(const Json& row, const std::string& where, UnknownKeys* unknown = nullptr);
Json to_json(const CandidateGroup& group);

}  // namespace craft
