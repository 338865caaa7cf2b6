#include "eval/results/instruction_tables.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

Instruction instruction(const std::string& row) {
    return instruction_from_json(Json::parse(row), "row");
}

const std::vector<Instruction>& two() {
    static const std::vector<Instruction> instructions = {
        instruction(R"row({"id":"a","domain":"c0","instruction":"i","text":"One two. Three!","constraints":[]})row"),
        instruction(R"row({"id":"b","domain":"c2","instruction":"i","text":"One (two), three four.","constraints":[)row"
                    R"row(["word_count_check(9, \"less than\")","word_count_check(2, \"more than\")"],)row"
                    R"row(["keyword_keep_removal_check(\"two\", \"keep\")"]]})row")};
    return instructions;
}

TEST(InstructionTables, SizesByDomain) {
    EXPECT_EQ(print_table(domain_table({{"Ours", two()}}), TableFormat::csv),
              "Domain,#Essays,#Sentences,#Tokens\r\nC0,1,2,3\r\nC2,1,1,4\r\n");
    EXPECT_EQ(domain_table({{"Ours", two()}, {"CORD", two()}}).rows[2].name, "CORD C0");
}

// A range of words is one constraint.
TEST(InstructionTables, ConstraintsBySubType) {
    EXPECT_EQ(print_table(sub_type_table({{"Ours", two()}}), TableFormat::csv),
              "Constraint Type,Ours\r\nKeep Sentence,0\r\nModify Sentence,0\r\nWord Count,1\r\nSentence Count,0\r\n"
              "Per Sentence Length,0\r\nInclude Keyword,1\r\nRemove Keyword,0\r\nKeyword Frequency,0\r\nTotal,2\r\n");
    const Instruction odd = instruction(
        R"row({"id":"c","instruction":"i","text":"One.","constraints":[["sentence_length_check(4, \"equal\")"]]})row");
    const Table table = sub_type_table({{"Ours", two()}, {"Odd", {odd}}});
    ASSERT_EQ(table.rows.size(), 10u);
    EXPECT_EQ(table.rows[8].name, "None of these");
    EXPECT_EQ(table.rows[8].cells[1], 1);
    EXPECT_EQ(table.rows[9].cells[1], 1) << "the total has them";
}

}  // namespace
}  // namespace craft
