// What the rules teacher writes: form, gold calls, goals in words, plans that suit the text.
#include "rollout/rules/rules_teacher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/error.h"
#include "tests/rollout/rules/rules_fixture.h"

namespace craft {
namespace {

using ::testing::HasSubstr;

Trajectory history() {
    Trajectory trajectory;
    trajectory.instruction.text =
        "The mill was built in 1841. It was closed, due to the fact that the river silted up. Agnes bought it.";
    trajectory.instruction.gold = {{WordCountCheck{90, Relation::less_than}, WordCountCheck{10, Relation::more_than}},
                                   {KeywordKeepRemovalCheck{"river", false}},
                                   {SentenceModificationCheck{{3, 1}, false}}};
    return trajectory;
}

RulesTeacher teacher(int64_t quote_words = 0) {
    return RulesTeacher(shipped_rules(), teacher_wordings(),
                        {.quote_words = quote_words, .seed = 7, .sentences = SentenceRule::paper});
}

TEST(RulesTeacher, WritesTheGoldCallsAfterTextEvalInTheirOrder) {
    const auto response = teacher().respond(history(), 1, 0);
    EXPECT_EQ(response.tools,
              "text_eval()\nword_count_check(90, \"less than\")\nword_count_check(10, \"more than\")\n"
              "keyword_keep_removal_check(\"river\", \"remove\")\nsentence_modification_check([1, 3], \"unchange\")");
    const auto parsed = parse_response(print_response(response));
    EXPECT_TRUE(parsed.well_formed);
    EXPECT_EQ(parsed.plan, response.plan);
}

TEST(RulesTeacher, NamesEveryGoalWithDigits) {
    const std::string thought = teacher().respond(history(), 1, 0).thought;
    for (const char* part : {"less than 90", "more than 10", "'river'", "sentence 1, 3"})
        EXPECT_THAT(thought, HasSubstr(part));
    Trajectory free = history();
    free.instruction.gold.clear();
    EXPECT_EQ(teacher().respond(free, 1, 0).tools, "text_eval()");
    EXPECT_FALSE(teacher().respond(free, 1, 0).thought.empty());
}

TEST(RulesTeacher, ReadsEachGoalOffThePhraseThatSetsIt) {
    Trajectory with_phrases = history();
    with_phrases.instruction.phrases = {"Write 11 to 89 words", "without 'river'", "sentences 1 and 3 stay"};
    EXPECT_THAT(teacher().respond(with_phrases, 1, 0).thought,
                HasSubstr("Write 11 to 89 words -> words: at least 11 = more than 10, words: at most 89 = less than 90; "
                          "without 'river' -> remove "
                          "'river'; sentences 1 and 3 stay -> keep sentence 1, 3"));
    EXPECT_THAT(teacher().respond(history(), 1, 0).thought, Not(HasSubstr("->")));
}

TEST(RulesTeacher, NamesBesideTheCallsBoundTheOneThatTheRequestNames) {
    const auto goal = [](const ToolCall& call, const char* phrase) {
        Trajectory trajectory = history();
        trajectory.instruction.gold = {{call}};
        trajectory.instruction.phrases = {phrase};
        const std::string thought = teacher().respond(trajectory, 1, 0).thought;
        return thought.substr(thought.find("-> ") + 3);
    };
    EXPECT_EQ(goal(SentenceCountCheck{6, Relation::less_than}, "Five sentences at most"),
              "sentences: at most 5 = less than 6.");
    EXPECT_EQ(goal(SentenceLengthCheck{12, Relation::more_than}, "13 words each, or more"),
              "each sentence: at least 13 = more than 12 words.");
    EXPECT_EQ(goal(KeywordFrequencyCheck{"river", 3, Relation::less_than}, "'river' twice or less"),
              "'river': at most 2 = less than 3 times.");
    EXPECT_EQ(goal(WordCountCheck{90, Relation::less_than}, "Under 90 words"), "words: less than 90.");
    EXPECT_EQ(goal(WordCountCheck{90, Relation::less_than}, "Not 90 words, 89 at most"), "words: less than 90.");
    EXPECT_EQ(goal(WordCountCheck{90, Relation::less_than}, "Not over 890 words"), "words: less than 90.");
    EXPECT_EQ(goal(WordCountCheck{90, Relation::equal}, "91 words less one"), "words: exactly 90.");
}

TEST(RulesTeacher, TakesTheBoundsOfARangeInTheOrderOfTheWords) {
    const auto tools = [](int64_t below, int64_t above, const char* phrase) {
        Trajectory trajectory = history();
        trajectory.instruction.gold = {
            {WordCountCheck{below, Relation::less_than}, WordCountCheck{above, Relation::more_than}}};
        trajectory.instruction.phrases = {phrase};
        const PlannerResponse response = teacher().respond(trajectory, 1, 0);
        const std::string goal = response.tools.find("less") < response.tools.find("more") ? "less" : "more";
        EXPECT_LT(response.thought.find(goal + " than"), response.thought.find(goal == "less" ? "more than" : "less than"));
        return goal;
    };
    EXPECT_EQ(tools(90, 10, "under 90 but over 10 words"), "less");
    EXPECT_EQ(tools(90, 10, "over ten and under ninety words"), "more");
    EXPECT_EQ(tools(90, 10, "at most 89 but at least 11 words"), "less");
    EXPECT_EQ(tools(110, 100, "over one hundred and under one hundred and ten words"), "more");
    EXPECT_EQ(tools(110, 100, "Under one hundred and ten but over one hundred words"), "less");
    EXPECT_EQ(tools(111, 11, "with 12 at least, often 110"), "more");
    EXPECT_EQ(tools(142, 42, "under one hundred and forty-two, above forty-two"), "less");
    EXPECT_EQ(tools(90, 10, "a range of words"), "less");
}

TEST(RulesTeacher, PlansSuitTheText) {
    const auto plan = teacher().respond(history(), 1, 0).plan;
    ASSERT_EQ(plan.size(), 3u);
    EXPECT_EQ(plan[0], (PlanLine{"The mill was built in 1841.", "keep as it is"}));
    EXPECT_EQ(plan[1].plan, "replace 'river'");
    EXPECT_EQ(plan[2].plan, "keep as it is");
    Trajectory plain = history();
    plain.instruction.gold.clear();
    EXPECT_EQ(teacher().respond(plain, 1, 0).plan[1].plan, "tighten the wording");
    EXPECT_EQ(teacher().respond(plain, 1, 0).plan[2].plan, "keep as it is");
    plain.instruction.gold = {{SentenceLengthCheck{10, Relation::less_than}}};
    EXPECT_EQ(teacher().respond(plain, 1, 0).plan[1].plan, "tighten the wording");  // eleven words that cannot be split well
    plain.instruction.gold = {{SentenceCountCheck{3, Relation::less_than}}};
    EXPECT_EQ(teacher().respond(plain, 1, 0).plan[0].plan, "join with the next sentence");
}

TEST(RulesTeacher, QuotesTheFirstWordsOnDemand) {
    const auto plan = teacher(4).respond(history(), 1, 0).plan;
    EXPECT_EQ(plan[0].sentence, "The mill was built...");
    EXPECT_EQ(plan[2].sentence, "Agnes bought it.");
}

TEST(RulesTeacher, PlansOnDemandOnlyTheFirstSentencesToChange) {
    const auto plan = [](int64_t lines, const Trajectory& trajectory) {
        return RulesTeacher(shipped_rules(), teacher_wordings(), {.plan_lines = lines, .quote_words = 3})
            .respond(trajectory, 1, 0)
            .plan;
    };
    Trajectory wordy = history();
    wordy.instruction.text += " It was closed again, due to the fact that nobody had the ability to pay.";
    wordy.instruction.gold.pop_back();
    const PlanLine river{"It was closed,...", "replace 'river'"}, again{"It was closed...", "tighten the wording"};
    EXPECT_EQ(plan(1, wordy), std::vector{river});
    EXPECT_EQ(plan(5, wordy), (std::vector{river, again}));
    EXPECT_EQ(plan(0, wordy).size(), 4u);
    wordy.instruction.text = "Agnes bought it.";
    wordy.instruction.gold.clear();
    const PlannerResponse nothing_to_change =
        RulesTeacher(shipped_rules(), teacher_wordings(), {.plan_lines = 1}).respond(wordy, 1, 0);
    EXPECT_TRUE(nothing_to_change.plan.empty());
    EXPECT_TRUE(parse_response(print_response(nothing_to_change)).well_formed);
}

TEST(RulesTeacher, LaterStepsPlanOnTheRevision) {
    Trajectory trajectory = history();
    Step step;
    step.revision = "The mill was built in 1841. It was closed because the river silted up. Agnes bought it.";
    trajectory.steps.push_back(step);
    const auto response = teacher().respond(trajectory, 1, 0);
    ASSERT_EQ(response.plan.size(), 3u);
    EXPECT_EQ(response.plan[1].sentence, "It was closed because the river silted up.");
    EXPECT_THAT(response.thought, ::testing::AnyOf(HasSubstr("Still open: "), HasSubstr("Not met yet: ")));
}

TEST(RulesTeacher, WordingsVaryWithTheItemAlone) {
    const auto one = teacher();
    Trajectory second = history();
    second.steps.emplace_back();
    second.steps[0].revision = second.instruction.text;
    std::set<std::string> thoughts;
    for (uint64_t item = 0; item < 20; ++item) thoughts.insert(one.respond(second, item, 0).thought);
    EXPECT_EQ(thoughts.size(), 2u);  // "Still open", "Not met yet"
    EXPECT_EQ(one.respond(second, 3, 0).thought, teacher().respond(second, 3, 0).thought);
}

}  // namespace
}  // namespace craft
