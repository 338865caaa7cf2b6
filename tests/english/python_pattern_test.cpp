#include "english/python_pattern.h"

#include <gmock/gmock.h>

#include "tests/english/error_text.h"

namespace craft {
namespace {

using ::testing::HasSubstr;

std::string found(const std::string& expression, std::string_view text, size_t from = 0) {
    const std::optional<PatternMatch> match = PythonPattern(expression, "pattern").search(text, from);
    return match ? std::string(text.substr(match->begin, match->end - match->begin)) : "none";
}

TEST(PythonPattern, SearchesAndLooksBack) {
    EXPECT_EQ(found("b+", "abbc"), "bb");
    EXPECT_EQ(found("(?<=a)b", "ab", 1), "b");  // what lies before the start is looked at
    EXPECT_EQ(found("^a|^b", "cb"), "none");
    EXPECT_TRUE(PythonPattern("a.c", "pattern").matches_start("abcd"));
    EXPECT_FALSE(PythonPattern("b", "pattern").matches_start("ab"));
}

TEST(PythonPattern, KnowsPythonsEscapes) {
    EXPECT_EQ(found("[\\u00A6-\\u00A9]", "x©"), "©");
    EXPECT_EQ(found("\\U0001F600", "😀"), "😀");
    EXPECT_EQ(found("\\\\u", "\\u"), "\\u");  // an escaped backslash and a letter
    EXPECT_EQ(found("(?u)\\w+", "- été_1"), "été_1");
    EXPECT_EQ(found("\\d", "٣"), "٣");
    EXPECT_EQ(found("b$", "ab\n"), "b");  // as in Python, before a last line break
}

TEST(PythonPattern, RefusesWhatIsNone) {
    EXPECT_THAT(test::error_text([] { PythonPattern("(", "rules: suffix"); }),
                HasSubstr("rules: suffix: expected a regular expression"));
    EXPECT_THAT(test::error_text([] { PythonPattern(std::string(100'001, 'a'), "rules"); }),
                HasSubstr("at most 100000 bytes"));
    EXPECT_THAT(test::error_text([] { PythonPattern("\\C", "rules"); }), HasSubstr("expected a regular expression"));
}

TEST(PythonPattern, GivesUpOnWhatHasNoEnd) {
    const PythonPattern pattern("^(a|aa)+$", "rules");
    EXPECT_THAT(test::error_text([&] { pattern.search(std::string(60, 'a') + "b"); }), HasSubstr("within 50000000 steps"));
}

}  // namespace
}  // namespace craft
