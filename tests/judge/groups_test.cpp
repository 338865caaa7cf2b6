#include "judge/groups.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/error.h"

namespace craft {

namespace {

const std::vector<Message> kAsked = {{Role::user, "p"}};

Step rewarded(const std::string& response, double s_a) {
    Step step;
    step.response = response;
    step.scores.s_a = s_a;
    return step;
}

}  // namespace

TEST(Groups, HaveAllUsableSamplesWithTheirRewards) {
    std::vector<Step> samples = {rewarded("a", 40), rewarded(" ", 90), rewarded("b", 75),
                                 rewarded("c", 75), rewarded("d", 99), rewarded("e", 98)};
    samples[4].finished = false;
    samples[5].unusable = "cut";
    const GroupOutcome outcome = build_group(kAsked, samples, {{"step", 1}});
    ASSERT_TRUE(outcome.group);
    EXPECT_EQ(to_json(*outcome.group).dump(),
              R"({"prompt":[{"role":"user","content":"p"}],"responses":["a","b","c"],"rewards":[0.4,0.75,0.75],)"
              R"("provenance":{"step":1,"samples":[0,2,3]}})");
    EXPECT_EQ(outcome.group->best(), "b");
    EXPECT_EQ(to_json(response_group_from_json(to_json(*outcome.group), "here")), to_json(*outcome.group));
}

TEST(Groups, WithoutSpreadOrResponsesAreNone) {
    const auto reason = [](const std::vector<Step>& samples) {
        const GroupOutcome outcome = build_group(kAsked, samples);
        EXPECT_NE(outcome.group.has_value(), !outcome.dropped.empty());
        return outcome.dropped;
    };
    EXPECT_EQ(reason({rewarded("a", 40), rewarded("b", 40), rewarded("c", 40 + 1e-12)}), "no spread");
    EXPECT_EQ(reason({rewarded("a", 40), rewarded("b", 40), rewarded("c", 40.001)}), "");
    EXPECT_EQ(reason({rewarded("a", 40), rewarded("", 50)}), "empty");
    std::vector<Step> cut = {rewarded("a", 40), rewarded("b", 50), rewarded("", 50)};
    cut[1].finished = false;
    EXPECT_EQ(reason(cut), "cut");
    cut[1].finished = true;
    cut[1].unusable = "prefaced";
    EXPECT_EQ(reason(cut), "unusable");
    EXPECT_THROW(reason({rewarded("a", 40), rewarded("b", std::numeric_limits<double>::quiet_NaN())}), Error);
}

TEST(Groups, OfAnotherFormAreErrors) {
    const Json row = {
        {"prompt", to_json(kAsked)}, {"responses", {"a", "b"}}, {"rewards", {1}}, {"provenance", Json::object()}};
    EXPECT_THROW(response_group_from_json(row, "here"), Error);
    EXPECT_THROW(response_group_from_json({{"prompt", to_json(kAsked)}}, "here"), Error);
}

}  // namespace craft
