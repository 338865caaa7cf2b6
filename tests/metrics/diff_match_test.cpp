#include "metrics/diff_match.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "metrics/registry.h"

namespace craft {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(TextEdits, AreWidenedToWords) {
    EXPECT_THAT(text_edits("I has a dog", "I have a dog"), ElementsAre(TextEdit{"has", "have"}));
    EXPECT_THAT(text_edits("one three", "one two three"),
                ElementsAre(TextEdit{"three", " two three"}));  // the blank goes with the word
    EXPECT_THAT(text_edits("one two", "one two three"), ElementsAre(TextEdit{"two", "two three"}));
    EXPECT_THAT(text_edits("na\u00EFve text", "naive text"), ElementsAre(TextEdit{"na\u00EFve", "naive"}));
}

// "the" stands there three times, so the edit of the first takes the words after it until the part occurs there once.
TEST(TextEdits, StandInTheSourceOnce) {
    EXPECT_THAT(text_edits("the cat the dog the cat", "a cat the dog the cat"),
                ElementsAre(TextEdit{"the cat the", "a cat the"}));
}

TEST(TextEdits, EmptyTexts) {
    EXPECT_THAT(text_edits("", ""), IsEmpty());
    EXPECT_THAT(text_edits("same", "same"), IsEmpty());
    EXPECT_THAT(text_edits("", "new"), ElementsAre(TextEdit{"", "new"}));
    EXPECT_THAT(text_edits("old", ""), ElementsAre(TextEdit{"old", ""}));
    EXPECT_THAT(text_edits(std::string("a\0b", 3), "ab"), ElementsAre(TextEdit{std::string("a\0b", 3), "ab"}));
}

TEST(SharedEdits, CountsEachKindOnceOverTheLargerNumber) {
    const TextEdit one{"a", "b"}, two{"c", "d"}, three{"e", "f"};
    EXPECT_EQ(shared_edits({one, two}, {two, three}), 0.5);
    EXPECT_EQ(shared_edits({one}, {one, two, three, two}), 0.25);
    EXPECT_EQ(shared_edits({one, one}, {one, one}), 0.5);
    EXPECT_EQ(shared_edits({}, {}), 0);
}

TEST(DiffMatch, TakesTheBestReference) {
    const auto metric = make_metric("diff_match");
    MetricItem item{.id = "1",
                    .source = "I has a dog .",
                    .prediction = "I have a dog .",
                    .references = {"I has a cat .", "I have a dog .", "I have a cat ."}};
    EXPECT_EQ(*metric->measure(item).value, 1);
    item.references = {"I has a dog .", "I have a cat ."};
    EXPECT_EQ(*metric->measure(item).value, 0.5);
    item.prediction = item.source;  // a copy makes no edit, and so none of the reference's
    EXPECT_EQ(*metric->measure(item).value, 0);
}

// 100,000 words that are all different, one changed; and a source that repeats one word, with a change at its end.
TEST(TextEdits, LongTexts) {
    std::string source;
    for (int i = 0; i < 100000; ++i) source += "w" + std::to_string(i) + " ";
    EXPECT_THAT(text_edits(source + "x", source + "y"), ElementsAre(TextEdit{"x", "y"}));
    std::string repeated;
    for (int i = 0; i < 20000; ++i) repeated += "ha ";
    EXPECT_EQ(text_edits(repeated, repeated + "ho").size(), 1U);
}

}  // namespace
}  // namespace craft
