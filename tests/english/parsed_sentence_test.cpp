#include "english/parsed_sentence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace craft {
namespace {

EnglishToken token(const std::string& text, const std::string& tag, const std::string& dep, size_t head) {
    EnglishToken made;
    made.text = made.lower = text;
    made.tag = tag;
    made.dep = dep;
    made.head = head;
    return made;
}

TEST(ParsedSentence, KnowsChildrenAndNeighbours) {
    const ParsedSentence tree({token("she", "PRP", "nsubj", 3), token("does", "VBZ", "aux", 3), token("not", "RB", "neg", 3),
                               token("run", "VB", "ROOT", 3)});
    EXPECT_THAT(tree.children(3), testing::ElementsAre(0, 1, 2));
    EXPECT_EQ(tree.child(3, {"aux", "neg"}), 1u);
    EXPECT_FALSE(tree.has_child(0, {"aux"}));
    EXPECT_EQ(tree.after_adverbs(2), 3u);
    EXPECT_EQ(tree.after_adverbs(4), 4u);
    EXPECT_TRUE(tree.is_lower(0, {"he", "she"}));
    EXPECT_TRUE(tree.is_tag(1, {"VBZ"}));
    EXPECT_TRUE(tree.is_dep(1, {"aux"}));
    EXPECT_EQ(tree.lower(4), "");
    EXPECT_EQ(tree.tag(static_cast<size_t>(-1)), "") << "before the first token there is none";
    EXPECT_FALSE(tree.is_lower(9, {""}));
}

}  // namespace
}  // namespace craft
