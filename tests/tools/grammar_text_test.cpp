// Rules as GBNF and EBNF: signs, brackets, escapes.
#include "tools/grammar_text.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace craft {
namespace {

using Term = GrammarTerm;

std::string gbnf(Term body) {
    return gbnf_text({{"whole", std::move(body)}});
}
std::string ebnf(Term body) {
    return ebnf_text({{"whole", std::move(body)}});
}

TEST(GrammarText, LiteralsAreEscaped) {
    EXPECT_EQ(gbnf(Term::literal("a\"\\\n\r\t\x01 ü]")), "root ::= \"a\\\"\\\\\\n\\r\\t\\x01 ü]\"\n");
    EXPECT_EQ(ebnf(Term::literal("a\"b")), "whole = 'a\"b' ;\n");
    EXPECT_EQ(ebnf(Term::literal("it's \"so\"\n")), "whole = \"it's \" , '\"so\"' , ? U+000A ? ;\n");
    EXPECT_EQ(ebnf(Term::literal("\n\n")), "whole = ? U+000A ? , ? U+000A ? ;\n");
    EXPECT_EQ(gbnf(Term::literal("")) + ebnf(Term::literal("")), "root ::= \"\"\nwhole = \"\" ;\n");
}

TEST(GrammarText, SetsNameTheirCharacters) {
    EXPECT_EQ(gbnf(Term::none_of("\"\\\n]")), "root ::= [^\"\\\\\\n\\]]\n");
    EXPECT_EQ(gbnf(Term::range('0', '9')), "root ::= [0-9]\n");
    EXPECT_EQ(ebnf(Term::none_of("\"\n ")), "whole = ? a character but \", U+000A, U+0020 ? ;\n");
    EXPECT_EQ(ebnf(Term::range('0', '9')), "whole = ? a character of 0 to 9 ? ;\n");
}

TEST(GrammarText, BracketsStandWhereTheyMust) {
    const Term a = Term::literal("a"), b = Term::literal("bc"), either = Term::choice({a, b});
    EXPECT_EQ(gbnf(Term::sequence({a, either})), "root ::= \"a\" (\"a\" | \"bc\")\n");
    EXPECT_EQ(ebnf(Term::sequence({a, either})), "whole = \"a\" , (\"a\" | \"bc\") ;\n");
    EXPECT_EQ(gbnf(Term::repeated(b)), "root ::= (\"bc\")*\n");
    EXPECT_EQ(gbnf(Term::repeated(either, 1)), "root ::= (\"a\" | \"bc\")+\n");
    EXPECT_EQ(gbnf(Term::repeated(Term::range('0', '9'), 0, 17)), "root ::= [0-9]{0,17}\n");
    EXPECT_EQ(gbnf(Term::repeated(a, 2)), "root ::= (\"a\"){2,}\n");
    EXPECT_EQ(gbnf(Term::optional(Term::sequence({a, either}))), "root ::= (\"a\" (\"a\" | \"bc\"))?\n");
    EXPECT_EQ(gbnf(Term::optional(Term::sequence({a, b}))), "root ::= (\"abc\")?\n") << "one literal";
    EXPECT_EQ(ebnf(Term::repeated(either, 1)), "whole = (\"a\" | \"bc\") , { \"a\" | \"bc\" } ;\n");
    EXPECT_EQ(ebnf(Term::repeated(Term::range('0', '9'), 0, 17)), "whole = 17 * [ ? a character of 0 to 9 ? ] ;\n");
    EXPECT_EQ(ebnf(Term::optional(a)), "whole = [ \"a\" ] ;\n");
    EXPECT_EQ(ebnf(Term::repeated(b, 2, 2)), "whole = 2 * (\"bc\") ;\n");
}

TEST(GrammarText, TheFirstRuleIsTheRoot) {
    const GrammarRules rules = {{"whole", Term::rule("part")}, {"part", Term::literal("a")}};
    EXPECT_EQ(gbnf_text(rules), "root ::= part\npart ::= \"a\"\n");
    EXPECT_EQ(ebnf_text(rules), "whole = part ;\npart = \"a\" ;\n");
    EXPECT_THROW(gbnf_text({}), std::logic_error);
    EXPECT_THROW(gbnf_text({{"whole", Term::rule("root")}, {"root", Term::literal("a")}}), std::logic_error);
}

}  // namespace
}  // namespace craft
