#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>

#include "core/error.h"
#include "tests/tools/craft/call_forms.h"
#include "tools/craft/craft_tools.h"

namespace craft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

using test::forms;
using test::kEval;
using test::kWords;

TEST(ParseCalls, WaysOfWritingACall) {
    for (const char* line : {"word_count_check(300, \"less than\")",
                             "  word_count_check( 300 ,'less than' ) ",
                             "word_count_check(300,'less than',)",
                             "word_count_check(count=300, relation=\"less than\")",
                             "word_count_check(relation='less than', n = 300)",
                             "word_count_check(300, relation='less than')",
                             "word_count_check (300, \"less than\")",
                             "- word_count_check(300, 'less than')",
                             "* word_count_check(300, 'less than')",
                             "• word_count_check(300, 'less than')",
                             "1. word_count_check(300, 'less than')",
                             "12) word_count_check(300, 'less than')",
                             "(3) word_count_check(300, 'less than')",
                             "- `word_count_check(300, 'less than')`",
                             "**word_count_check(300, 'less than')**",
                             "> word_count_check(300, 'less than')",
                             "x = word_count_check(300, 'less than')",
                             "count, label = word_count_check(300, 'less than')",
                             "label: int = word_count_check(300, 'less than')",
                             "self.words = word_count_check(300, 'less than')",
                             "results['words'] = word_count_check(300, 'less than')",
                             "failed += word_count_check(300, 'less than')",
                             "1.2 word_count_check(300, 'less than')",
                             "2.1.3) word_count_check(300, 'less than')",
                             "Step 1 - word_count_check(300, 'less than')",
                             "word_count_check(300, 'less than');",
                             "word_count_check(300, 'less than'),",
                             "word_count_check(300, 'less than').",
                             "word_count_check(300, 'less than')  # not too long",
                             "word_count_check(300, 'less than') → count, label",
                             "word_count_check(300, 'less than') -> count",
                             "word_count_check(300, 'less than'): the length",
                             "Word count: word_count_check(300, 'less than')",
                             "word_count_check(\n    300,\n    'less than',\n)",
                             "\xEF\xBB\xBFword_count_check(300, 'less than')\r\n",
                             "```word_count_check(300, 'less than')```",
                             "word_count_check(300, 'less than') // not too long",
                             "word_count_check(300, 'less than') <!-- always -->",
                             "word_count_check(300, 'less than') [constraint 1]",
                             "word_count_check(300, 'less than') /* length */",
                             "word_count_check(300, 'less than') <- length",
                             "*word_count_check(300, 'less than')* - checks the length",
                             "word_count_check(\n    300,  # words (most)\n    'less than',  # at\n    # all\n)",
                             "word_count_check(300, 'less than')<|im_end|>",
                             "word_count_check(300, 'less than')</tool>"}) {
        EXPECT_THAT(forms(line), ElementsAre(kWords)) << line;
    }
}

