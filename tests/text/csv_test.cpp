#include "text/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/rng.h"

namespace craft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::vector<std::string>> fields_of(const std::string& bytes, char separator = ',') {
    std::vector<std::vector<std::string>> all;
    for (const CsvRow& row : parse_csv(bytes, "s.csv", separator)) all.push_back(row.fields);
    return all;
}

std::string failure(const std::string& bytes) {
    try {
        parse_csv(bytes, "s.csv");
    } catch (const Error& error) {
        return error.what();
    }
    return "none";
}

TEST(Csv, FieldsRowsAndTheirLines) {
    const std::vector<CsvRow> rows = parse_csv(
        "\xef\xbb\xbf"
        "a,b\r\n\"1,\"\"2\"\"\",\"x\r\ny\nz\"\r\n\r\n,\n\"\"\rlast",
        "s.csv");
    ASSERT_EQ(rows.size(), 5u);
    EXPECT_THAT(rows[0].fields, ElementsAre("a", "b"));
    EXPECT_THAT(rows[1].fields, ElementsAre("1,\"2\"", "x\r\ny\nz"));
    EXPECT_THAT(rows[2].fields, ElementsAre("", ""));
    EXPECT_THAT(rows[3].fields, ElementsAre(""));
    EXPECT_THAT(rows[4].fields, ElementsAre("last"));
    EXPECT_EQ(rows[1].line, 2u);
    EXPECT_EQ(rows[2].line, 6u);  // after the three lines of the second row and a blank one
    EXPECT_EQ(rows[4].line, 8u);
    EXPECT_TRUE(fields_of("").empty());
    EXPECT_TRUE(fields_of("\n\r\n\r").empty());
    EXPECT_THAT(fields_of("a;b,c\n", ';'), ElementsAre(ElementsAre("a", "b,c")));
    EXPECT_THAT(fields_of("a,"), ElementsAre(ElementsAre("a", "")));
    EXPECT_THAT(fields_of("x,z\"z\"\n"), ElementsAre(ElementsAre("x", "z\"z\"")));
}

TEST(Csv, WhatIsWrongIsSaidWithItsLine) {
    EXPECT_THAT(failure("a\n\"b\nc\"d"), HasSubstr("s.csv:3: expected a field's end after its closing quotation mark"));
    EXPECT_THAT(failure("a\n\"b\nc,\"\""), HasSubstr("s.csv:2: expected a closing quotation mark"));
    EXPECT_THAT(failure("a\ncaf\xe9"), HasSubstr("s.csv:2: expected UTF-8"));
    EXPECT_THAT(failure(std::string("a\n\0", 3)), HasSubstr("s.csv:2: expected UTF-8 without NUL"));
}

std::string drawn_text(Rng& rng) {
    static const std::vector<std::string> pieces = {"a",  "\"", ",",  "\r\n", "\n", "\r", "'",  " ",   "=",           "-1",
                                                    "@x", ";",  "\t", "é",    "+",  "",   "＝", "''=", "\xef\xbb\xbf"};
    std::string text;
    for (uint64_t i = rng.below(6); i > 0; --i) text += rng.pick(pieces);
    return text;
}

TEST(Csv, WhatIsWrittenIsReadAgain) {
    for (uint64_t seed = 0; seed < 2000; ++seed) {
        Rng rng(seed, "csv", uint64_t{0}, 0);
        std::vector<std::vector<std::string>> table(1 + rng.below(3));
        std::string bytes;
        for (auto& row : table) {
            for (uint64_t i = 1 + rng.below(3); i > 0; --i) row.push_back(drawn_text(rng));
            bytes += csv_row(row);
        }
        EXPECT_EQ(fields_of(bytes), table) << bytes;
    }
    EXPECT_EQ(csv_row({"a", "b c", "d,e", "f\"g", ""}), "a,b c,\"d,e\",\"f\"\"g\",\r\n");
}

TEST(Csv, NoTextIsAFormulaAndNoneIsChanged) {
    for (const std::string text : {"=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "\n=x", " =1", "'=1", "''  -1", "＝1"}) {
        EXPECT_EQ(without_formula(text), "'" + text);
        EXPECT_EQ(with_formula("'" + text), text);
    }
    for (const std::string text : {"", "a=b", "'tis", "1 - 2", "'", "' x", "“=1”"}) EXPECT_EQ(without_formula(text), text);
    for (uint64_t seed = 0; seed < 2000; ++seed) {
        Rng rng(seed, "csv", uint64_t{1}, 0);
        const std::string text = drawn_text(rng);
        EXPECT_EQ(with_formula(without_formula(text)), text);
    }
}

}  // namespace
}  // namespace craft
