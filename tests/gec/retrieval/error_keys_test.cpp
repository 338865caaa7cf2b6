#include "gec/retrieval/error_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace craft {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::IsSupersetOf;

TEST(ErrorKeys, WrongWordsComeWithTheirNeighbours) {
    EXPECT_THAT(error_keys("She depends", "of", "her brother.", false),
                ElementsAre("depends of her", "depends of", "of her"));
    EXPECT_THAT(error_keys("I have", "recieved", "it", true),
                ElementsAre("have recieved it", "have recieved", "recieved it", "recieved"));
    EXPECT_THAT(error_keys("", "Informations", "is", true), ElementsAre("informations is", "informations"))
        << "the first word: each key once";
    EXPECT_THAT(error_keys("a", "b c d e f", "g", true), IsEmpty()) << "longer than four words";
}

TEST(ErrorKeys, AnInsertionHasBothNeighbours) {
    EXPECT_THAT(error_keys("He bought", "", "bicycle", false), ElementsAre("bought bicycle"));
    EXPECT_THAT(error_keys("", "", "Bicycle", false), IsEmpty()) << "what a sentence begins with is no sign of an error";
}

TEST(ErrorKeys, ASentenceMayHaveTheErrorsOfAllItsRuns) {
    const auto keys = possible_error_keys("He depends of me.");
    EXPECT_EQ(keys.front(), "he depends of me");
    EXPECT_THAT(keys, IsSupersetOf({"depends of", "depends of me", "of me", "me .", "of"}));
    // 5 words: 2 runs of 4, 3 of 3, 4 of 2, 5 of 1.
    EXPECT_EQ(keys.size(), 14u);
    EXPECT_THAT(possible_error_keys(""), IsEmpty());
}

}  // namespace
}  // namespace craft
