// The grammar of the eight tools' calls: their normal forms, no others, and all that it lets through is usable.
#include "tools/call_grammar.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/tools/gbnf_reader.h"
#include "tests/tools/random_sentence.h"
#include "tools/craft/craft_tools.h"
#include "tools/grammar.h"
#include "tools/grammar_text.h"

namespace craft {
namespace {

constexpr std::string_view kChangedBytes = "\"\\\n,()[] 019abtx_\xC3\xA9";

const Grammar& call_grammar() {
    static const Grammar grammar(call_grammar_rules(craft_tools()));
    return grammar;
}

// Where the first byte is refused; the text's size where none is, one more where it is a sentence.
size_t taken_of_calls(std::string_view text) {
    GrammarState state = call_grammar().start();
    for (size_t i = 0; i < text.size(); ++i)
        if (!state.advance(static_cast<uint8_t>(text[i]))) return i;
    return text.size() + (state.may_end() ? 1 : 0);
}

TEST(CallGrammar, TakesNormalForms) {
    const std::vector<ToolCall> all = {TextEval{},
                                       DetectKeyword{},
                                       WordCountCheck{0, Relation::less_than},
                                       WordCountCheck{999999999999999999, Relation::more_than},
                                       SentenceCountCheck{10, Relation::equal},
                                       SentenceLengthCheck{7, Relation::more_than},
                                       KeywordKeepRemovalCheck{"say \"so\" \\ na\xC3\xAFve\n\t)", false},
                                       KeywordKeepRemovalCheck{"```", true},
                                       KeywordFrequencyCheck{"it's", 3, Relation::equal},
                                       SentenceModificationCheck{{1, 12, 3}, true}};
    std::string text;
    for (const ToolCall& call : all) {
        text += normal_form(call) + "\n";
        EXPECT_EQ(taken_of_calls(text), text.size() + 1) << text;
    }
    EXPECT_EQ(taken_of_calls(""), 1u);
}

// Each change stands where the first byte that cannot be right is.
TEST(CallGrammar, RefusesWhereACallBreaks) {
    const auto refused_at = [](const std::string& good, const std::string& wrong) {
        const std::string text = good + wrong;
        return taken_of_calls(text) == good.size() && taken_of_calls(good) >= good.size();
    };
    EXPECT_TRUE(refused_at("", "check_words(5)"));
    EXPECT_TRUE(refused_at("word", "-count"));
    EXPECT_TRUE(refused_at("word_count_check(", "\"5\""));
    EXPECT_TRUE(refused_at("word_count_check(", "-5"));
    EXPECT_TRUE(refused_at("word_count_check(0", "5")) << "no leading zero";
    EXPECT_TRUE(refused_at("word_count_check(5", ".0"));
    EXPECT_TRUE(refused_at("word_count_check(123456789012345678", "9")) << "19 digits may be too large";
    EXPECT_TRUE(refused_at("word_count_check(5", ")"));
    EXPECT_TRUE(refused_at("word_count_check(5,", "\"less than\""));
    EXPECT_TRUE(refused_at("word_count_check(5, ", "'less than'"));
    EXPECT_TRUE(refused_at("word_count_check(5, \"", "at most\""));
    EXPECT_TRUE(refused_at("word_count_check(5, \"less", "\""));
    EXPECT_TRUE(refused_at("keyword_keep_removal_check(\"a\", \"", "equal\""));
    EXPECT_TRUE(refused_at("keyword_keep_removal_check(\"", "\", \"keep\")")) << "an empty word";
    EXPECT_TRUE(refused_at("keyword_keep_removal_check(\"a", "\n"));
    EXPECT_TRUE(refused_at("keyword_keep_removal_check(\"a\\", "x41")) << "an escape that is not the normal form's";
    EXPECT_TRUE(refused_at("keyword_keep_removal_check(", "keyword=\"a\""));
    EXPECT_TRUE(refused_at("sentence_modification_check([", "], \"change\")")) << "no ids";
    EXPECT_TRUE(refused_at("sentence_modification_check([", "0"));
    EXPECT_TRUE(refused_at("sentence_modification_check([1, ", "]"));
    EXPECT_TRUE(refused_at("sentence_modification_check(", "1"));
    EXPECT_TRUE(refused_at("sentence_c", "heck([1], \"change\")")) << "the tool's other name";
    EXPECT_TRUE(refused_at("text_eval()", " text_eval()")) << "one call a line";
    EXPECT_TRUE(refused_at("text_eval()\n", "\n"));
    EXPECT_TRUE(refused_at("text_eval()\n", "```"));
}

TEST(CallGrammar, WhatItTakesIsUsableAndInNormalForm) {
    const test::RandomSentences sentences(call_grammar(), "\")]0aeiou");
    Rng rng(11, "calls");
    size_t read = 0;
    for (int i = 0; i < 2000; ++i) {
        const std::string text = sentences.next(rng);
        const ParsedCalls parsed = parse_calls(text);
        const auto lines = static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
        ASSERT_EQ(parsed.calls.size(), lines) << text;
        EXPECT_TRUE(parsed.ignored.empty()) << text;
        std::string printed;
        for (const ParsedCall& call : parsed.calls) {
            ASSERT_EQ(call.problem, "") << text;
            printed += normal_form(call.bound) + "\n";
        }
        EXPECT_EQ(printed, text);
        read += lines;
    }
    EXPECT_GT(read, 4000u);
}

// Two thousand sentences, and as many with a byte changed, by the automaton and by a reader of what is printed.
TEST(CallGrammar, PrintedItSaysTheSame) {
    const test::GbnfReader printed(gbnf_text(call_grammar_rules(craft_tools())));
    const test::RandomSentences sentences(call_grammar(), "\")]0aeiou");
    Rng rng(12, "printed");
    int refused = 0;
    for (int i = 0; i < 2000; ++i) {
        const std::string text = sentences.next(rng);
        EXPECT_TRUE(printed.accepts(text)) << text;
        const std::string changed = test::changed_somewhere(text, rng, kChangedBytes);
        const bool is_sentence = taken_of_calls(changed) == changed.size() + 1;
        ASSERT_EQ(printed.accepts(changed), is_sentence) << changed;
        refused += is_sentence ? 0 : 1;
    }
    EXPECT_GT(refused, 500);
    EXPECT_LT(refused, 1990);
}

TEST(CallGrammar, NamesToolsWithoutForms) {
    try {
        call_grammar_rules(ToolSet({{.name = "a"}, {.name = "b", .parameters = {{"x"}}}}));
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "tool b: expected a form of each of its 1 parameters, got 0 (see Tool::forms)");
    }
    EXPECT_THROW(call_grammar_rules(ToolSet(std::vector<Tool>{{.name = "b", .alias_of = "a"}})), Error);
    EXPECT_EQ(gbnf_text(call_grammar_rules(ToolSet(std::vector<Tool>{{.name = "a_B"}}))),
              "root ::= (call \"\\n\")*\ncall ::= call-a-b\ncall-a-b ::= \"a_B()\"\n");
}

}  // namespace
}  // namespace craft
