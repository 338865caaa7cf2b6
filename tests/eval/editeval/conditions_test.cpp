#include "eval/editeval/conditions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace craft {
namespace {

Json whole_result() {
    Json prompts = Json::array();
    for (const char* prompt : {"B", "A"}) prompts.push_back({{"prompt", prompt}, {"metrics", Json::object()}});
    return {{"normalize", "treebank"},
            {"settings", {{"items", 0}, {"first_word", nullptr}}},
            {"metrics", {{"sari", "sari|x"}}},
            {"datasets", {{"wnc", {{"count", 3}, {"missing", 0}, {"references", {{"count", 1}}}, {"prompts", prompts}}}}}};
}

std::vector<std::string> named(const Json& a, const Json& b) {
    std::vector<std::string> names;
    for (const ConditionDifference& one : differences_of({{"a", conditions_of(a)}, {"b", conditions_of(b)}}))
        names.push_back(one.condition);
    return names;
}

TEST(EditConditions, OfAResult) {
    EXPECT_EQ(conditions_of(whole_result()), (EditConditions{{"normalize", "treebank"},
                                                             {"items", 0},
                                                             {"signature of sari", "sari|x"},
                                                             {"wnc: items", 3},
                                                             {"wnc: missing predictions", 0},
                                                             {"wnc: references", 1},
                                                             {"wnc: prompts", {"A", "B"}}}));
    EXPECT_TRUE(conditions_of(Json::array()).empty());
    EXPECT_TRUE(conditions_of({{"datasets", {{"wnc", Json::array()}}}, {"metrics", 1}, {"settings", "x"}}).empty());
}

TEST(EditConditions, EachThatDiffersIsNamed) {
    const Json whole = whole_result();
    EXPECT_TRUE(named(whole, whole).empty());
    const std::pair<const char*, Json> changes[] = {
        {"normalize", {{"normalize", "none"}}},
        {"items", {{"settings", {{"items", 1}}}}},
        {"signature of sari", {{"metrics", {{"sari", "sari|y"}}}}},
        {"wnc: items", {{"datasets", {{"wnc", {{"count", 2}}}}}}},
        {"wnc: references", {{"datasets", {{"wnc", {{"references", {{"count", 2}}}}}}}}}};
    for (const auto& [name, patch] : changes) {
        Json other = whole;
        other.merge_patch(patch);
        EXPECT_THAT(named(whole, other), testing::ElementsAre(name));
    }
    Json turned = whole, fewer = whole;
    std::swap(turned["datasets"]["wnc"]["prompts"][0], turned["datasets"]["wnc"]["prompts"][1]);
    EXPECT_TRUE(named(whole, turned).empty()) << "their order is no matter";
    fewer["datasets"]["wnc"]["prompts"].erase(0);
    EXPECT_THAT(named(whole, fewer), testing::ElementsAre("wnc: prompts"));
}

TEST(EditConditions, WhatOneDoesNotSayIsNoDifference) {
    Json asked = whole_result(), other = whole_result();
    asked["settings"]["first_word"] = "Task";  // the other was scored from a file, whose prompts nobody knows
    other["metrics"].erase("sari");
    other["datasets"].erase("wnc");
    EXPECT_TRUE(named(asked, other).empty());
}

TEST(EditConditions, WhereTheFileOfT5LiesIsNoMatter) {
    Json one = whole_result(), other = one;
    one["normalize"] = "t5:a/spiece.model";
    other["normalize"] = "t5:spiece.model";
    one["settings"]["t5"] = other["settings"]["t5"] = "xxh64:1";
    EXPECT_TRUE(named(one, other).empty());
    other["settings"]["t5"] = "xxh64:2";
    EXPECT_THAT(named(one, other), testing::ElementsAre("t5"));
}

TEST(EditConditions, MissingPredictionsAreNamedThoughTheyAreAsMany) {
    Json one = whole_result();
    one["datasets"]["wnc"]["missing"] = 2;
    EXPECT_THAT(named(one, one), testing::ElementsAre("wnc: missing predictions"));
    EXPECT_THAT(named(one, whole_result()), testing::ElementsAre("wnc: missing predictions"));
}

}  // namespace
}  // namespace craft