// What is written around a tool's call or before it; the same around other words is prose.
TEST(ParseCalls, Wrappings) {
    for (const char* line : {"```python word_count_check(300, \"less than\")```",
                             "``` n = word_count_check(300, \"less than\") ```",
                             "\"word_count_check(300, 'less than')\"",
                             "'word_count_check(300, \"less than\")',",
                             "“word_count_check(300, 'less than')”",
                             "(word_count_check(300, 'less than'))",
                             "( word_count_check(300, 'less than') ).",
                             "{word_count_check(300, 'less than')}",
                             "Length (words): word_count_check(300, 'less than')",
                             "Length (300): `word_count_check(300, 'less than')`",
                             "keyword(s): word_count_check(300, 'less than')",
                             "Tools: [word_count_check(300, 'less than')]",
                             "a) word_count_check(300, 'less than')",
                             "(b) word_count_check(300, 'less than')",
                             "c. word_count_check(300, 'less than')",
                             "→ word_count_check(300, 'less than')",
                             "=> word_count_check(300, 'less than')",
                             "– word_count_check(300, 'less than')",
                             "<tool>word_count_check(300, 'less than')</tool>",
                             "(a, b) = word_count_check(300, 'less than')",
                             "tools = [word_count_check(300, 'less than')]",
                             "word_count_check = word_count_check(300, 'less than')",
                             "Constraint #1: word_count_check(300, 'less than')",
                             "[1] word_count_check(300, 'less than')",
                             "- [ ] word_count_check(300, 'less than')",
                             "- [x] `word_count_check(300, 'less than')`",
                             "| word_count_check(300, 'less than') | quality |",
                             "| 1 | the length (words) | `word_count_check(300, 'less than')` |",
                             "<word_count_check(300, 'less than')>"}) {
        EXPECT_THAT(forms(line), ElementsAre(kWords)) << line;
    }
    for (const char* line :
         {"[text_eval(), word_count_check(300, \"less than\")]", "[\"text_eval()\", \"word_count_check(300, 'less than')\"]",
          "text_eval() then word_count_check(300, 'less than')", "text_eval(), and then word_count_check(300, 'less than')",
          "text_eval() and the length: word_count_check(300, 'less than')",
          "<tool>text_eval()</tool><tool>word_count_check(300, 'less than')</tool>",
          "Tool #1: text_eval()\nTool #2: word_count_check(300, 'less than')",
          "| text_eval() | word_count_check(300, 'less than') |",
          "[\"text_eval()\", \"word_count_check(300, \\\"less than\\\")\"]",
          "tools = [\"text_eval()\", \"word_count_check(300, \\\"less than\\\")\"]",
          "[\n  \"text_eval()\",\n  \"word_count_check(300, \\\"less than\\\")\"\n]"}) {
        EXPECT_THAT(forms(line), ElementsAre(kEval, kWords)) << line;
    }
    for (const char* line : {"[see word_count_check(300, \"less than\")]", "\"word_count_check\" counts the words.",
                             "(text_eval) is a tool", "print: f(3", "a) the text (as it is)", "text = (3)",
                             "[see my notes (here)]", "| text_eval | the text (all of it) |", "[\"a \\\"b\\\" (c)\"]"}) {
        EXPECT_THAT(forms(line), IsEmpty()) << line;
    }
    EXPECT_THAT(forms("[text_eval(), foo(1)]"), ElementsAre(kEval, "!unknown"));
    EXPECT_THAT(forms("(word_count_check(300, 'less than')))"), ElementsAre("!malformed"));
    EXPECT_THAT(forms("[word_cnt_check(300, \"less than\"), text_eval()]"), ElementsAre("!unknown", kEval));
    EXPECT_THAT(forms("text_eval() | word_count_check(300, 'less than')"), ElementsAre("!malformed"));
    for (const char* remark : {"//", "#", "/*"})
        EXPECT_THAT(forms("text_eval() " + std::string(remark) + " the length: word_count_check(300, 'less than')"),
                    ElementsAre(kEval));
    EXPECT_THAT(parse_calls("Length (words): text_eval()").ignored, ElementsAre("Length (words):"));
    EXPECT_THAT(parse_calls("Length (words): none").ignored, ElementsAre("Length (words): none"));
}

// Brackets close where they close; quotation marks do so on their line.
TEST(ParseCalls, ListsOverSeveralLines) {
    for (const char* list : {"tools = [text_eval(),\n word_count_check(300, 'less than')]",
                             "tools = [\n text_eval(),\n word_count_check(300, 'less than')]",
                             "calls(\n [\n  text_eval(),  # quality\n  word_count_check(300, 'less than')\n ])",
                             "(text_eval(),\n\n word_count_check(300, 'less than') )"}) {
        EXPECT_THAT(forms(list), ElementsAre(kEval, kWords)) << list;
    }
    EXPECT_THAT(forms("[\ntext_eval()\n]\nword_count_check(300, 'less than')]"), ElementsAre(kEval, "!malformed"));
    EXPECT_THAT(forms("```\n[\n```\ntext_eval()]"), ElementsAre("!malformed"));
    EXPECT_THAT(forms("\"text_eval()\nword_count_check(300, 'less than')\""), ElementsAre(kEval, "!malformed"));
}

// Calls in the forms of other programs cannot be used, and are not passed over.
TEST(ParseCalls, OtherFormsOfCalls) {
    for (const char* line : {"{\"name\": \"word_count_check\", \"arguments\": {\"count\": 300}}",
                             "<tool_call>{'name' : 'word_count_check', 'arguments': {}}</tool_call>",
                             "{\n  \"name\": \"word_count_check\",\n  \"arguments\": {\"count\": 300}\n}",
                             "<function=word_count_check>{\"count\": 300}</function>", "{\"function\": \"text_eval\"}",
                             "word_count_check（300，\"less than\"）"}) {
        EXPECT_THAT(forms(line), ElementsAre("!malformed")) << line;
    }
    EXPECT_THAT(forms("[{\"name\": \"text_eval\"}, {\"name\": \"detect_keyword\"}]"),
                ElementsAre("!malformed", "!malformed"));
    EXPECT_THAT(forms("{\"name\": \"Agnes\", \"tool\": \"hammer\"}\n<function=f>\nname: \"text_eval\""), IsEmpty());
}

