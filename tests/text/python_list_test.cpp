#include "text/python_list.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

// As CPython 3.11 prints them.
TEST(PythonList, QuotesAndEscapes) {
    EXPECT_EQ(python_list({}), "[]");
    EXPECT_EQ(python_list({"a", ""}), "['a', '']");
    EXPECT_EQ(python_list({"it's", "say \"x\"", "it's \"x\""}), R"(["it's", 'say "x"', 'it\'s "x"'])");
    EXPECT_EQ(python_list({"a\\b\n\r\t"}), R"(['a\\b\n\r\t'])");
    EXPECT_EQ(python_list({std::string("\0\x1f\x7f", 3)}), R"(['\x00\x1f\x7f'])");
    EXPECT_EQ(python_list({"\u00E9\u00A0\u200B\u2028\U0001F389\U000E0001"}),
              "['\u00E9\\xa0\\u200b\\u2028\U0001F389\\U000e0001']");
    EXPECT_EQ(python_list({"\xFF"}), R"(['\udcff'])");
}

}  // namespace
}  // namespace craft
