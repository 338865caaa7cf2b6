// A set of tools as data: what its calls bind to, how they print, what they find; and the parser over a set that is not
// CRAFT's.
#include "tools/tool_set.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "tools/call_parser.h"

namespace craft {
namespace {

ToolSet grammar_like() {
    return ToolSet({
        {.name = "spell_check",
         .run = [](const BoundCall&,
                   const ToolTexts& texts) { return ToolResult{.text = "read " + texts.revision.text()}; }},
        {.name = "word_at",
         .parameters = {{"sentence", "text"}, {"place", "at"}},
         .check =
             [](const BoundCall& call) {
                 text_argument(call.arguments[0], "sentence");
                 if (count_argument(call.arguments[1], "place") == 0) throw WrongArguments{"place counts from 1"};
             },
         .run =
             [](const BoundCall& call, const ToolTexts&) {
                 const int64_t place = count_argument(call.arguments[1], "place");
                 return ToolResult{.value = place, .met = place < 3};
             }},
    });
}

std::string problem_of(const std::string& text) {
    const ParsedToolCalls parsed = parse_calls(text, grammar_like());
    return parsed.calls.size() == 1 ? parsed.calls[0].problem : std::to_string(parsed.calls.size()) + " calls";
}

TEST(ToolSet, ItsCallsAreReadAndNoOthers) {
    const ParsedToolCalls parsed = parse_calls(
        "1. word_at(\"a b\", 2)\nspell_check() and word_at(at=3, text='it''s')\nword count: none", grammar_like());
    ASSERT_EQ(parsed.calls.size(), 3u);
    EXPECT_EQ(normal_form(parsed.calls[0].call.value()), "word_at(\"a b\", 2)");
    EXPECT_EQ(normal_form(parsed.calls[1].call.value()), "spell_check()");
    EXPECT_FALSE(parsed.calls[2].call);  // two strings beside each other
    EXPECT_EQ(problem_of("word_count_check(3, \"less than\")"), "unknown tool: word_count_check");
    EXPECT_EQ(problem_of("spell_chek()"), "unknown tool: spell_chek; did you mean spell_check?");
}

TEST(ToolSet, ArgumentsAreCheckedByTheirTool) {
    EXPECT_EQ(problem_of("word_at(at=2, text='x')"), "");
    EXPECT_EQ(problem_of("word_at('x', 0)"), "wrong arguments: place counts from 1");
    EXPECT_EQ(problem_of("word_at(1, 2)"), "wrong arguments: sentence must be a quoted string");
    EXPECT_EQ(problem_of("word_at('x', '2')"), "wrong arguments: place must be a whole number from 0");
    EXPECT_EQ(problem_of("word_at('x')"), "wrong arguments: place is missing");
    EXPECT_EQ(problem_of("word_at('x', 2, 3)"), "wrong arguments: expected 2 arguments, got 3");
    EXPECT_EQ(problem_of("word_at('x', where=2)"), "wrong arguments: no parameter 'where'");
    EXPECT_EQ(problem_of("word_at(text='x', text='y')"), "wrong arguments: sentence is given twice");
}

TEST(ToolSet, PrintsEveryLiteral) {
    EXPECT_EQ(normal_form({"t", {int64_t{3}, std::string("a\"\\\n"), std::vector<ListItem>{int64_t{1}, std::string("b")}}}),
              "t(3, \"a\\\"\\\\\\n\", [1, \"b\"])");
    EXPECT_EQ(normal_form({"t", {OtherLiteral{"-2.5"}}}), "t(-2.5)");
}

TEST(ToolSet, RunsWhatItHas) {
    const ToolSet tools = grammar_like();
    const MeasuredText before("One."), after("Two.");
    EXPECT_EQ(tools.run({"spell_check", {}}, {before, after}).text, "read Two.");
    const ToolResult found = tools.run(parse_call("word_at('x', 2)", tools), {before, after});
    EXPECT_EQ(found.value, 2);
    EXPECT_EQ(found.met, true);
    EXPECT_EQ(tools.run(parse_call("word_at('x', 3)", tools), {before, after}).met, false);
    EXPECT_THROW(tools.run({"fly", {}}, {before, after}), Error);
    EXPECT_THROW(parse_call("word_at('x', 0)", tools), Error);
}

TEST(ToolSet, NamesAreOnce) {
    EXPECT_EQ(grammar_like().names(), (std::vector<std::string>{"spell_check", "word_at"}));
    EXPECT_THROW(ToolSet({{.name = "a"}, {.name = "a"}}), std::logic_error);
}

}  // namespace
}  // namespace craft
