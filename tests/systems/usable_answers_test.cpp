#include "systems/usable_answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "systems/system.h"

namespace craft {
namespace {

std::string complaint_of(const UsableAnswers& answers) {
    try {
        answers.require_any("plan", "try another");
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(UsableAnswers, WhereThereIsNoneTheMostCommonReasonIsToldFirst) {
    UsableAnswers answers;
    EXPECT_EQ(complaint_of(answers), "") << "nobody was asked";
    answers.add("cut", 2);
    for (int i = 0; i < 18; ++i) answers.add("no_choices");
    EXPECT_EQ(complaint_of(answers), "plan: expected a usable answer, got none of 20 (no_choices 18, cut 2) (try another)");
    answers.add("");
    EXPECT_EQ(complaint_of(answers), "");
    EXPECT_EQ(answers.usable(), 1);
    EXPECT_EQ(answers.unusable(), 20);
}

TEST(UsableAnswers, RowsSayWhatBecameOfThem) {
    Json revised = {{"text", "b"}}, unchanged = {{"text", "a"}}, failed = {{"text", "a"}};
    add_status(revised, true, "");
    add_status(unchanged, false, "");
    add_status(failed, false, "not_json");
    EXPECT_EQ(revised, Json({{"text", "b"}, {"status", "revised"}}));
    EXPECT_EQ(unchanged, Json({{"text", "a"}, {"status", "unchanged"}}));
    EXPECT_EQ(failed, Json({{"text", "a"}, {"status", "failed"}, {"reason", "not_json"}}));
    UsableAnswers answers;
    for (const Json& row : {revised, unchanged, failed}) answers.add_row(row);
    EXPECT_EQ(answers.usable(), 2);
    EXPECT_EQ(answers.reasons(), "not_json 1");
}

TEST(Replies, OnlyAFinishedOneIsAnAnswer) {
    EXPECT_EQ(Reply{.text = "Yes."}.problem(), "");
    EXPECT_EQ((Reply{.text = "Ye", .status = Reply::Status::cut}.problem()), "cut");
    EXPECT_EQ(Reply::failed(Failure::timed_out, "slow").problem(), "timed_out");
}

}  // namespace
}  // namespace craft
