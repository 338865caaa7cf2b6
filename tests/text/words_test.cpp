#include "text/words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace craft {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(WhitespaceWords, SplitsAtPythonsWhiteSpace) {
    EXPECT_THAT(whitespace_words(" a  b\u00A0c\nd\u3000é\x1F"), ElementsAre("a", "b", "c", "d", "é"));
    EXPECT_THAT(whitespace_words(" \t"), IsEmpty());
    EXPECT_EQ(count_whitespace_words(" a  b\u00A0c\nd\u3000é\x1F"), 5);
    EXPECT_EQ(count_whitespace_words("\xFF \xFF"), 2);
}

TEST(CountKeyword, IgnoresCaseAndDoesNotOverlap) {
    EXPECT_EQ(count_keyword("The other THE theatre", "the"), 4);
    EXPECT_EQ(count_keyword("aaaa", "AA"), 2);
    EXPECT_EQ(count_keyword("États et ÉTATS", "états"), 2);
    EXPECT_EQ(count_keyword("anything", ""), 0);
    EXPECT_EQ(count_keyword("", "x"), 0);
    EXPECT_EQ(count_occurrences("The the", "the"), 1);
}

}  // namespace
}  // namespace craft
