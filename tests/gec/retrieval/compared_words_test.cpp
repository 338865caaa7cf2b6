#include "gec/retrieval/compared_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace craft {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ComparedWords, SignsAreWordsAndApostrophesStayWithin) {
    EXPECT_THAT(compared_words("Don’t go, NEAR! the dogs' X-ray"),
                ElementsAre("don't", "go", ",", "near", "!", "the", "dogs", "'", "x", "-", "ray"));
    EXPECT_THAT(compared_words(" \t\n"), IsEmpty());
    EXPECT_THAT(compared_words("a\xff"), ElementsAre("a", "\xff")) << "any bytes";
}

TEST(ComparedWords, SearchWordsHaveLettersAndComeOnce) {
    EXPECT_THAT(search_words("The cat -- the CAT's 9 lives: \"nine\"?"),
                ElementsAre("the", "cat", "cat's", "9", "lives", "nine"));
    EXPECT_THAT(search_words("?! -- \"\""), IsEmpty());
}

TEST(ComparedWords, QueriesQuoteEachWord) {
    EXPECT_EQ(any_of_words({"near", "don't", "a\"b"}), "\"near\" OR \"don't\" OR \"a\"\"b\"");
    EXPECT_EQ(any_of_words({}), "");
}

TEST(ComparedWords, ALineThatIsShownHasNoControlAndAnEnd) {
    EXPECT_EQ(shown_line("  one\n\ttwo\x1b[0m \u202Ethree\u200B  ", 100), "one two [0m three");
    EXPECT_EQ(shown_line("äöüß", 2), "äö...");
    EXPECT_EQ(shown_line("äö", 2), "äö");
    EXPECT_EQ(shown_line("a\xff", 9), "a\uFFFD");
}

}  // namespace
}  // namespace craft
