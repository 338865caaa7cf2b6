#include "english/bracketed_tree.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

TEST(BracketedTree, GetsTheSentencesWords) {
    const auto tree = tree_with_words("(S (NP the cat.n)\n   (VP sat.v-d) .)\n",
                                      {{"The", "the"}, {"cat", "cat.n"}, {"sat", "sat.v-d"}, {".", "."}});
    ASSERT_TRUE(tree);
    EXPECT_EQ(tree->bracketed, "(S (NP The cat) (VP sat) .)");
    EXPECT_EQ(tree->flat_words, 0);
    EXPECT_EQ(tree_with_words("(S (S a)b(NP c))", {{"1", "a"}, {"2", "b"}, {"3", "c"}})->bracketed, "(S (S 1) 2 (NP 3))");
    EXPECT_EQ(
        tree_with_words("(S {{} b c d{!<X>} e)", {{"(a)", "{{}"}, {"[", "b"}, {"]", "c"}, {"{", "d{!<X>}"}, {"}", "e"}})
            ->bracketed,
        "(S -LRB-a-RRB- -LSB- -RSB- -LCB- -RCB-)");
}

// link-grammar's trees lack words now and then.
TEST(BracketedTree, HasTheWordsThatItLacksFlat) {
    const std::vector<TreeWord> words = {{"1", "a"}, {"2", "b"}, {"3", "c"}, {"4", "d"}, {"5", "b"}};
    const auto cut = tree_with_words("(S (NP a) (VP b))", words);
    ASSERT_TRUE(cut);
    EXPECT_EQ(cut->bracketed, "(S (NP 1) (VP 2) 3 4 5)");
    EXPECT_EQ(cut->flat_words, 3);
    const auto within = tree_with_words("(S (NP a d))", words);
    ASSERT_TRUE(within);
    EXPECT_EQ(within->bracketed, "(S (NP 1 2 3 4) 5)");
    EXPECT_EQ(within->flat_words, 3);
}

TEST(BracketedTree, IsNoneWhereItDoesNotFit) {
    const std::vector<TreeWord> words = {{"1", "a"}, {"2", "b"}};
    EXPECT_TRUE(tree_with_words("(S a b)", words));
    for (const char* wrong : {"(S a b c)", "(S b a)", "(S a a)", "(S a b", "(S a b))", "a (S b)", "(S a) b", "(S a) (S b)",
                              "( a b)", "(S () a b)", "", "  ", ")"})
        EXPECT_FALSE(tree_with_words(wrong, words)) << wrong;
    EXPECT_FALSE(tree_with_words("", {}));
}

}  // namespace
}  // namespace craft
