#include "gec/rules/correction_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "core/error.h"
#include "tests/gec/rules/rules_language.h"

namespace craft {
namespace {

// A model that likes some wordings: each gains 20, all else loses 20.
ReplacementGains liking(std::vector<std::string> wordings) {
    return [wordings = std::move(wordings)](const std::vector<ReplacementQuestion>& questions) {
        std::vector<std::vector<double>> gains;
        for (const auto& [sentence, changes, needed] : questions) {
            gains.emplace_back();
            for (const TextReplacement& change : changes) {
                const std::string changed = with_replacement(sentence, change);
                const bool is_liked = std::any_of(wordings.begin(), wordings.end(), [&](const std::string& wording) {
                    return changed.find(wording) != std::string::npos && sentence.find(wording) == std::string::npos;
                });
                gains.back().push_back(is_liked ? 20 : -20);
            }
        }
        return gains;
    };
}

CorrectionPlanner planner_with(ReplacementGains gains, const CorrectionPlannerOptions& options = {}) {
    return {test::rules_english(), test::rules_language(), CorrectionThresholds::shipped(), std::move(gains), options};
}

TEST(CorrectionPlanner, MakesWhatTheModelLikesAndWhatIsSure) {
    CRAFT_NEEDS_RULES_LANGUAGE();
    const CorrectionPlanner planner = planner_with(liking({"goes", "many books", "the the plan"}));
    const auto plans = planner.plan(
        {{"He go to the the shop ."}, {"She has many book and i know it ."}, {"Nothing is wrong here ."}, {""}});
    ASSERT_EQ(plans.size(), 4U);
    EXPECT_EQ(plans[0].text(), "He goes to the shop .");
    ASSERT_EQ(plans[0].steps.size(), 2U);
    EXPECT_EQ(plans[0].steps[0].sentence, "He goes to the the shop .");
    EXPECT_EQ(plans[0].steps[0].proposal.kind, CorrectionKind::agreement);
    EXPECT_EQ(plans[0].steps[0].gain, 20);
    EXPECT_EQ(plans[1].text(), "She has many books and I know it .");
    EXPECT_TRUE(plans[2].steps.empty());
    EXPECT_EQ(plans[3].text(), "");
    // Each step is its change of the sentence before it.
    for (const CorrectionPlan& plan : plans) {
        std::string standing = plan.source;
        for (const PlannedCorrection& step : plan.steps) {
            standing = with_replacement(standing, step.proposal.change);
            EXPECT_EQ(standing, step.sentence);
        }
    }
}

TEST(CorrectionPlanner, LooksAgainAtWhatItCorrected) {
    CRAFT_NEEDS_RULES_LANGUAGE();
    // "a" is liked only where "goes" stands, which is another correction.
    const ReplacementGains gains = [](const std::vector<ReplacementQuestion>& questions) {
        std::vector<std::vector<double>> all;
        for (const auto& [sentence, changes, needed] : questions) {
            all.emplace_back();
            for (const TextReplacement& change : changes) {
                const std::string changed = with_replacement(sentence, change);
                const bool is_first = changed == "He goes for the day.";
                const bool is_second = changed == "He goes for a day." && sentence == "He goes for the day.";
                all.back().push_back(is_first || is_second ? 20 : -20);
            }
        }
        return all;
    };
    EXPECT_EQ(planner_with(gains).plan({{"He go for the day ."}}).at(0).text(), "He goes for a day .");
    EXPECT_EQ(planner_with(gains, {.passes = 0}).plan({{"He go for the day ."}}).at(0).text(), "He go for the day .");
}

// The second look asks about what stands near the change, the first about all.
TEST(CorrectionPlanner, LooksAgainNearWhatItCorrected) {
    CRAFT_NEEDS_RULES_LANGUAGE();
    const std::string far = "the man who had come from the old house near the sea last year with a friend of the family";
    std::vector<size_t> farthest;  // place of the last change that was asked about, a look each
    const ReplacementGains gains = [&](const std::vector<ReplacementQuestion>& questions) {
        std::vector<std::vector<double>> all;
        for (const auto& [sentence, changes, needed] : questions) {
            all.emplace_back();
            farthest.push_back(0);
            for (const TextReplacement& change : changes) {
                farthest.back() = std::max(farthest.back(), change.begin);
                all.back().push_back(
                    with_replacement(sentence, change).starts_with("He goes") && sentence.starts_with("He go ") ? 20 : -20);
            }
        }
        return all;
    };
    const std::string text = "He go home with " + far + ".";
    EXPECT_EQ(planner_with(gains).plan({{text}}).at(0).text(), "He goes home with " + far + ".");
    ASSERT_EQ(farthest.size(), 2U);
    EXPECT_GT(farthest[0], text.size() / 2);
    EXPECT_LT(farthest[1], text.size() / 2);
}

TEST(CorrectionPlanner, KnowsWhatWasObserved) {
    CRAFT_NEEDS_RULES_LANGUAGE();
    const CorrectionPlanner planner = planner_with(liking({"every day "}));
    const std::string text = "She sees it every days and nights .";
    EXPECT_EQ(planner.plan({{text, "substituted \"days\" (word 5): 'every' asks for one; suggestions: day"}})
                  .at(0)
                  .steps.at(0)
                  .proposal.kind,
              CorrectionKind::observed);
}

// An error that is not corrected in the first look is known in the second one, too.
TEST(CorrectionPlanner, KnowsWhatWasObservedInLaterLooks) {
    CRAFT_NEEDS_RULES_LANGUAGE();
    const ReplacementGains gains = [](const std::vector<ReplacementQuestion>& questions) {
        std::vector<std::vector<double>> all;
        for (const auto& [sentence, changes, needed] : questions) {
            all.emplace_back();
            for (const TextReplacement& change : changes) {
                const std::string changed = with_replacement(sentence, change);
                all.back().push_back(
                    changed == "We all see the dog every day." || changed == "We both see the dog every day." ? 20 : -20);
            }
        }
        return all;
    };
    const std::string line = "substituted \"all\" (word 2): why; suggestions: both";
    EXPECT_EQ(planner_with(gains).plan({{"We all see the dog every days .", line}}).at(0).text(),
              "We both see the dog every day .");
}

// A model that likes whatever is other: the sentence never comes back to an earlier wording, and the passes end.
TEST(CorrectionPlanner, NeverComesBack) {
    CRAFT_NEEDS_RULES_LANGUAGE();
    const ReplacementGains restless = [](const std::vector<ReplacementQuestion>& questions) {
        std::vector<std::vector<double>> all;
        for (const auto& question : questions) all.emplace_back(question.changes.size(), 50.0);
        return all;
    };
    const CorrectionPlan plan = planner_with(restless, {.passes = 6}).plan({{"Its a dog ."}}).at(0);
    std::vector<std::string> seen = {plan.source};
    for (const PlannedCorrection& step : plan.steps) {
        EXPECT_EQ(std::count(seen.begin(), seen.end(), step.sentence), 0) << step.sentence;
        seen.push_back(step.sentence);
    }
}

TEST(CorrectionPlanner, WithoutAModelMakesWhatIsSure) {
    CRAFT_NEEDS_RULES_LANGUAGE();
    EXPECT_EQ(planner_with(nullptr).plan({{"He go to the the shop ."}}).at(0).text(), "He go to the shop .");
}

TEST(CorrectionPlanner, LeavesLongAndBrokenTextsAlone) {
    CRAFT_NEEDS_RULES_LANGUAGE();
    std::string words;
    for (int i = 0; i < 30; ++i) words += "the the ";
    const auto plans = planner_with(nullptr, {.max_words = 50}).plan({{words}, {"the the \xFF"}});
    EXPECT_TRUE(plans[0].steps.empty());
    EXPECT_TRUE(plans[1].steps.empty());
}

TEST(CorrectionPlanner, PassesOnWhatAModelThrows) {
    CRAFT_NEEDS_RULES_LANGUAGE();
    const ReplacementGains broken = [](const auto&) -> std::vector<std::vector<double>> { throw Error("no model"); };
    EXPECT_THROW(planner_with(broken).plan({{"He go home ."}}), Error);
}

}  // namespace
}  // namespace craft
