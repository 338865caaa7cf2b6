#include "data/instruction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/core/temporary_folder.h"
#include "tests/reference.h"
#include "tools/craft/craft_tools.h"

namespace craft {
namespace {

using testing::HasSubstr;

std::vector<std::string> forms(const std::vector<ToolCall>& calls) {
    std::vector<std::string> out;
    for (const ToolCall& call : calls) out.push_back(normal_form(call));
    return out;
}

Constraint constraint_of(Shape shape) {
    Constraint c;
    c.shape = shape;
    const SubType type = sub_type(shape);
    if (type == SubType::keep_sentence || type == SubType::modify_sentence) {
        const auto first = type == SubType::keep_sentence ? Shape::keep_one : Shape::modify_one;
        for (int i = 0; i <= static_cast<int>(shape) - static_cast<int>(first); ++i) c.ids.push_back(2 + 3 * i);
    } else {
        c.n = type == SubType::keyword_keep || type == SubType::keyword_remove ? 0 : 40;
        if (shape == Shape::words_range) c.m = 30;
        if (type == SubType::keyword_keep || type == SubType::keyword_remove || type == SubType::keyword_frequency)
            c.keyword = "eat";
    }
    return c;
}

TEST(Constraint, GoldCalls) {
    const auto gold = [](Shape shape) { return forms(constraint_of(shape).calls()); };
    using V = std::vector<std::string>;
    EXPECT_EQ(gold(Shape::keep_three), V{"sentence_modification_check([2, 5, 8], \"unchange\")"});
    EXPECT_EQ(gold(Shape::modify_one), V{"sentence_modification_check([2], \"change\")"});
    EXPECT_EQ(gold(Shape::words_range), (V{"word_count_check(40, \"less than\")", "word_count_check(30, \"more than\")"}));
    EXPECT_EQ(gold(Shape::sentences_exactly), V{"sentence_count_check(40, \"equal\")"});
    EXPECT_EQ(gold(Shape::length_less), V{"sentence_length_check(40, \"less than\")"});
    EXPECT_EQ(gold(Shape::keyword_remove), V{"keyword_keep_removal_check(\"eat\", \"remove\")"});
    EXPECT_EQ(gold(Shape::frequency_at_least), V{"keyword_frequency_check(\"eat\", 40, \"more than\")"});
}

TEST(Constraint, EveryShapeComesBackFromItsCalls) {
    std::set<std::string> names;
    for (int i = 0; i < kShapes; ++i) {
        const auto shape = static_cast<Shape>(i);
        const Constraint constraint = constraint_of(shape);
        const auto back = constraint_from_calls(constraint.calls());
        ASSERT_TRUE(back) << shape_name(shape);
        EXPECT_EQ(back->shape, shape);
        EXPECT_EQ(back->ids, constraint.ids);
        EXPECT_EQ(back->n, constraint.n);
        EXPECT_EQ(back->m, constraint.m);
        EXPECT_EQ(back->keyword, constraint.keyword);
        EXPECT_EQ(shape_from_name(shape_name(shape)), shape);
        names.insert(sub_type_name(sub_type(shape)));
    }
    EXPECT_EQ(names.size(), static_cast<size_t>(kSubTypes));
    EXPECT_THROW(shape_from_name("words_most"), Error);
}

TEST(Constraint, CallsOfNoShape) {
    const auto shape = [](std::vector<std::string> calls) {
        std::vector<ToolCall> parsed;
        for (const auto& call : calls) parsed.push_back(parse_call(call));
        return constraint_from_calls(parsed);
    };
    EXPECT_FALSE(shape({"word_count_check(3, 'equal')"}));
    EXPECT_FALSE(shape({"sentence_length_check(3, 'equal')"}));
    EXPECT_FALSE(shape({"sentence_check([1, 2, 3, 4], 'change')"}));
    EXPECT_FALSE(shape({"text_eval()"}));
    EXPECT_FALSE(shape({"word_count_check(3, 'more than')", "word_count_check(9, 'more than')"}));
    EXPECT_FALSE(shape({"word_count_check(3, 'more than')", "sentence_count_check(9, 'less than')"}));
    const auto range = shape({"word_count_check(3, 'more than')", "word_count_check(9, 'less than')"});
    ASSERT_TRUE(range);
    EXPECT_EQ(range->n, 9);
    EXPECT_EQ(range->m, 3);
}

Json row(const std::string& text) {
    return parse_json(text, "test");
}

TEST(InstructionJson, GoesBothWays) {
    Instruction instruction;
    instruction.id = "a";
    instruction.domain = 2;
    instruction.instruction = "Revise.";
    instruction.text = "One. Two.";
    instruction.wording = "template";
    instruction.constraints = {constraint_of(Shape::words_range), constraint_of(Shape::keep_two)};
    for (const auto& constraint : instruction.constraints) instruction.gold.push_back(constraint.calls());
    const Json json = to_json(instruction);
    EXPECT_EQ(json.at("domain"), "c2");
    EXPECT_EQ(json.at("tools").size(), 4u);
    EXPECT_EQ(json.at("tools").back(), "text_eval()");
    EXPECT_FALSE(json.contains("phrases"));
    instruction.phrases = {"with 20 to 30 words", "Keep the 1st and 2nd sentences"};
    const Json with_phrases = to_json(instruction);
    EXPECT_EQ(instruction_from_json(with_phrases, "test").phrases, instruction.phrases);
    EXPECT_EQ(to_json(instruction_from_json(with_phrases, "test")), with_phrases);
    for (const Json& wrong : {Json("one"), Json::array({"one"}), Json::array({"one", 2})}) {
        Json row = json;
        row["phrases"] = wrong;
        EXPECT_THAT(message_of([&] { instruction_from_json(row, "row 3"); }),
                    testing::HasSubstr("row 3: field 'phrases': expected 2 strings, one per constraint"));
    }
    Json without_phrases = json;
    without_phrases["phrases"] = nullptr;
    EXPECT_TRUE(instruction_from_json(without_phrases, "test").phrases.empty());
    const Instruction back = instruction_from_json(json, "test");
    EXPECT_EQ(to_json(back), json);
    EXPECT_EQ(back.constraints.size(), 2u);
    EXPECT_EQ(back.gold_calls().size(), 3u);
}

TEST(InstructionJson, ReadsRowsOfCord) {
    const Instruction read = instruction_from_json(
        row(R"json({"id":"x","instruction":"i","text":"t","constraints":[["sentence_check(3, 'unchange')"]],"planner_f1":{}})json"),
        "test");
    EXPECT_EQ(read.domain, 1);
    EXPECT_EQ(read.constraints.at(0).shape, Shape::keep_one);
    EXPECT_EQ(
        instruction_from_json(row(R"json({"id":"x","domain":3,"instruction":"i","text":"t","constraints":[]})json"), "t")
            .domain,
        3);
}

TEST(InstructionJson, CallsWithoutAShapeAreStillGold) {
    const Instruction read = instruction_from_json(
        row(R"json({"id":"x","instruction":"i","text":"t","constraints":[["word_count_check(3, 'equal')"],["word_count_check(3, 'less than')"]]})json"),
        "test");
    EXPECT_TRUE(read.constraints.empty());
    EXPECT_EQ(read.gold.size(), 2u);
}

TEST(InstructionJson, SaysWhatIsWrong) {
    const auto message = [](const std::string& text) {
        try {
            instruction_from_json(row(text), "f.jsonl:7");
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("no error");
    };
    EXPECT_THAT(message(R"json({"instruction":"i","text":"t","constraints":[]})json"), HasSubstr("f.jsonl:7: field 'id'"));
    EXPECT_THAT(message(R"json({"id":"x","instruction":"i","text":3,"constraints":[]})json"), HasSubstr("field 'text'"));
    EXPECT_THAT(message(R"json({"id":"x","instruction":"i","text":"t"})json"), HasSubstr("field 'constraints'"));
    EXPECT_THAT(message(R"json({"id":"x","instruction":"i","text":"t","constraints":[[]]})json"), HasSubstr("constraint 1"));
    EXPECT_THAT(message(R"json({"id":"x","instruction":"i","text":"t","constraints":[["foo(1)"]]})json"),
                HasSubstr("unknown tool: foo"));
    EXPECT_THAT(message(R"json({"id":"x","domain":"d1","instruction":"i","text":"t","constraints":[]})json"),
                HasSubstr("field 'domain'"));
}

TEST(InstructionJson, ReadsTheReferenceFiles) {
    for (int domain = 0; domain <= 3; ++domain) {
        CRAFT_REFERENCE_FILE(file, "data/cord/c" + std::to_string(domain) + ".jsonl");
        JsonLinesReader rows(file.string());
        while (const auto line = rows.next()) {
            const Instruction instruction = instruction_from_json(*line, rows.where());
            EXPECT_EQ(instruction.domain, domain);
            EXPECT_EQ(instruction.constraints.size(), static_cast<size_t>(domain));
        }
    }
}

}  // namespace
}  // namespace craft
