// What the reader of calls let pass, by its kind.
#include "tools/leniency.h"

#include <gtest/gtest.h>

#include "tests/tools/random_sentence.h"
#include "tools/call_grammar.h"
#include "tools/craft/craft_tools.h"
#include "tools/grammar.h"

namespace craft {
namespace {

Leniency leniency_of(const std::string& text) {
    return parse_calls(text).leniency;
}

TEST(CallLeniency, NormalFormsNeedNone) {
    EXPECT_EQ(leniency_of(""), Leniency{});
    EXPECT_EQ(
        leniency_of("text_eval()\nword_count_check(3, \"less than\")\nkeyword_keep_removal_check(\"a\\\"b\", \"keep\")"),
        Leniency{});
    const Grammar grammar(call_grammar_rules(craft_tools()));
    const test::RandomSentences sentences(grammar, "\")]0aeiou");
    Rng rng(5, "lenient");
    for (int i = 0; i < 300; ++i) {
        const std::string text = sentences.next(rng);
        EXPECT_EQ(leniency_of(text), Leniency{}) << text;
    }
}

TEST(CallLeniency, OfACall) {
    EXPECT_EQ(leniency_of("word_count_check(3, 'less than')"), (Leniency{{"single_quotes", 1}}));
    EXPECT_EQ(leniency_of("word_count_check(count=3, relation=\"equal\")"), (Leniency{{"keyword_arguments", 1}}));
    EXPECT_EQ(leniency_of("word_count_check(n=3, mode='equal')"),
              (Leniency{{"alias_name", 1}, {"keyword_arguments", 1}, {"single_quotes", 1}}));
    EXPECT_EQ(leniency_of("sentence_check([1], \"change\")"), (Leniency{{"alias_name", 1}}));
    EXPECT_EQ(leniency_of("sentence_modification_check(1, \"change\")"), (Leniency{{"lone_id", 1}}));
    EXPECT_EQ(leniency_of("word_count_check(3,\n  \"equal\")"), (Leniency{{"call_over_several_lines", 1}}));
    EXPECT_EQ(leniency_of("word_count_check(3,\"equal\")\ntext_eval( )\nkeyword_keep_removal_check(\"\\x41\", \"keep\")"),
              (Leniency{{"spacing", 3}}));
}

TEST(CallLeniency, OfALine) {
    EXPECT_EQ(leniency_of("- text_eval()\nWords: word_count_check(3, \"equal\")\ntext_eval()  # now"),
              (Leniency{{"text_around_call", 3}}));
    EXPECT_EQ(leniency_of("text_eval(), detect_keyword()"),
              (Leniency{{"several_calls_on_a_line", 1}, {"text_around_call", 1}}));
    EXPECT_EQ(leniency_of("Let us see.\n```\ntext_eval()\n\n```"),
              (Leniency{{"fence_between_calls", 2}, {"prose_between_calls", 1}, {"spacing", 1}}));
    EXPECT_EQ(leniency_of("[\"text_eval()\", \"word_count_check(3, \\\"equal\\\")\"]"),
              (Leniency{{"calls_in_json", 1}, {"several_calls_on_a_line", 1}}));
}

TEST(CallLeniency, WhatIsUnusableIsNone) {
    EXPECT_EQ(leniency_of("word_count_check(3\nfly(\"x\")\nword_count_check('3', \"equal\")"), Leniency{});
}

TEST(CallLeniency, AddsUp) {
    Leniency all = leniency_of("- text_eval()");
    add_leniency(all, leniency_of("* text_eval()\ntext_eval( )"));
    EXPECT_EQ(all, (Leniency{{"spacing", 1}, {"text_around_call", 2}}));
}

}  // namespace
}  // namespace craft
