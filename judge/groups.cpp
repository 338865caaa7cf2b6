#include "judge/groups.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "judge/pairs.h"

namespace craft {

const std::string& ResponseGroup::best() const {
    return responses.at(static_cast<size_t>(std::max_element(rewards.begin(), rewards.end()) - rewards.begin()));
}

Json to_json(const ResponseGroup& group) {
    return {{"prompt", to_json(group.prompt)},
            {"responses", group.responses},
            {"rewards", group.rewards},
            {"provenance", group.provenance}};
}

ResponseGroup response_group_from_json(const Json& row, const std::string& where) {
    ResponseGroup group;
    try {
        group.prompt = messages_from_json(row.at("prompt"), where);
        group.responses = row.at("responses").get<std::vector<std::string>>();
        group.rewards = row.at("rewards").get<std::vector<double>>();
        group.provenance = row.at("provenance");
    } catch (const Json::exception& error) {
        throw Error(where, "a group of responses with their rewards", error.what());
    }
    if (group.responses.size() < 2 || group.rewards.size() != group.responses.size())
        throw Error(
            where, "two or more responses, each with a reward",
            std::to_string(group.responses.size()) + " responses and " + std::to_string(group.rewards.size()) + " rewards");
    return group;
}

GroupOutcome build_group(const std::vector<Message>& history, const std::vector<Step>& samples, const Json& origin) {
    constexpr double kPoints = 100;  // of S_a
    GroupOutcome outcome{{}, too_few_usable(samples)};
    if (!outcome.dropped.empty()) return outcome;
    ResponseGroup group{history, {}, {}, origin};
    const std::vector<size_t> numbers = usable_samples(samples);
    for (const size_t number : numbers) {
        const double points = samples[number].scores.s_a;
        if (!std::isfinite(points)) throw Error("group of responses", "finite scores", std::to_string(points));
        group.responses.push_back(samples[number].response);
        group.rewards.push_back(points / kPoints);
    }
    const auto [lowest, highest] = std::minmax_element(group.rewards.begin(), group.rewards.end());
    if (*highest - *lowest <= kScoreRounding / kPoints) {
        outcome.dropped = "no spread";
        return outcome;
    }
    group.provenance["samples"] = numbers;
    outcome.group = std::move(group);
    return outcome;
}

}  // namespace craft
