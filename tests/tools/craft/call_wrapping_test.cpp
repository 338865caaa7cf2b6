#include "tools/call_wrapping.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/craft/craft_tools.h"

namespace craft {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(CallWrapping, LengthOfEachPiece) {
    EXPECT_EQ(decoration_length("12) a"), 3u);
    EXPECT_EQ(decoration_length("12 a"), 0u);
    EXPECT_EQ(decoration_length("1.2 a"), 4u);
    EXPECT_EQ(decoration_length("1.2.3. a"), 6u);
    EXPECT_EQ(decoration_length("1.2a"), 0u);
    EXPECT_EQ(decoration_length("• a"), 3u);
    EXPECT_EQ(numbering_length("(iv) a"), 4u);
    EXPECT_EQ(numbering_length("[ ] a"), 3u);
    EXPECT_EQ(numbering_length("[1]a"), 0u);
    EXPECT_EQ(numbering_length("ab. a"), 0u);
    EXPECT_EQ(assignment_length("(x, y) =  a"), 10u);
    EXPECT_EQ(assignment_length("x: int = a"), 9u);
    EXPECT_EQ(assignment_length("x == a"), 0u);
    EXPECT_EQ(assignment_length("(x, y = a"), 0u);
    EXPECT_EQ(label_length("Constraint #1: a"), 14u);
    EXPECT_EQ(label_length("Length (words): a"), 15u);
    EXPECT_EQ(tag_length("<tool> a"), 6u);
    EXPECT_EQ(symbol_length("→ a"), 3u);
    for (const char* line : {"", "a # b: c", "a // b: c", "# a: b", "f(3): a", "f((3: a", "a \"b\": c"})
        EXPECT_EQ(label_length(line), 0u) << line;
    for (const char* nothing : {"", "é", "a"}) {
        const size_t sum = decoration_length(nothing) + numbering_length(nothing) + assignment_length(nothing) +
                           label_length(nothing) + tag_length(nothing) + symbol_length(nothing) +
                           naming_length(nothing, craft_tools());
        EXPECT_EQ(sum, 0u) << nothing;
    }
}

TEST(CallWrapping, CallsInOtherForms) {
    EXPECT_THAT(named_calls(R"([{"name": "text_eval", "x": 1}, {"tool" :"detect_keyword"}])", craft_tools()),
                ElementsAre(R"("name": "text_eval", "x": 1}, {)", R"("tool" :"detect_keyword"}])"));
    EXPECT_THAT(named_calls("<function=text_eval>{}<function=fly>", craft_tools()),
                ElementsAre("<function=text_eval>{}<function=fly>"));
    EXPECT_THAT(named_calls(R"("name": "text_eval"name": "text_eval")", craft_tools()),
                ElementsAre(R"("name": "text_eval"name": "text_eval")"));
    EXPECT_THAT(named_calls(R"("name": 'text_eval' "name: "text_eval" "key": "text_eval")", craft_tools()), IsEmpty());
    EXPECT_THAT(escaped_json_strings(R"(x = ["a", "b \"c\""])"), ElementsAre("a", "b \"c\""));
    EXPECT_THAT(escaped_json_strings(R"("b \"c\"")"), ElementsAre("b \"c\""));
    for (const char* line : {R"(["a", "b"])", R"(["b \"c\"", 3])", R"(["b \"c\"")", R"({"a": "b \"c\""})"})
        EXPECT_THAT(escaped_json_strings(line), IsEmpty()) << line;
}

}  // namespace
}  // namespace craft
