// Calls that were meant and cannot be used: each is reported, none is passed over as prose.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/craft/call_forms.h"

namespace craft {
namespace {

using test::forms;
using test::kEval;
using test::kWords;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(UnusableCalls, Unknown) {
    for (const char* line : {"frobnicate(3)",
                             "keyword_detection()",
                             "print(text_eval())",
                             "Word_Count_Check(3, \"equal\")",
                             "len(text.split('.'))",
                             "os.system(\"ls\")",
                             "x = frobnicate('a', 3)",
                             "- `keyword_presence_check(\"a\")`",
                             "print(f\"{x}\")",
                             "word_cout_check(3, 'equal')",
                             "my_check(3 is broken",
                             "foo(1",
                             "check(\"x\", \"keep\"",
                             "foo(1) + 2",
                             "foo(1).bar",
                             "text.split('.')[i].strip()",
                             "foo(1) // c",
                             "word-count-check(3, 'equal')",
                             "word-count-check(3, 'equal'",
                             "été(3)",
                             "text_eval-x()"}) {
        EXPECT_THAT(forms(line), ElementsAre("!unknown")) << line;
    }
    EXPECT_THAT(parse_calls("word_cout_check(3, 'equal')").calls[0].problem, HasSubstr("word_count_check"));
}

TEST(UnusableCalls, WrongArguments) {
    for (const char* line : {"word_count_check(\"many\")",
                             "word_count_check()",
                             "word_count_check(300)",
                             "word_count_check(\"300\", \"less than\")",
                             "word_count_check(300, \"fewer than\")",
                             "word_count_check(300, \"Less than\")",
                             "word_count_check(-3, \"less than\")",
                             "word_count_check(+3, \"less than\")",
                             "word_count_check(3.5, \"less than\")",
                             "word_count_check(1e3, \"less than\")",
                             "word_count_check(1_000, \"less than\")",
                             "word_count_check(0x10, \"less than\")",
                             "word_count_check(007, \"less than\")",
                             "word_count_check(9223372036854775808, \"less than\")",
                             "word_count_check(300, 'less than', 3)",
                             "word_count_check(300, \"less than\", count=3)",
                             "word_count_check(count=300, 'less than')",
                             "word_count_check(amount=300, relation='less than')",
                             "word_count_check(None, \"less than\")",
                             "word_count_check(True, 'equal')",
                             "word_count_check([300], \"less than\")",
                             "keyword_keep_removal_check(\"a\")",
                             "keyword_keep_removal_check(\"a\", \"equal\")",
                             "keyword_keep_removal_check(\"\", \"keep\")",
                             "keyword_keep_removal_check(3, \"keep\")",
                             "keyword_keep_removal_check(['a'], \"keep\")",
                             "keyword_frequency_check(\"a\", \"2\", \"equal\")",
                             "text_eval(\"text\")",
                             "detect_keyword(\"should\")",
                             "sentence_modification_check([], \"change\")",
                             "sentence_modification_check([1, \"2\"], \"change\")",
                             "sentence_modification_check([1, -2], \"change\")",
                             "sentence_modification_check(1, 2, \"change\")",
                             "sentence_modification_check(\"1\", \"change\")",
                             "sentence_modification_check([1], \"keep\")"}) {
        EXPECT_THAT(forms(line), ElementsAre("!wrong")) << line;
    }
}

TEST(UnusableCalls, Malformed) {
    for (const char* line : {"word_count_check(300, \"less than\"",
                             "word_count_check(300, \"less than)",
                             "word_count_check(300 \"less than\")",
                             "word_count_check 300",
                             "word_count_check 300, \"less than\"",
                             "word_count_check[3, 'equal']",
                             "word_count_check{3}",
                             "word_count_check <3>",
                             "word_count_check: 300, \"less than\"",
                             "word_count_check, 300",
                             "word_count_check = 300",
                             "word_count_check \"less than\"",
                             "x = word_count_check 300",
                             "Words: word_count_check[3]",
                             "word_count_check",
                             "word_count_check(300, \"less than\"))",
                             "word_count_check(300,, \"less than\")",
                             "word_count_check(, 300)",
                             "word_count_check(300, less than)",
                             "word_count_check(count, relation)",
                             "word_count_check(len(text), \"less than\")",
                             "sentence_modification_check([1, 2, \"change\")",
                             "sentence_modification_check([i for i in range(3)], \"change\")",
                             "sentence_modification_check([[1]], \"change\")",
                             "keyword_keep_removal_check(\"a\"remove\")",
                             "keyword_keep_removal_check(“a”, “keep”)",
                             "word_count_check(300, \"less than\").x",
                             "word_count_check(300, \"less than\")(4)",
                             "word_count_check(300, \"less than\") == 0",
                             "word_count_check{300}(",
                             "text_eval() + 1",
                             "text_eval)",
                             "word_count_check(300 - 1, \"less than\")",
                             "word_count_check(f\"300\", \"less than\")"}) {
        if (std::string_view(line) == "text_eval)") {
            EXPECT_THAT(forms(line), IsEmpty()) << line;  // a name with no arguments is a word of prose
        } else {
            EXPECT_THAT(forms(line), ElementsAre("!malformed")) << line;
        }
    }
    // The line after a call that was left open is read for itself.
    EXPECT_THAT(forms("word_count_check(300, \"less than\"\ntext_eval()"), ElementsAre("!malformed", kEval));
    EXPECT_THAT(forms("word_count_check(300,\ntext_eval()"), ElementsAre("!malformed", kEval));
}

// What was read of it, so that two different ones are two.
TEST(UnusableCalls, TextOverSeveralLines) {
    const auto texts = [](std::string_view text) {
        std::vector<std::string> out;
        for (const ParsedCall& call : parse_calls(text).calls) out.push_back(call.text);
        return out;
    };
    EXPECT_THAT(texts("word_count_check(\n300 words,\n'less than')\nword_count_check(\n200,\n'less than"),
                ElementsAre("word_count_check(\n300", "word_count_check(\n200,\n'less than"));
    EXPECT_THAT(texts("word_count_check(\n300,\n'less than') == 0\ntext_eval()"),
                ElementsAre("word_count_check(\n300,\n'less than') == 0", kEval));
    EXPECT_THAT(texts("word_count_check(300,  # words\n 'less'  \n\ntext_eval()"),
                ElementsAre("word_count_check(300,  # words\n 'less'", kEval));
}

}  // namespace
}  // namespace craft
