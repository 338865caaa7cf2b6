#include "metrics/ngrams.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace craft {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(NgramIds, EqualNgramsHaveOneNumber) {
    NgramIds ids({"a b a b", "", "b a b"});
    EXPECT_THAT(ids.of(0), ElementsAre(0, 1, 0, 1));
    EXPECT_THAT(ids.of(1), IsEmpty());
    EXPECT_THAT(ids.of(2), ElementsAre(1, 0, 1));
    EXPECT_EQ(ids.types(), 2u);
    ids.advance();  // ab 0, ba 1
    EXPECT_THAT(ids.of(0), ElementsAre(0, 1, 0));
    EXPECT_THAT(ids.of(2), ElementsAre(1, 0));
    ids.advance();  // aba 0, bab 1
    EXPECT_THAT(ids.of(0), ElementsAre(0, 1));
    EXPECT_THAT(ids.of(2), ElementsAre(1));
    ids.advance();  // abab 0
    EXPECT_THAT(ids.of(0), ElementsAre(0));
    EXPECT_THAT(ids.of(2), IsEmpty());
    EXPECT_EQ(ids.types(), 1u);
    ids.advance();
    EXPECT_THAT(ids.of(0), IsEmpty());
    EXPECT_EQ(ids.words(0), 4u);
}

}  // namespace
}  // namespace craft
