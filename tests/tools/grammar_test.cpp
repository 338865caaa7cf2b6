// Automata of grammars: what they take, where they refuse, that equal states are one.
#include "tools/grammar.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "core/rng.h"
#include "core/utf8.h"

namespace craft {
namespace {

using Term = GrammarTerm;

// Bytes that are taken; one more where the text is a sentence.
size_t taken(const Grammar& grammar, std::string_view text) {
    GrammarState state = grammar.start();
    for (size_t i = 0; i < text.size(); ++i)
        if (!state.advance(static_cast<uint8_t>(text[i]))) return i;
    return text.size() + (state.may_end() ? 1 : 0);
}

Grammar grammar_of(Term body) {
    return Grammar({{"whole", std::move(body)}});
}

bool is_sentence(const Grammar& grammar, std::string_view text) {
    return taken(grammar, text) == text.size() + 1;
}

TEST(Grammar, TakesSentencesAndRefusesAtTheFirstWrongByte) {
    const Grammar grammar(
        {{"list",
          Term::sequence({Term::literal("["), Term::rule("item"),
                          Term::repeated(Term::sequence({Term::literal(", "), Term::rule("item")})), Term::literal("]")})},
         {"item", Term::choice({Term::literal("ab"), Term::repeated(Term::range('0', '9'), 1, 3)})}});
    EXPECT_TRUE(is_sentence(grammar, "[ab, 12, 999]"));
    EXPECT_EQ(taken(grammar, "[ab, "), 5u);
    EXPECT_EQ(taken(grammar, "[ac]"), 2u);
    EXPECT_EQ(taken(grammar, "[1234]"), 4u) << "three digits at most";
    EXPECT_EQ(taken(grammar, "[]"), 1u);
    EXPECT_EQ(taken(grammar, "[1]]"), 3u);
    GrammarState state = grammar.start();
    EXPECT_FALSE(state.advance('x'));
    EXPECT_FALSE(state.advance('[')) << "a dead state stays dead";
    EXPECT_EQ(state.number(), -1);
    EXPECT_FALSE(state.may_end());
}

TEST(Grammar, RepetitionsHaveTheirBounds) {
    const Term a = Term::literal("a");
    const auto counts = [](const Grammar& grammar) {
        std::string which;
        for (size_t count = 0; count < 6; ++count) which += is_sentence(grammar, std::string(count, 'a')) ? '1' : '0';
        return which;
    };
    EXPECT_EQ(counts(grammar_of(Term::repeated(a))), "111111");
    EXPECT_EQ(counts(grammar_of(Term::repeated(a, 2))), "001111");
    EXPECT_EQ(counts(grammar_of(Term::repeated(a, 1, 3))), "011100");
    EXPECT_EQ(counts(grammar_of(Term::optional(a))), "110000");
    EXPECT_EQ(counts(grammar_of(Term::repeated(a, 2, 2))), "001000");
    EXPECT_EQ(counts(grammar_of(Term::repeated(Term::repeated(a, 2, 2)))), "101010");
}

// Every character of Unicode but one, and nothing that is no character, against the validator of UTF-8.
TEST(Grammar, CharactersAreWellFormedUtf8) {
    const Grammar grammar = grammar_of(Term::none_of("x"));
    Rng rng(3, "bytes");
    int64_t sentences = 0;
    for (int i = 0; i < 200000; ++i) {
        std::string text;
        for (int64_t length = rng.between(1, 4); length > 0; --length)
            text += static_cast<char>(rng.below(3) == 0 ? rng.below(256) : 0x80 + rng.below(0x80));
        const auto lead = static_cast<unsigned char>(text[0]);
        const size_t bytes = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        const bool expected = invalid_utf8_at(text) == std::string::npos && bytes == text.size() && text != "x";
        sentences += expected ? 1 : 0;
        ASSERT_EQ(is_sentence(grammar, text), expected) << testing::PrintToString(text);
    }
    EXPECT_GT(sentences, 5000);
    for (const char* text : {"\xED\x9F\xBF", "\xEE\x80\x80", "\xF4\x8F\xBF\xBF", "\xE0\xA0\x80", "\xC2\x80", "\x7F"})
        EXPECT_TRUE(is_sentence(grammar, text));
    for (const char* text : {"\xED\xA0\x80", "\xF4\x90\x80\x80", "\xC0\x80", "\xE0\x9F\xBF", "x"})
        EXPECT_FALSE(is_sentence(grammar, text));
}

// ASCII alone: 2 states. With the tails of UTF-8 (three kinds of one byte to come, five of more) still few.
TEST(Grammar, EqualStatesAreOne) {
    EXPECT_EQ(grammar_of(Term::repeated(Term::range('a', 'z'))).states(), 1);
    const Term word = Term::sequence({Term::literal("ab"), Term::optional(Term::literal("c"))});
    EXPECT_EQ(grammar_of(Term::choice({word, word, Term::literal("ab")})).states(), 4);
    EXPECT_LE(grammar_of(Term::repeated(Term::none_of("x"))).states(), 8);
}

// With "; P: " as the end and two markers that may not stand in the text; by looking for them in every text of few bytes.
TEST(Grammar, AStretchEndsBeforeTheFirstEnd) {
    const std::string end = "\"; \"", other = "\"\nS\"", heading = "\"\n#";
    const Grammar grammar = grammar_of(
        Term::sequence({Term::repeated(Term::sequence({Term::literal("\""), stretch_before(end, {other, heading})}), 1),
                        Term::literal(end)}));
    Rng rng(4, "stretches");
    int64_t sentences = 0;
    for (int i = 0; i < 300000; ++i) {
        std::string text = "\"";
        for (int64_t length = rng.between(0, 9); length > 0; --length) text += "\"; \nS#a"[rng.below(7)];
        if (rng.below(2) == 0) text += end;
        const bool expected = text.size() > end.size() && text.find(end) == text.size() - end.size() &&
                              text.find(other) == std::string::npos && text.find(heading) == std::string::npos;
        sentences += expected ? 1 : 0;
        ASSERT_EQ(is_sentence(grammar, text), expected) << testing::PrintToString(text);
    }
    EXPECT_GT(sentences, 5000);
    EXPECT_THROW(stretch_before("\"a\"b", {}), std::logic_error) << "a delimiter in the middle";
    EXPECT_THROW(stretch_before("\"a\"", {"b"}), std::logic_error) << "begins otherwise";
    EXPECT_THROW(stretch_before("", {}), std::logic_error);
}

TEST(Grammar, TablesThatAreNoneAreRefused) {
    const Term a = Term::literal("a");
    EXPECT_THROW(Grammar({}), std::logic_error);
    EXPECT_THROW(Grammar({{"A_b", a}}), std::logic_error) << "llama.cpp takes no underscores";
    EXPECT_THROW(Grammar({{"a", a}, {"a", a}}), std::logic_error);
    EXPECT_THROW(Grammar({{"a", Term::rule("b")}}), std::logic_error);
    EXPECT_THROW(Grammar({{"a", Term::rule("b")}, {"b", Term::rule("a")}}), std::logic_error) << "around in a ring";
    EXPECT_THROW(grammar_of(Term::choice({})), std::logic_error);
    EXPECT_THROW(grammar_of(Term::one_of("")), std::logic_error);
    EXPECT_THROW(grammar_of(Term::repeated(a, 3, 2)), std::logic_error);
}

}  // namespace
}  // namespace craft
