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

// From 200 characters on, an "a" that makes up more than 1% begins no match. With 199 the last of "ya" finds the first "a"
// there.
TEST(SequenceMatcher, FrequentCharactersBeginNoMatch) {
    const std::u32string rest(198, U'a');
    EXPECT_THAT(text_changes(U"ya", U"x" + rest), ElementsAre(TextChange{0, 1, 0, 1}, TextChange{2, 2, 2, 199}));
    EXPECT_THAT(text_changes(U"ya", U"xa" + rest), ElementsAre(TextChange{0, 2, 0, 200}));
}

// Every row of 100 looks at 100 positions.
TEST(SequenceMatcher, RefusesWhatWouldTakeTooLong) {
    const std::u32string a(100, U'a'), b(101, U'a');
    EXPECT_EQ(text_changes(a, b, 20000).size(), 1U);
    EXPECT_THAT(message_of([&] { text_changes(a, b, 9000); }), testing::HasSubstr("less repetitive"));
}

}  // namespace
}  // namespace craft
