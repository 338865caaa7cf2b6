// Rules as GBNF: signs, brackets, escapes.
#include "tools/grammar_text.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace craft {
namespace {

using Term = GrammarTerm;

std::string gbnf(Term body) {
    return gbnf_text({{"whole", std::move(body)}});
}

TEST(GrammarText, LiteralsAreEscaped) {
    EXPECT_EQ(gbnf(Term::literal("a\"\\\n\r\t\x01 ü]")), "root ::= \"a\\\"\\\\\\n\\r\\t\\x01 ü]\"\n");
    EXPECT_EQ(gbnf(Term::literal("")), "root ::= \"\"\n");
}

TEST(GrammarText, SetsNameTheirCharacters) {
    EXPECT_EQ(gbnf(Term::none_of("\"\\\n]")), "root ::= [^\"\\\\\\n\\]]\n");
    EXPECT_EQ(gbnf(Term::range('0', '9')), "root ::= [0-9]\n");
}

TEST(GrammarText, BracketsStandWhereTheyMust) {
    const Term a = Term::literal("a"), b = Term::literal("bc"), either = Term::choice({a, b});
    EXPECT_EQ(gbnf(Term::sequence({a, either})), "root ::= \"a\" (\"a\" | \"bc\")\n");
    EXPECT_EQ(gbnf(Term::repeated(b)), "root ::= (\"bc\")*\n");
    EXPECT_EQ(gbnf(Term::repeated(either, 1)), "root ::= (\"a\" | \"bc\")+\n");
    EXPECT_EQ(gbnf(Term::repeated(Term::range('0', '9'), 0, 17)), "root ::= [0-9]{0,17}\n");
    EXPECT_EQ(gbnf(Term::repeated(a, 2)), "root ::= (\"a\"){2,}\n");
    EXPECT_EQ(gbnf(Term::optional(Term::sequence({a, either}))), "root ::= (\"a\" (\"a\" | \"bc\"))?\n");
    EXPECT_EQ(gbnf(Term::optional(Term::sequence({a, b}))), "root ::= (\"abc\")?\n") << "one literal";
}

TEST(GrammarText, TheFirstRuleIsTheRoot) {
    const GrammarRules rules = {{"whole", Term::rule("part")}, {"part", Term::literal("a")}};
    EXPECT_EQ(gbnf_text(rules), "root ::= part\npart ::= \"a\"\n");
    EXPECT_THROW(gbnf_text({}), std::logic_error);
    EXPECT_THROW(gbnf_text({{"whole", Term::rule("root")}, {"root", Term::literal("a")}}), std::logic_error);
}

}  // namespace
}  // namespace craft
