#include "gec/sentence_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace craft {
namespace {

using testing::ElementsAre;

TEST(SentenceWords, PunctuationStandsApartAndWordsHoldTogether) {
    EXPECT_THAT(sentence_words("Don't go, well-known Ann's 3.5 (1,000)."),
                ElementsAre("Don't", "go", ",", "well-known", "Ann's", "3.5", "(", "1,000", ")", "."));
    EXPECT_THAT(sentence_words("the teacher 's book is n't \"mine\""),
                ElementsAre("the", "teacher", "'s", "book", "is", "n't", "\"", "mine", "\""));
    EXPECT_THAT(sentence_words("'so it goes'"), ElementsAre("'", "so", "it", "goes", "'"));
    EXPECT_THAT(sentence_words("it\xe2\x80\x99s \xc3\xa9t\xc3\xa9\xe2\x80\xa6"),
                ElementsAre("it\xe2\x80\x99s", "\xc3\xa9t\xc3\xa9", "\xe2\x80\xa6"));
    EXPECT_THAT(sentence_words(" \xe3\x80\x80\n"), ElementsAre());
    EXPECT_THAT(sentence_words("a\xff"), ElementsAre("a", "\xff"));
}

TEST(SentenceWords, GapsAreWhatStandsBetween) {
    const std::string text = "  a  b,c ";
    const WordedText worded(text);
    EXPECT_EQ(worded.gap(0), "  ");
    EXPECT_EQ(worded.gap(1), "  ");
    EXPECT_EQ(worded.gap(2), "");
    EXPECT_EQ(worded.gap(4), " ");
}

TEST(SentenceWords, QuotesOfUnicodeArePlain) {
    EXPECT_EQ(plain_quotes("\xe2\x80\x9cit\xe2\x80\x99s\xe2\x80\x9d \xc3\xa9 \xff"), "\"it's\" \xc3\xa9 \xff");
}

}  // namespace
}  // namespace craft
