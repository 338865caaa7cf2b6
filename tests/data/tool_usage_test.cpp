// Which trajectories are examples of tool usage.
#include "data/tool_usage.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

Trajectory with_calls(const std::string& first, const std::string& second) {
    Trajectory trajectory;
    trajectory.instruction.gold = {{KeywordKeepRemovalCheck{"mill", false}}};
    for (const std::string& calls : {first, second}) {
        trajectory.steps.emplace_back();
        trajectory.steps.back().response = print_response({"w", calls, {}, false});
    }
    return trajectory;
}

TEST(ToolUsage, ProblemOfATrajectory) {
    const std::string good = "text_eval()\nkeyword_keep_removal_check('mill', 'remove')";
    EXPECT_EQ(tool_usage_problem(with_calls(good, good)), "");
    EXPECT_EQ(tool_usage_problem(with_calls(good, "keyword_keep_removal_check(\"mill\", \"remove\")")), "");
    EXPECT_EQ(tool_usage_problem(with_calls(good, "text_eval()")), "missing call");
    EXPECT_EQ(tool_usage_problem(with_calls("text_eval()", good + "\ndetect_keyword()")), "wrong call");
    EXPECT_EQ(tool_usage_problem(with_calls(good + "\nkeyword_keep_removal_check('mill')", good)), "wrong call");
}

// Four gold calls are four constraints where the instruction is known; calls alone may be two ranges.
TEST(ToolUsage, FourConstraintsAreForEvaluation) {
    Instruction instruction;
    instruction.domain = 3;
    instruction.gold.resize(4, {TextEval{}});
    EXPECT_FALSE(is_for_evaluation_only(instruction));
    instruction.text = "It is late.";
    EXPECT_TRUE(is_for_evaluation_only(instruction));
    instruction.gold.pop_back();
    EXPECT_FALSE(is_for_evaluation_only(instruction));
    instruction.domain = 4;
    EXPECT_TRUE(is_for_evaluation_only(instruction));
}

}  // namespace
}  // namespace craft
