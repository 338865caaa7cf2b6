#include "eval/editeval/csv_rows.h"

#include <gtest/gtest.h>

#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using Fields = std::vector<std::string>;

TEST(CsvRows, QuotesCommasAndLineBreaks) {
    const auto rows = parse_csv("a,\"b, \"\"c\"\"\",5.0\r\n\r\n\"x\ny\",,z\"z\nlast", "f.csv");
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[0].fields, (Fields{"a", "b, \"c\"", "5.0"}));
    EXPECT_EQ(rows[1].fields, (Fields{"x\ny", "", "z\"z"}));
    EXPECT_EQ(rows[1].line, 3);
    EXPECT_EQ(rows[2].fields, (Fields{"last"}));
    EXPECT_EQ(rows[2].line, 5) << "the field before holds a line break";
    EXPECT_TRUE(parse_csv("", "f.csv").empty());
    EXPECT_EQ(parse_csv("a,", "f.csv")[0].fields, (Fields{"a", ""}));
    EXPECT_EQ(parse_csv("a\r", "f.csv")[0].fields, (Fields{"a"}));
}

TEST(CsvRows, BrokenQuotes) {
    EXPECT_EQ(message_of([] { parse_csv("a\nb,\"c\nd\n", "f.csv"); }),
              "f.csv:2: expected a closing quote for the one that opens here, got the end of the file");
    EXPECT_EQ(message_of([] { parse_csv("\"a\"b,c", "f.csv"); }),
              "f.csv:1: expected a comma or the end of the line behind a closing quote, got 'b'");
}

}  // namespace
}  // namespace craft
