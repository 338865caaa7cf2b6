#include "metrics/sequence_matcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Worked out with difflib.SequenceMatcher(None, a, b).get_opcodes() of CPython 3.11.
TEST(SequenceMatcher, TakesTheLongestBlockFirst) {
    EXPECT_THAT(text_changes(U"qabxcd", U"abycdf"),
                ElementsAre(TextChange{0, 1, 0, 0}, TextChange{3, 4, 2, 3}, TextChange{6, 6, 5, 6}));
    EXPECT_THAT(text_changes(U"ab", U"acab"), ElementsAre(TextChange{0, 0, 0, 2}));  // no common beginning is taken off
    EXPECT_THAT(text_changes(U"abab", U"ab"), ElementsAre(TextChange{2, 4, 2, 2}));  // the first of equals
}

TEST(SequenceMatcher, EmptyAndEqualTexts) {
    EXPECT_THAT(text_changes(U"", U""), IsEmpty());
    EXPECT_THAT(text_changes(U"same", U"same"), IsEmpty());
    EXPECT_THAT(text_changes(U"", U"new"), ElementsAre(TextChange{0, 0, 0, 3}));
    EXPECT_THAT(text_changes(U"old", U""), ElementsAre(TextChange{0, 3, 0, 0}));
}

// From 200 characters on, an "a" that makes up more than 1% begins no match, so that "xa" is only found by its x; with 199 the run
// of a's is the longest block.
TEST(SequenceMatcher, FrequentCharactersBeginNoMatch) {
    const std::u32string short_text(199, U'a'), long_text(200, U'a');
    EXPECT_THAT(text_changes(U"a", short_text), ElementsAre(TextChange{1, 1, 1, 199}));
    EXPECT_THAT(text_changes(U"a", long_text), ElementsAre(TextChange{0, 1, 0, 200}));
    EXPECT_THAT(text_changes(U"xa", U"x" + long_text), ElementsAre(TextChange{2, 2, 2, 201}));
}

// Texts of 60,000 characters in which each of 120 occurs 500 times: every row looks at 500 positions.
TEST(SequenceMatcher, RefusesWhatWouldTakeTooLong) {
    std::u32string a, b;
    uint32_t state = 1;
    const auto next = [&] { return state = state * 1664525U + 1013904223U; };
    for (int i = 0; i < 3000000; ++i) a += static_cast<char32_t>(0x4E00 + (next() >> 16) % 120);
    for (int i = 0; i < 150000; ++i) b += static_cast<char32_t>(0x4E00 + (next() >> 16) % 120);
    EXPECT_THAT(message_of([&] { text_changes(a, b); }), testing::HasSubstr("repeat less"));
}

}  // namespace
}  // namespace craft
