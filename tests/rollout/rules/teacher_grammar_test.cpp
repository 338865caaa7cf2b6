// What the built-in teacher writes is a sentence of the grammar that planners can be held to.
#include <gtest/gtest.h>

#include "data/response_grammar.h"
#include "rollout/rules/rules_teacher.h"
#include "tests/rollout/rules/rules_fixture.h"

namespace craft {
namespace {

TEST(TeacherGrammar, TakesWhatTheTeacherWritesByteByByte) {
    const std::vector<std::vector<ToolCall>> gold = {
        {WordCountCheck{90, Relation::less_than}, WordCountCheck{10, Relation::more_than}},
        {KeywordKeepRemovalCheck{"the \"old\" mill", false}},
        {KeywordFrequencyCheck{"it's", 2, Relation::more_than}},
        {SentenceModificationCheck{{3, 1}, false}},
        {SentenceCountCheck{4, Relation::equal}},
        {SentenceLengthCheck{12, Relation::less_than}}};
    uint64_t item = 0;
    size_t bytes = 0;
    for (const std::string& text : shipped_texts()) {
        Trajectory trajectory;
        trajectory.instruction.text = text;
        for (size_t i = 0; i < gold.size(); ++i)
            if ((item >> i & 1) != 0) trajectory.instruction.gold.push_back(gold[i]);
        const RulesTeacher teacher(shipped_rules(), teacher_wordings(), {.quote_words = item % 3 == 0 ? 5 : 0, .seed = 7});
        const std::string response = print_response(teacher.respond(trajectory, item++, 0));
        GrammarState state = response_grammar()->start();
        for (size_t i = 0; i < response.size(); ++i)
            ASSERT_TRUE(state.advance(static_cast<uint8_t>(response[i]))) << response.substr(0, i + 1);
        EXPECT_TRUE(state.may_end()) << response;
        bytes += response.size();
        if (item == 200) break;
    }
    EXPECT_EQ(item, 200u);
    EXPECT_GT(bytes, 50000u);
}

}  // namespace
}  // namespace craft
