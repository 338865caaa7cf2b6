#include "metrics/update_rouge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace craft {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(AddedSentences, StandNotInTheSource) {
    EXPECT_THAT(added_sentences("One. Two.", "One. New one. Two."), ElementsAre("New one."));
    EXPECT_THAT(added_sentences("One. Two.", "Two. One."), ElementsAre("One."));  // " One." is no part, "Two." is
    EXPECT_THAT(added_sentences("One.", "One"), IsEmpty());
    EXPECT_THAT(added_sentences("One", "Wait... what"), ElementsAre("Wait.", "what"));
    EXPECT_THAT(added_sentences("", "A.\n \n"), ElementsAre("A.", ""));
    EXPECT_THAT(added_sentences("One.", ""), IsEmpty());
    EXPECT_THAT(added_sentences("", "..."), IsEmpty());
}

double f_of(const std::string& source, const std::string& prediction, const std::string& reference, RougeKind kind) {
    return update_rouge(source, prediction, {reference})[0][kind].f;
}

// What both keep does not count: "new cat sat." beside "new cat." shares 2 words of 3 and of 2, F = 2 (2/3) / (2/3 + 1) =
// 4/5.
TEST(UpdateRouge, ByHand) {
    EXPECT_DOUBLE_EQ(f_of("Old text.", "Old text. New cat sat.", "Old text. New cat.", kRouge1), 0.8);
    EXPECT_DOUBLE_EQ(f_of("Old text.", "Old text. New cat sat.", "Old text. New cat.", kRouge2), 2.0 / 3);
}

TEST(UpdateRouge, NothingAddedOnBothSidesIsRight) {
    EXPECT_EQ(f_of("A. B.", "A.", "A. B.", kRouge1), 1);
    EXPECT_EQ(f_of("A. B.", "", "A. B.", kRougeLsum), 1);
    EXPECT_EQ(f_of("A. B.", "A. B.", "A. C.", kRouge1), 0);
    EXPECT_EQ(f_of("A. B.", "A. C.", "A. B.", kRouge1), 0);
}

// 500 kB whose parts nearly stand in the source everywhere: linear, not the product of the lengths.
TEST(UpdateRouge, LongTexts) {
    const std::string source(500000, 'a'), text = std::string(250000, 'a') + "b." + std::string(250000, 'a') + "c.";
    EXPECT_EQ(added_sentences(source, text).size(), 2U);
}

// Half a million sentences that are the same are looked for once.
TEST(UpdateRouge, ManySentences) {
    std::string text, source(500000, 'x');
    for (int i = 0; i < 500000; ++i) text += "a.";
    EXPECT_EQ(added_sentences(source, text).size(), 500000U);
}

}  // namespace
}  // namespace craft
