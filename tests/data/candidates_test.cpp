#include "data/candidates.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace craft {
namespace {

TEST(Candidates, AreReadAndWrittenAsTheyWere) {
    const Json row = Json::parse(
        R"({"id":"a","source":"S.","policy":"lexical","candidates":[{"system":"x","text":"T."},{"system":"y","text":"","cut":true}]})");
    UnknownKeys unknown;
    const CandidateGroup group = candidate_group_from_json(row, "f:1", &unknown);
    EXPECT_EQ(group.candidates.size(), 2u);
    EXPECT_TRUE(group.candidates[1].is_cut);
    EXPECT_EQ(to_json(group), row);
    EXPECT_TRUE(unknown.counts().empty());
}

TEST(Candidates, NumbersComeWithThem) {
    const Json row = Json::parse(
        R"({"id":"a","source":"S.","candidates":[{"system":"x","text":"T.","scores":{"length":3.0,"lens":71.5}}]})");
    UnknownKeys unknown;
    const CandidateGroup group = candidate_group_from_json(row, "f:1", &unknown);
    EXPECT_EQ(group.candidates[0].scores, (std::map<std::string, double>{{"lens", 71.5}, {"length", 3}}));
    EXPECT_EQ(to_json(group), row);
    EXPECT_TRUE(unknown.counts().empty());
    const auto scores = [](const char* text) {
        Json object = Json::parse(R"({"id":1,"source":"S","candidates":[{"system":"x","text":"T"}]})");
        object["candidates"][0]["scores"] = Json::parse(text);
        return candidate_group_from_json(object, "f:2").candidates[0].scores;
    };
    EXPECT_TRUE(scores(R"({"lens":null})").empty());
    EXPECT_THROW(scores(R"({"lens":"7"})"), Error);
    EXPECT_THROW(scores("[7]"), Error);
}

TEST(Candidates, PlannersAnswersComeWithThem) {
    const Json row = Json::parse(
        R"({"id":"a","source":"S.","instruction":"Be short.","candidates":[{"system":"x","text":"T.","response":"None."},{"system":"y","text":"U.","response":""},{"system":"z","text":"V."}]})");
    UnknownKeys unknown;
    const CandidateGroup group = candidate_group_from_json(row, "f:1", &unknown);
    EXPECT_EQ(group.instruction, "Be short.");
    EXPECT_EQ(group.candidates[0].response, "None.");
    EXPECT_EQ(group.candidates[1].response, "");
    EXPECT_FALSE(group.candidates[2].response);
    EXPECT_EQ(to_json(group), row);
    EXPECT_TRUE(unknown.counts().empty());
}

TEST(Candidates, UnknownKeysAreCountedAndWrongOnesRefused) {
    UnknownKeys unknown;
    const auto read = [&](const char* text) { return candidate_group_from_json(Json::parse(text), "f:3", &unknown); };
    read(R"({"id":1,"source":"S","colour":2,"candidates":[{"system":"x","text":"T","score":1}]})");
    EXPECT_EQ(unknown.counts(), (std::map<std::string, int64_t>{{"candidates.score", 1}, {"colour", 1}}));
    for (const char* wrong :
         {R"({"id":1,"source":"S"})", R"({"id":1,"source":"S","candidates":[]})", R"({"id":1,"source":"S","candidates":{}})",
          R"({"id":1,"source":"S","candidates":["T"]})", R"({"id":1,"source":"S","candidates":[{"system":"x"}]})",
          R"({"id":1,"candidates":[{"system":"x","text":"T"}]})",
          R"({"id":1,"source":"S","candidates":[{"system":"x","text":"T","cut":1}]})"})
        EXPECT_THROW(read(wrong), Error) << wrong;
    try {
        read(R"({"id":1,"source":"S","candidates":[{"system":"x","text":"T"},{"system":"x"}]})");
        FAIL();
    } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find("f:3: candidate 1: field 'text'"), std::string::npos) << e.what();
    }
}

}  // namespace
}  // namespace craft
