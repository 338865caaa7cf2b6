#include "judge/verdicts/easy_judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/temporary_folder.h"
#include "tests/judge/verdicts/scripted_judge.h"

namespace craft {
namespace {

using test::between;
using test::says;
using test::ScriptedJudge;

EasyItem easy(const std::string& id, const std::vector<EasyConstraint>& constraints) {
    return {id, "text of " + id, constraints};
}

// A requirement is met where its words stand in the revision; "hm" is not understood.
Reply holds(const std::string& prompt) {
    const std::string revision = between(prompt, "### Revision:\n", "\n\n###"),
                      constraint = between(prompt, "### Requirement:\n", "\n\nDoes");
    if (constraint == "hm") return says("It depends.");
    return says(revision.find(constraint) != std::string::npos ? "yes" : "No.");
}

Json judged(const std::vector<EasyItem>& items, const std::vector<RevisedText>& outputs) {
    ScriptedJudge system(holds);
    const EasyJudge judge(system, PromptFiles(), {});
    const EasyQuestions joined = join_easy(items, outputs);
    EasyTotals totals;
    for (const EasyQuestion& question : joined.questions) totals.add(question.item, judge.judge(question));
    return totals.to_json(joined.missing, joined.empty_outputs);
}

TEST(EasyJudges, AccuracyIsAMeanOfItemsByKind) {
    const std::vector<EasyItem> items = {
        easy("2", {{EasyKind::style, "grand"}, {EasyKind::semantic, "mill"}, {EasyKind::semantic, "hm"}}),
        easy("1", {{EasyKind::style, "grand"}}), easy("3", {{EasyKind::semantic, "hm"}}),
        easy("4", {{EasyKind::semantic, "x"}})};
    const Json result = judged(items, {{"1", "a grand mill"}, {"3", "x"}, {"2", "a mill"}});
    const Json corpus = result["corpus"];
    EXPECT_EQ(corpus["accuracy"], .75);  // 1 of item 1, 1 / 2 of item 2; item 3 has no verdict
    EXPECT_EQ(corpus["items"], 2);
    EXPECT_EQ(corpus["constraints"], 3);
    EXPECT_EQ(corpus["unjudged"], 2);
    EXPECT_EQ(corpus["missing"], 1);
    EXPECT_EQ(corpus["by_domain"]["style"]["accuracy"], .5);
    EXPECT_EQ(corpus["by_domain"]["semantic"]["accuracy"], 1);
    EXPECT_EQ(corpus["by_domain"]["semantic"]["items"], 1);
    EXPECT_EQ(corpus["answers"]["malformed"]["no choice"], 6);  // three attempts for each of two
    EXPECT_EQ(corpus["answers"]["unread"], 2);
    ASSERT_EQ(result["items"].size(), 3u);
    EXPECT_EQ(result["items"][1],
              Json::parse(R"({"id":"2","accuracy":0.5,"style":0.0,"semantic":1.0,"met":[false,true,null]})"));
    EXPECT_TRUE(result["items"][2]["accuracy"].is_null());
}

TEST(EasyJudges, TheOrderOfFilesChangesNothing) {
    const EasyItem one = easy("1", {{EasyKind::style, "a"}}), two = easy("2", {{EasyKind::semantic, "b"}});
    EXPECT_EQ(judged({one, two}, {{"1", "a"}, {"2", "c"}}), judged({two, one}, {{"2", "c"}, {"1", "a"}}));
}

TEST(EasyJudges, OutputsMustBelongToItems) {
    const std::vector<EasyItem> items = {easy("1", {{EasyKind::style, "a"}})};
    EXPECT_EQ(message_of([&] {
                  join_easy(items, {{"9", "x", "o.jsonl:1"}});
              }),
              "o.jsonl:1: expected an id of the items, got '9' (do both files belong together?)");
    EXPECT_THAT(message_of([&] {
                    join_easy(items, {{"1", "x", "o.jsonl:1"}, {"1", "x", "o.jsonl:2"}});
                }),
                testing::StartsWith("o.jsonl:2"));
}

TEST(EasyJudges, KeepEveryAnswerAsItCame) {
    ScriptedJudge system(holds);
    const EasyQuestion question = {easy("1", {{EasyKind::style, "mill"}, {EasyKind::semantic, "hm"}}), "no such thing"};
    const auto rows = easy_rows(question.item, EasyJudge(system, PromptFiles(), {.attempts = 2}).judge(question));
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[0], Json::parse(R"({"id":"1","constraint":1,"kind":"style","attempt":1,"reply":"No.","met":false,
        "reason":null,"let_pass":["case","marks"]})"));
    EXPECT_EQ(rows[2]["constraint"], 2);
    EXPECT_EQ(rows[2]["attempt"], 2);
    EXPECT_TRUE(rows[2]["met"].is_null());
    EXPECT_EQ(rows[2]["reason"], "no choice");
    // The kinds have prompts of their own.
    EXPECT_THAT(system.prompts[0], testing::HasSubstr("domain or style"));
    EXPECT_THAT(system.prompts[1], testing::HasSubstr("requirement of content"));
    EXPECT_THAT(system.prompts[1], testing::HasSubstr("### Text before:\ntext of 1\n"));
}

}  // namespace
}  // namespace craft
