#include "gec/edit_action.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

std::string edited(const std::string& action, const std::string& input, const std::string& sentence) {
    const EditResult result = apply_edit(action, Json::parse(input), sentence);
    return result.refused.empty() ? result.sentence : "refused: " + result.refused;
}

TEST(EditActions, ChangeWhatStandsThere) {
    EXPECT_EQ(edited("transform", R"({"from": "have", "to": "has"})", "My sister have two cat."), "My sister has two cat.");
    EXPECT_EQ(edited("transform", R"({"from": "cat.", "to": "cats."})", "two cat."), "two cats.");
    EXPECT_EQ(edited("rearrange", R"({"from": "you are", "to": "are you"})", "Why you are late?"), "Why are you late?");
    EXPECT_EQ(edited("transform", R"({"from": "it's", "to": "its"})", "on it\xe2\x80\x99s  way"), "on its  way");
    EXPECT_EQ(edited("transform", R"({"from": "the", "to": "a", "occurrence": 2})", "the cat saw the dog"),
              "the cat saw a dog");
    EXPECT_EQ(edited("delete", R"({"words": "about"})", "We discussed about it."), "We discussed it.");
    EXPECT_EQ(edited("delete", R"({"": "very"})", "home very."), "home.");
    EXPECT_EQ(edited("delete", R"({"words": "The"})", "The life is good."), "life is good.");
    EXPECT_EQ(edited("delete", R"({"words": "very"})", "(very good)"), "(good)");
}

TEST(EditActions, InsertedWordsAreSpacedAsTheSentenceIs) {
    EXPECT_EQ(edited("insert", R"({"after": "go", "text": "to"})", "I go school."), "I go to school.");
    EXPECT_EQ(edited("insert", R"({"before": "school", "text": "to"})", "I go school."), "I go to school.");
    EXPECT_EQ(edited("insert", R"({"after": "safe", "text": ","})", "We are safe but cold."), "We are safe, but cold.");
    EXPECT_EQ(edited("insert", R"({"before": "but", "text": ","})", "We are safe but cold."), "We are safe, but cold.");
    EXPECT_EQ(edited("insert", R"({"after": "safe", "text": ","})", "We are safe but cold ."), "We are safe , but cold .");
    EXPECT_EQ(edited("insert", R"({"before": "cat", "text": "The"})", "cat sleeps."), "The cat sleeps.");
    EXPECT_EQ(edited("insert", R"({"after": "home", "text": "."})", "I go home"), "I go home.");
    EXPECT_EQ(edited("insert", R"({"before": "good", "text": "very"})", "(good)"), "(very good)");
    EXPECT_EQ(edited("insert", R"({"before": "Hello", "text": "\""})", "Hello, world!\""), "\"Hello, world!\"");
    EXPECT_EQ(edited("insert", R"({"before": "Hello", "text": "\""})", "Hello , world ! \""), "\" Hello , world ! \"");
    EXPECT_EQ(edited("insert", R"({"before": ".", "text": "home"})", "I go."), "I go home.");
}

TEST(EditActions, ThatAreUnclearAreRefused) {
    const std::string sentence = "the cat saw the dog";
    EXPECT_EQ(edited("transform", R"({"from": "a cat", "to": "x"})", sentence), "refused: absent");
    EXPECT_EQ(edited("transform", R"({"from": "The", "to": "A"})", sentence), "refused: absent");
    EXPECT_EQ(edited("transform", R"({"from": "the", "to": "a"})", sentence), "refused: several_places");
    EXPECT_EQ(edited("transform", R"({"from": "the", "to": "a", "occurrence": 3})", sentence), "refused: occurrence");
    EXPECT_EQ(edited("transform", R"({"from": "cat", "to": "cat"})", sentence), "refused: no_change");
    EXPECT_EQ(edited("transform", R"({"from": "the cat saw the dog", "to": "a cat saw a dog"})", sentence),
              "refused: several_changes");
    EXPECT_EQ(edited("rearrange", R"({"from": "cat saw", "to": "saw it cat"})", sentence), "refused: other_words");
    for (const char* input :
         {R"({})", R"({"from": "cat"})", R"({"from": "cat", "to": " "})", R"({"from": "cat", "to": 3})",
          R"({"from": "cat", "to": "cow", "why": "x"})", R"({"from": "cat", "to": "cow", "occurrence": 0})",
          R"({"from": "cat", "to": "cow", "occurrence": "1"})", R"({"": "cat"})", R"({"from": "cat", "to": "a\nb"})",
          R"({"from": "cat", "to": "a\u0000b"})", R"({"from": "cat", "to": "a\u202eb"})"})
        EXPECT_EQ(edited("transform", input, sentence), "refused: input") << input;
    for (const char* input : {R"({"text": "a"})", R"({"text": "a", "after": "cat", "before": "saw"})", R"({"after": "cat"})",
                              R"({"after": "cat", "text": "a\u2028b"})"})
        EXPECT_EQ(edited("insert", input, sentence), "refused: input") << input;
    EXPECT_EQ(apply_edit("delete", Json::parse(R"({"words": "bird"})"), sentence).told.at("words"), "bird");
}

}  // namespace
}  // namespace craft
