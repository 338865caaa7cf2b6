// Instructions that were rewritten: whether they still say every value.
#include "constraints/keeps_values.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

struct Rewriting {
    std::string text;
    bool kept;
};

void expect_kept(const std::string& original, const Constraint& constraint, const std::vector<Rewriting>& rewritings) {
    for (const auto& [text, kept] : rewritings) EXPECT_EQ(keeps_values(text, original, {constraint}), kept) << text;
}

TEST(KeepsValues, Counts) {
    const Constraint c{Shape::words_less, {}, 46, 0, ""};
    expect_kept("Use at most 45 words:", c,
                {{"No more than 45 words, please.", true},
                 {"No more than forty-five words.", true},
                 {"At most Forty Five words.", true},
                 {"Be brief.", false},
                 {"At most 46 words.", false},
                 {"At most 145 words.", false},
                 {"At most 4-5 words.", false},
                 {"At most one hundred and forty-five words.", false},
                 {"Use 1,045 words.", false}});
    const Constraint range{Shape::words_range, {}, 1300, 1199, ""};
    expect_kept("Use between 1200 and 1299 words:", range,
                {{"Keep it from 1,200 to 1,299 words", true},
                 {"From twelve hundred to 1299", true},
                 {"About 1200 words", false},
                 {"Up to 1299 words", false}});
}

TEST(KeepsValues, IdsAndTimes) {
    const Constraint ids{Shape::keep_two, {5, 21}, 0, 0, ""};
    expect_kept("Keep the 5th and 21st sentences:", ids,
                {{"Sentences 5 and 21 stay.", true},
                 {"The fifth and the twenty-first sentence stay.", true},
                 {"Leave sentences (5,21) alone", true},
                 {"The twenty-fifth and the twenty-first stay.", false},
                 {"The fifth sentence stays.", false},
                 {"Sentences 15 and 21", false}});
    const Constraint times{Shape::frequency_at_least, {}, 1, 0, "seven"};
    expect_kept("Use 'seven' at least 2 times:", times,
                {{"Write 'seven' twice or more.", true},
                 {"Have \"seven\" two times at least.", true},
                 {"Have \u201cseven\u201d appear twice.", true},
                 {"Write 'seven' more often.", false},
                 {"Write seven twice.", false}});
}

TEST(KeepsValues, SentencesNamedByTheirPlaceAreNotLookedFor) {
    const Constraint third{Shape::keep_one, {3}, 0, 0, ""};
    EXPECT_TRUE(keeps_values("Do not touch the closing sentence", "Keep the last sentence:", {third}));
    EXPECT_FALSE(keeps_values("Do not touch the closing sentence", "Keep the third sentence:", {third}));
}

TEST(KeepsValues, Keywords) {
    const Constraint c{Shape::keyword_remove, {}, 0, 0, "art"};
    expect_kept("Remove 'art':", c,
                {{"Without 'art', please", true},
                 {"Without the term \"art.\"", true},
                 {"Drop the 'party'", false},
                 {"Drop 'Art'", false},
                 {"Drop art", false}});
    // A keyword that is a number stands for no count.
    const Constraint seven{Shape::frequency_exactly, {}, 7, 0, "seven"};
    EXPECT_TRUE(keeps_values("'seven' shall stand there 7 times", "Use 'seven' 7 times:", {seven}));
    EXPECT_FALSE(keeps_values("'seven' shall stand there", "Use 'seven' 7 times:", {seven}));
    EXPECT_TRUE(keeps_values("anything", "Improve this:", {}));
}

}  // namespace
}  // namespace craft