TEST(ParseCalls, ArgumentsOfEveryTool) {
    EXPECT_THAT(forms("text_eval()\ndetect_keyword( )"), ElementsAre(kEval, "detect_keyword()"));
    EXPECT_THAT(forms("sentence_check(sentence_id=[3, 1, 3], relation='unchange')"),
                ElementsAre("sentence_modification_check([1, 3], \"unchange\")"));
    EXPECT_THAT(
        forms("sentence_modification_check(2, \"change\")\nsentence_modification_check(ids=[2,], relation='change')"),
        ElementsAre("sentence_modification_check([2], \"change\")", "sentence_modification_check([2], \"change\")"));
    EXPECT_THAT(forms("keyword_frequency_check('few years.', frequency=2, relation='equal')"),
                ElementsAre("keyword_frequency_check(\"few years.\", 2, \"equal\")"));
    EXPECT_THAT(forms("sentence_length_check(length=0, relation=\"more than\")"),
                ElementsAre("sentence_length_check(0, \"more than\")"));
}

TEST(ParseCalls, StringsAndEscapes) {
    EXPECT_THAT(forms(R"(keyword_keep_removal_check('it\'s', "keep"))"),
                ElementsAre(R"(keyword_keep_removal_check("it's", "keep"))"));
    EXPECT_THAT(forms(R"(keyword_keep_removal_check("a \"b\" \\ c), d # e", "keep"))"),
                ElementsAre(R"(keyword_keep_removal_check("a \"b\" \\ c), d # e", "keep"))"));
    EXPECT_THAT(forms(R"(keyword_keep_removal_check("caf\u00e9 \d \ud800 \u12", "keep"))"),
                ElementsAre(R"(keyword_keep_removal_check("café \\d \\ud800 \\u12", "keep"))"));
    // \xXX, and a pair of surrogates, which is how JSON writes what lies above \uFFFF.
    EXPECT_THAT(forms(R"(keyword_keep_removal_check("\x41\xe9 \ud83d\ude00 \x4 \ud83d\u0041 \ude00", "keep"))"),
                ElementsAre(R"(keyword_keep_removal_check("Aé 😀 \\x4 \\ud83dA \\ude00", "keep"))"));
    EXPECT_THAT(forms(R"(keyword_keep_removal_check("\U0001F600 \U00110000", "keep"))"),
                ElementsAre(R"(keyword_keep_removal_check("😀 \\U00110000", "keep"))"));
    EXPECT_THAT(forms("keyword_keep_removal_check(\"Straße “x”\", \"remove\")"),
                ElementsAre("keyword_keep_removal_check(\"Straße “x”\", \"remove\")"));
}

TEST(ParseCalls, SeveralOnALine) {
    EXPECT_THAT(forms("text_eval(); word_count_check(300, 'less than')"), ElementsAre(kEval, kWords));
    EXPECT_THAT(forms("text_eval(), word_count_check(300, 'less than') # two"), ElementsAre(kEval, kWords));
    EXPECT_THAT(forms("text_eval() word_count_check(300, 'less than')"), ElementsAre(kEval, kWords));
    EXPECT_THAT(forms("`text_eval()` and `word_count_check(300, 'less than')`"), ElementsAre(kEval, kWords));
    EXPECT_THAT(forms("text_eval(); word_count_check(300"), ElementsAre(kEval, "!malformed"));
    EXPECT_THAT(forms("text_eval(); frobnicate(3); word_count_check(300, 'less than')"),
                ElementsAre(kEval, "!unknown", kWords));
}

TEST(ParseCalls, WhatIsNoCall) {
    for (const char* line : {"",
                             " ",
                             "```",
                             "```python",
                             "~~~",
                             "# word_count_check(300, \"less than\")",
                             "###TOOLS:",
                             "// text_eval()",
                             "python",
                             "I will call the tools:",
                             "The limits (see below) matter.",
                             "(see below)",
                             "Keep the keyword(s) that matter.",
                             "I will call word_count_check(300, \"less than\") next.",
                             "word_count_check verifies the length.",
                             "word_count_check's result",
                             "word_count_check, text_eval and others",
                             "word_count_check: the number of words",
                             "Figure(1 and 2) shows it.",
                             "a well-known(ish) name",
                             "Sous-titre(s)",
                             "1. Sentence(s) to keep (3)",
                             "Note(s)",
                             "item(s), word(s)",
                             "Step 1 - count the words (all of them)",
                             "self.words = 3",
                             "1.2 Sentences (three)",
                             "else:",
                             "for i in range(3):",
                             "if label == 0:",
                             "\"The value (of land) changes.\",",
                             "tools = [",
                             "]",
                             "x = 3",
                             "1.",
                             "- ",
                             "Note: nothing (more) to do.",
                             "f(x) is how a function is written.",
                             "P(1) > 0.5 holds",
                             "Sentence(2) must stay",
                             "Section(2), and the rest",
                             "text_evaluation",
                             "3 * (4 + 5)"}) {
        const ParsedCalls parsed = parse_calls(line);
        EXPECT_THAT(parsed.calls, IsEmpty()) << line;
        EXPECT_LE(parsed.ignored.size(), 1u);
    }
    EXPECT_THAT(parse_calls("```python\n# c\nI think:\n\ntext_eval() yes\n```").ignored,
                ElementsAre("```python", "# c", "I think:", "yes", "```"));
}

TEST(ParseCalls, TextOfACallIsReadAgainAsThatCall) {
    const char* text =
        "- text_eval(); x = frobnicate(3)\n word_count_check(\n3, 'equal') ok\n1. word_count_check(3\nword_count_check('a') "
        "# b\n"
        "print(a b) # c)\nprint(3) word_count_check(3) trailing words\nmy_tool(3 x\nlabel: text_eval()\n"
        "(text_eval() + 1)\n[\"text_eval()\", foo(1]\nx = word_count_check 3: text_eval()\nx = keyword(s) is: foo(3)\n"
        "foo(1,\n 2)\n'text_eval()  'x'\n"
        "word_count_check(\n3 words)\n[my_tool(3)] + 2\nword_count_check(3,\n4) == 5\n<function=text_eval>text_eval()\n"
        "see {'name': 'text_eval', 'tool': 'text_eval'}\nword_count_check（3）\n[\"my_tool(\\\"a\\\")\"]\n"
        "word_count_check(\n\"text_eval()\",  # text_eval()\n3 4)\n"
        "x = text_eval:[\"text_eval()\", \"my_tool(\\\"a\\\")\"]\n";
    const ParsedCalls parsed = parse_calls(text);
    ASSERT_EQ(parsed.calls.size(), 26u);
    for (const ParsedCall& call : parsed.calls) {
        const ParsedCalls again = parse_calls(call.text);
        ASSERT_EQ(again.calls.size(), 1u) << call.text;
        EXPECT_EQ(again.calls[0].text, call.text);
        EXPECT_EQ(again.calls[0].problem.substr(0, 10), call.problem.substr(0, 10));
    }
}

TEST(ParseCall, ReadsOneCallOrThrows) {
    EXPECT_EQ(normal_form(parse_call(" word_count_check(300, 'less than')\n")), kWords);
    for (const char* text : {"", "x = text_eval()", "text_eval(); text_eval()", "text_eval() # c", "- text_eval()",
                             "frobnicate(3)", "word_count_check(3)", "text_eval"}) {
        EXPECT_THROW(parse_call(text), Error) << text;
    }
    try {
        parse_call("word_count_check(3, \"less\")");
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("relation must be"));
        EXPECT_THAT(error.what(), StartsWith("tool call 'word_count_check"));
    }
}

