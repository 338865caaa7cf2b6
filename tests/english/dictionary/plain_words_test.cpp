#include "english/dictionary/plain_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.h"
#include "english/dictionary/english_dictionary.h"
#include "tests/core/temporary_folder.h"
#include "tests/english/dictionary/installed.h"
#include "text/words.h"

namespace craft {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(PlainWords, OfWordsGoByKind) {
    const PlainWords list = PlainWords::parse("# said\n\nconduct v: carry out\nconduct n: behaviour\r\n", "list");
    EXPECT_EQ(list.of_word("conduct", WordKind::verb), "carry out");
    EXPECT_EQ(list.of_word("conduct", WordKind::noun), "behaviour");
    EXPECT_FALSE(list.of_word("conduct", WordKind::adjective));
    EXPECT_FALSE(list.of_word("", WordKind::verb));
    EXPECT_EQ(list.size(), 2u);
}

TEST(PlainWords, TheLongestPhraseCounts) {
    const PlainWords list = PlainWords::parse("in order p: so\nin order to p: to\nwhilst p: while\n", "list");
    EXPECT_EQ(list.longest_phrase(), 3u);
    const auto found = list.of_phrase({"in", "order", "to", "win"});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->plain, "to");
    EXPECT_EQ(found->words, 3u);
    EXPECT_EQ(list.of_phrase({"in", "order", "that"})->words, 2u);
    EXPECT_EQ(list.of_phrase({"whilst"})->plain, "while");
    EXPECT_FALSE(list.of_phrase({"in"}));
    EXPECT_FALSE(list.of_phrase({}));
}

TEST(PlainWords, OtherFormsAreNamedByLine) {
    for (const char* line :
         {"conduct: do", "conduct v do", "conduct x: do", " v: do", "conduct v: ", "v: do", ": do", "conduct"})
        EXPECT_THROW(PlainWords::parse(line, "list"), Error) << line;
    EXPECT_THAT(message_of([] { PlainWords::parse("a v: b\n\nbad\n", "list"); }),
                AllOf(HasSubstr("list:3"), HasSubstr("'bad'")));
    EXPECT_THAT(message_of([] { PlainWords::parse("aid v: help\naid v: assist\n", "list"); }),
                AllOf(HasSubstr("list:2"), HasSubstr("'aid' again")));
    EXPECT_THAT(message_of([] { PlainWords::parse("aid v: aid\n", "list"); }),
                AllOf(HasSubstr("list:1"), HasSubstr("the same one")));
}

// No word harder than what it stands for, by either source.
TEST(PlainWords, ShippedOnesAreEasier) {
    const EnglishDictionaryPlaces places = EnglishDictionaryPlaces::installed();
    for (const auto& place : {places.scowl, places.counts}) CRAFT_NEEDS(place);
    const EnglishDictionary dictionary(places);
    const PlainWords list = PlainWords::shipped();
    EXPECT_GT(list.size(), 3000u);
    for (const auto& [hard, plain] : list.words()) {
        double count = 0, size = 0;
        for (std::string word : whitespace_words(plain))
            for (size_t at = 0; at <= word.size();) {
                const size_t end = std::min(word.find('-', at), word.size());
                count = std::max(count, dictionary.by_count().of(word.substr(at, end - at)));
                size = std::max(size, dictionary.by_size().of(word.substr(at, end - at)));
                at = end + 1;
            }
        EXPECT_LT(count, dictionary.by_count().of(hard.first)) << hard.first << ": " << plain;
        EXPECT_LE(size, dictionary.by_size().of(hard.first)) << hard.first << ": " << plain;
    }
}

}  // namespace
}  // namespace craft
