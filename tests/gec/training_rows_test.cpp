#include "gec/training_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gec/direct_corrector.h"
#include "gec/trace_conversation.h"
#include "gec/trace_score.h"
#include "tests/gec/scripted_model.h"

namespace craft {
namespace {

using testing::HasSubstr;

TEST(CorrectionScores, AreF05LessWhatIsWrong) {
    const std::string source = "He go to school in a bus .", gold = "He goes to school by bus .";
    const CorrectionScore none = score_correction(source, source, gold);
    EXPECT_EQ(none.f05, 0);
    EXPECT_EQ(none.value, 0);
    EXPECT_EQ(score_correction(source, gold, gold).value, 1);
    // One of gold's three edits (go -> goes; in -> by; a taken out): 1.25 / (1.25 + .25 * 2).
    const CorrectionScore half = score_correction(source, "He goes to school in a bus .", gold);
    EXPECT_EQ(half.right, 1);
    EXPECT_EQ(half.missed, 2);
    EXPECT_DOUBLE_EQ(half.f05, 1.25 / 1.75);
    EXPECT_LT(score_correction(source, "He go to schools in a bus .", gold).value, 0);
    EXPECT_EQ(score_correction(gold, gold, gold).value, 1);
    EXPECT_DOUBLE_EQ(score_correction(gold, "She goes to school by bus .", gold).value, -.1);
}

TEST(CorrectionScores, AreWorthGleuWhereItIsAsked) {
    const std::string source = "He go to school .", gold = "He goes to school .";
    const auto value = [&](const std::string& text, double penalty) {
        return score_correction(source, text, gold, penalty, CorrectionMetric::gleu).value;
    };
    EXPECT_DOUBLE_EQ(value(gold, .1), 1);
    // Of the source 4 of 5 words are gold's, less 1 that the source alone has; of 4, 3 and 2 longer n-grams 2, 1 and 0, less
    // 2, 2 and 2: 3/5, and 1 for each 0.
    EXPECT_DOUBLE_EQ(value(source, .1), std::pow(.6 / 4 / 3 / 2, .25));
    EXPECT_DOUBLE_EQ(value("He goes in school .", 0) - value("He goes in school .", .1), .1);
    // Marks count as words wherever they are written.
    EXPECT_DOUBLE_EQ(score_correction("He go.", "He goes.", "He goes .", 0, CorrectionMetric::gleu).value, 1);
}

class TrainingRowsOf : public testing::Test {
protected:
    AgentTrace trace(const std::vector<std::string>& replies, const std::string& sentence = "I has two cat .") {
        ScriptedModel model(replies);
        return GrammarAgent(model, tools_, prompt_, {}).correct(sentence, 0, 0);
    }
    TrainingRows rows(const std::vector<AgentTrace>& traces, const std::string& gold = "I have two cats .",
                      const TrainingRowOptions& options = {}) {
        const auto as_conversation = [&](const AgentTrace& one) {
            return trace_conversation(one, prompt_, TraceForm::react);
        };
        return training_rows("s1", gold, traces, as_conversation, options);
    }
    const std::string has_ = acting("transform", R"({"from":"has","to":"have"})");
    const std::string cat_ = acting("transform", R"({"from":"cat","to":"cats"})");
    const std::string two_ = acting("transform", R"({"from":"two","to":"2"})");
    ToolSet tools_ = ToolSet(scripted_tools());
    AgentPrompt prompt_ = AgentPrompt(PromptFiles(), tools_, {});
};

TEST_F(TrainingRowsOf, TheBestTraceIsAConversation) {
    const AgentTrace good =
        trace({"I like cats.", has_, acting("delete", R"({"words":"dog"})"), cat_, answering("I have two cats .")});
    const TrainingRows made = rows({trace({answering("I has two cat .")}), good});
    ASSERT_TRUE(made.conversation);
    EXPECT_EQ(made.value, 1);
    EXPECT_EQ(made.source_value, 0);
    const Json& messages = made.conversation->messages;
    ASSERT_EQ(messages.size(), 11u);
    EXPECT_EQ(messages[2]["weight"], 0);  // could not be read
    EXPECT_FALSE(messages[4].contains("weight"));
    EXPECT_EQ(messages[4]["content"], has_);
    EXPECT_EQ(messages[6]["weight"], 0);  // refused
    EXPECT_EQ(messages[10]["content"], answering("I have two cats ."));
}

TEST_F(TrainingRowsOf, ThatDoNotHelpAreLeftOut) {
    EXPECT_EQ(rows({trace({answering("I has two cat .")})}).no_conversation, "not better");
    EXPECT_EQ(rows({trace({two_, answering("I has 2 cat .")})}).no_conversation, "not better");
    EXPECT_EQ(rows({trace({has_, cat_, "?", "?"})}).no_conversation, "not final");
    EXPECT_TRUE(rows({trace({answering("I have .")}, "I have .")}, "I have .").conversation);
    EXPECT_EQ(rows({trace({two_, answering("I has 2 cat .")})}, "I has two cat .").no_conversation, "not better");
}

TEST_F(TrainingRowsOf, BestAndWorstArePairedBehindWhatTheyShare) {
    const AgentTrace good = trace({has_, cat_, answering("I have two cats .")});
    const AgentTrace bad = trace({has_, two_, answering("I have 2 cat .")});
    const TrainingRows made = rows({bad, good});
    ASSERT_TRUE(made.pair);
    const Json row = to_json(*made.pair);
    EXPECT_EQ(row["prompt"].size(), 4u);  // rules, sentence, the step that both took, what came of it
    EXPECT_EQ(row["chosen"][0]["content"], cat_);
    EXPECT_EQ(row["rejected"][0]["content"], two_);
    EXPECT_EQ(row["chosen"].size(), 3u);
    EXPECT_NO_THROW(pair_from_json(row, "row"));
    EXPECT_EQ(rows({good}).no_pair, "one trace");
    EXPECT_EQ(rows({good, good}).no_pair, "gap");
    EXPECT_EQ(rows({good, good}, "I have two cats .", {.min_gap = 0}).no_pair, "same steps");
}

TEST_F(TrainingRowsOf, AChangeThatWasTakenBackIsNotLearntAndItsWithdrawalIs) {
    const AgentTrace good = trace({has_, two_, acting("withdraw", "{}"), cat_, answering("I have two cats .")});
    const Json messages = trace_conversation(good, prompt_, TraceForm::react).messages;
    ASSERT_EQ(messages.size(), 11u);
    EXPECT_FALSE(messages[2].contains("weight"));
    EXPECT_EQ(messages[4]["content"], two_);
    EXPECT_EQ(messages[4]["weight"], 0);
    EXPECT_FALSE(messages[6].contains("weight"));
    EXPECT_FALSE(messages[8].contains("weight"));
}

TEST_F(TrainingRowsOf, DirectlyAskedAndAnsweredHasTheMessagesOfTheDirectCorrector) {
    const AgentTrace good = trace({has_, cat_, answering("I have two cats .")});
    const PromptFiles prompts;
    const Json made = direct_conversation(good, WordingTable::load(prompts.path("gec.direct.json"))).messages;
    ASSERT_EQ(made.size(), 3u);
    EXPECT_EQ(made[2]["content"], "Final Answer: I have two cats .");
    ScriptedModel model({made[2]["content"].get<std::string>()});
    const AgentTrace asked = DirectCorrector(model, prompts, {}).correct(good.source, 0, 0);
    EXPECT_EQ(to_json(model.asked[0]), Json({made[0], made[1]}));
    EXPECT_EQ(asked.text, "I have two cats .");
}

TEST_F(TrainingRowsOf, CallsStandAsToolCalls) {
    const AgentTrace good = trace({acting("search_examples", "number"), has_, answering("I have two cat .")});
    const Conversation made = trace_conversation(good, prompt_, TraceForm::tool_calls);
    const Json& messages = made.messages;
    ASSERT_EQ(messages.size(), 7u);
    EXPECT_THAT(messages[0]["content"].get<std::string>(), testing::Not(HasSubstr("Action Input")));
    EXPECT_EQ(messages[2]["tool_calls"][0]["function"],
              Json::parse(R"({"name":"search_examples","arguments":{"concept":"number"}})"));
    EXPECT_EQ(messages[3]["role"], "tool");
    EXPECT_EQ(messages[3]["tool_call_id"], messages[2]["tool_calls"][0]["id"]);
    EXPECT_EQ(messages[4]["content"], "I see.");
    EXPECT_EQ(messages[6]["content"], "I have two cat .");
    EXPECT_EQ(messages[6]["reasoning_content"], "All is well.");
    EXPECT_EQ(made.tools.size(), 8u);
    UnknownKeys unknown;
    const Json row = {{"messages", made.messages}, {"tools", made.tools}};
    EXPECT_EQ(conversation_from_row(row, "messages", "row", &unknown, {}).messages.size(), 7u);
    EXPECT_TRUE(unknown.counts().empty());
}

}  // namespace
}  // namespace craft
