#include "tools/grammar/parse_repairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/grammar/grammar_setup.h"

namespace craft {
namespace {

using test::InstalledGrammar;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> repaired(const std::string& sentence) {
    InstalledGrammar& grammar = InstalledGrammar::get();
    const ParsedSentence tree = grammar.tree(sentence);
    const ParseText text = parse_text(tree.tokens());
    const ConstituentParse parse = grammar.parser().parse({{text.text}}).front();
    return test::said(marks_by_repair(tree, grammar.know(), parse, text, grammar.parser()), tree.tokens());
}

TEST(ParseRepairs, CompareParses) {
    ConstituentParse before, after;
    before.left_out = 1;
    EXPECT_TRUE(is_better_parse(after, before));
    EXPECT_TRUE(is_no_worse_parse(after, before));
    EXPECT_FALSE(is_better_parse(before, after));
    after.left_out = 1;
    after.cost = 0.9;
    EXPECT_FALSE(is_better_parse(after, before));
    EXPECT_TRUE(is_no_worse_parse(after, before));
    after.cost = 1.6;
    EXPECT_FALSE(is_no_worse_parse(after, before));
    after = {};
    after.problem = "no parse";
    EXPECT_FALSE(is_no_worse_parse(after, before));
}

TEST(ParseRepairs, FindTheChangeOfOneWord) {
    CRAFT_NEEDS_GRAMMAR();
    EXPECT_THAT(repaired("She told to me that she was ill."), ElementsAre("redundant to"));
    EXPECT_THAT(repaired("He can swims very fast."), ElementsAre("substituted swims: swim"));
    EXPECT_THAT(repaired("The dog barked at the cat."), IsEmpty()) << "parsed whole";
}

TEST(ParseRepairs, KeepMarksThatDoTheParseNoHarm) {
    CRAFT_NEEDS_GRAMMAR();
    InstalledGrammar& grammar = InstalledGrammar::get();
    const ParsedSentence tree = grammar.tree("The dog barks at us.");
    const ConstituentParse parse = grammar.parser().parse({{parse_text(tree.tokens()).text}}).front();
    const std::vector<ErrorMark> marks = {{MarkKind::substituted, 2, 1, "past", {"barked"}},
                                          {MarkKind::substituted, 2, 1, "wrong", {"bark"}}};
    EXPECT_THAT(test::said(borne_out_by_parse(marks, tree.tokens(), parse, grammar.parser()), tree.tokens()),
                ElementsAre("substituted barks: barked"));
    ConstituentParse none;
    none.problem = "worker";
    EXPECT_EQ(borne_out_by_parse(marks, tree.tokens(), none, grammar.parser()).size(), 2u)
        << "without a parse nothing is held against them";
}

}  // namespace
}  // namespace craft
