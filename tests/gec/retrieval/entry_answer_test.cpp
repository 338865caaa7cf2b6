#include "gec/retrieval/entry_answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace craft {
namespace {

const SentencePair kPair{"1", "She depend of apple.", "She depends on an apple.", {}};

std::string problem_of(const std::string& reply) {
    return read_entry_answer(reply, kPair).problem;
}
std::string answer_with(const std::string& modification, const std::string& from, const std::string& to,
                        const std::string& knowledge = "preposition") {
    return Json::array(
               {{{"knowledge", knowledge}, {"modification", modification}, {"from", from}, {"to", to}, {"pattern", "p"}}})
        .dump();
}

TEST(EntryAnswer, AListOfEntriesIsRead) {
    const std::string reply =
        R"([{"knowledge":" Wrong preposition ","modification":"transform","from":"of","to":"on","pattern":"depend [of → on]"},
            {"knowledge":"article","modification":"insert","from":"","to":"an","pattern":""}])";
    for (const std::string& form :
         {reply, "```json\n" + reply + "\n```", " ```\n" + reply + "```\n", "```JSON\n" + reply + "\n```"}) {
        const EntryAnswer answer = read_entry_answer(form, kPair);
        EXPECT_EQ(answer.problem, "") << form;
        ASSERT_EQ(answer.entries.size(), 2u);
        EXPECT_EQ(answer.entries[0].knowledge, "Wrong preposition");
        EXPECT_EQ(answer.entries[0].modification, EditOperation::transform);
        EXPECT_EQ(answer.entries[0].pattern, "depend [of → on]");
        EXPECT_EQ(answer.entries[1].to, "an");
    }
}

TEST(EntryAnswer, WhatIsNotOfTheFormIsUnreadable) {
    EXPECT_EQ(problem_of(answer_with("transform", "of", "on")), "");
    EXPECT_EQ(problem_of(""), "no JSON");
    EXPECT_EQ(problem_of("Here it is: " + answer_with("transform", "of", "on")), "no JSON");
    EXPECT_EQ(problem_of("[]"), "no list");
    EXPECT_EQ(problem_of("{}"), "no list");
    EXPECT_EQ(problem_of("[1]"), "wrong fields");
    EXPECT_EQ(problem_of(R"([{"knowledge":"a","modification":"insert","from":"","to":1,"pattern":""}])"), "wrong fields");
    EXPECT_EQ(problem_of(answer_with("transform", "of", "on", "")), "wrong fields");
    EXPECT_EQ(problem_of(answer_with("transform", "of", "on", std::string(301, 'x'))), "wrong fields");
    EXPECT_EQ(problem_of(answer_with("Transform", "of", "on")), "unknown modification");
    EXPECT_EQ(problem_of(answer_with("transform", "with", "on")), "words that are not in the sentences");
    EXPECT_EQ(problem_of(answer_with("transform", "of", "at")), "words that are not in the sentences");
    EXPECT_EQ(problem_of(answer_with("insert", "of", "an")), "words and modification do not agree");
    EXPECT_EQ(problem_of(answer_with("delete", "of", "on")), "words and modification do not agree");
    EXPECT_EQ(problem_of(answer_with("transform", "of", "")), "words and modification do not agree");
    Json many = Json::array();
    for (int i = 0; i < 21; ++i) many.push_back(Json::parse(answer_with("transform", "of", "on"))[0]);
    EXPECT_EQ(problem_of(many.dump()), "too many entries");
    Json two = Json::array({many[0], Json::parse(answer_with("transform", "x", "on"))[0]});
    EXPECT_TRUE(read_entry_answer(two.dump(), kPair).entries.empty()) << "one wrong entry spoils the answer";
}

}  // namespace
}  // namespace craft
