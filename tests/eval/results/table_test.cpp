#include "eval/results/table.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

Table small_table() {
    Table table;
    table.corner = "System";
    table.columns = {{"C1"}, {"PPL", false}, {"SOME_"}};
    table.rows = {
        {"A&B", {69.0, 50.694, -1.5}}, {"x|y_\"z\", w", {85.0, 34.74, std::nullopt}}, {"third", {69.0, 34.7401, -2.0}}};
    return table;
}

TEST(Tables, MarkdownMarksTheBestTwo) {
    // PPL: less is better, and what looks equal is equal. C1: 69 twice shares the second place.
    EXPECT_EQ(print_table(small_table(), TableFormat::markdown),
              "| System | C1 | PPL | SOME\\_ |\n"
              "|---|---:|---:|---:|\n"
              "| A&B | <u>69.00</u> | <u>50.69</u> | **-1.50** |\n"
              "| x\\|y\\_\"z\", w | **85.00** | **34.74** | - |\n"
              "| third | <u>69.00</u> | **34.74** | <u>-2.00</u> |\n");
}

TEST(Tables, LatexIsATabularOfBooktabs) {
    Table table = small_table();
    table.notes = {"first\nsecond"};
    EXPECT_EQ(print_table(table, TableFormat::latex),
              "\\begin{tabular}{lrrr}\n\\toprule\n"
              "System & C1 & PPL & SOME\\_ \\\\\n\\midrule\n"
              "A\\&B & \\underline{69.00} & \\underline{50.69} & \\textbf{$-1.50$} \\\\\n"
              "x|y\\_\"z\", w & \\textbf{85.00} & \\textbf{34.74} & - \\\\\n"
              "third & \\underline{69.00} & \\textbf{34.74} & \\underline{$-2.00$} \\\\\n"
              "\\bottomrule\n\\end{tabular}\n% first second\n");
}

TEST(Tables, CsvIsPlain) {
    EXPECT_EQ(
        print_table(small_table(), TableFormat::csv),
        "System,C1,PPL,SOME_\r\nA&B,69.00,50.69,-1.50\r\n\"x|y_\"\"z\"\", w\",85.00,34.74,-\r\nthird,69.00,34.74,-2.00\r\n");
}

TEST(Tables, FactorsAndSingleRowsHaveNoRanks) {
    Table table;
    table.columns = {{"C0"}};
    table.rows = {{"Inf.", {1.149}}};
    table.decimals = 1;
    table.is_factor = true;
    EXPECT_EQ(print_table(table, TableFormat::markdown), "|  | C0 |\n|---|---:|\n| Inf. | ×1.1 |\n");
    EXPECT_NE(print_table(table, TableFormat::latex).find("$\\times$1.1"), std::string::npos);
    table.rows[0].cells.clear();
    EXPECT_THROW(print_table(table, TableFormat::csv), std::logic_error);
}

}  // namespace
}  // namespace craft
