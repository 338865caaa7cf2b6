// Groups of judged responses to one history, each with its reward: what policy gradients learn from (losses/policy.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/trajectory.h"

namespace craft {

struct ResponseGroup {
    std::vector<Message> prompt;         // the history
    std::vector<std::string> responses;  // the assistant's, two or more
    std::vector<double> rewards;         // one a response
    Json provenance = Json::object();
    const std::string& best() const;  // the response with the highest reward, the first of equals
};
// {"prompt","responses","rewards","provenance"}.
Json to_json(const ResponseGroup& group);
// Throws Error naming `where` and the key on another form.
ResponseGroup response_group_from_json(const Json& row, const std::string& where);

// A group, or why there is none: "empty", "cut" or "unusable" as of pairs (too_few_usable()), or "no spread" (all rewards
// are equal, but for what rounding leaves: no response is better than another).
struct GroupOutcome {
    std::optional<ResponseGroup> group;
    std::string dropped;
};

// Of the usable samples (usable_samples()); the reward is S_a / 100. `origin` (instruction, step, round) goes into the
// provenance beside the samples' numbers. Throws Error on a score that is not finite.
GroupOutcome build_group(const std::vector<Message>& history, const std::vector<Step>& samples,
                         const Json& origin = Json::object());

}  // namespace craft