// What makes naive parsers quadratic; all of it together in seconds of CPU time, even in a sanitizer build.
TEST(ParseCalls, LinearOnNastyInput) {
#if defined(__SANITIZE_ADDRESS__)  // several times slower, where length is linear and where it is squared
    const size_t length = 100'000;
#else
    const size_t length = 300'000;
#endif
    const std::clock_t start = std::clock();
    for (const char* piece : {"(",
                              "[",
                              "text_eval(",
                              "text_eval(\n",
                              "word_count_check([1,\n",
                              "f_(1) ",
                              "text_eval() ",
                              "text_eval()\n",
                              "- ",
                              "1. ",
                              "`",
                              "\"",
                              "\\",
                              "a=",
                              "x, ",
                              "frobnicate(3) ",
                              "f(1);;;; ",
                              "word_count_check(\"",
                              "a.",
                              "1,",
                              "1,\n",
                              "f_(x=\n",
                              "\xFF",
                              "\xE2\x80\xA2",
                              ":",
                              "a:",
                              "#\n",
                              "f(3) x",
                              "text_eval() and ",
                              "text_eval() then ",
                              "'",
                              "{",
                              "<a>",
                              "a) ",
                              "a: ",
                              "(a, b) = ",
                              "→",
                              "é",
                              "a-",
                              "[text_eval(), ",
                              "foo(1",
                              "text_eval 1 ",
                              "| a ",
                              "[1] ",
                              "[\n",
                              "#1: ",
                              "<text_eval() ",
                              "[\"\\\"",
                              "\"name\": \"text_eval\" ",
                              "\"<a\", # b>text_eval(1, \n",
                              "1, #b: text_eval(\n",
                              "text_eval(a # b\n",
                              "*text_eval()* * "}) {
        std::string text;
        while (text.size() < length) text += piece;
        for (const std::string& nasty :
             {text, "word_count_check(" + text, text + std::string(length, ' '), text + ")", "f(" + text + ")"}) {
            const ParsedCalls parsed = parse_calls(nasty);
            EXPECT_LE(parsed.calls.size() + parsed.ignored.size(), nasty.size());
        }
    }
    EXPECT_LT((std::clock() - start) / CLOCKS_PER_SEC, 30);
}

}  // namespace
}  // namespace craft
