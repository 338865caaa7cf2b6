#include "rollout/rules/sentence.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

TEST(RuleSentence, KeepsTheArticleRight) {
    EXPECT_EQ(Sentence("It was an old utopia.").replaced(3, 1, ""), "It was a utopia.");
    EXPECT_EQ(Sentence("It was a very unidentified object.").replaced(3, 1, ""), "It was an unidentified object.");
    EXPECT_EQ(Sentence("He met an old UK man.").replaced(3, 1, ""), "He met a UK man.");
    EXPECT_EQ(Sentence("A big MRI scan helped.").replaced(1, 1, ""), "An MRI scan helped.");
    EXPECT_EQ(Sentence("She made a good “honest” try.").replaced(3, 1, ""), "She made an “honest” try.");
    EXPECT_EQ(Sentence("It had a slow 8-bit chip.").replaced(3, 1, ""), "It had an 8-bit chip.");
    EXPECT_EQ(Sentence("It was a big house.").replaced(3, 1, "huge"), "It was a huge house.");
    // Writers may put both before "historic".
    EXPECT_EQ(Sentence("It was an old historic place.").replaced(3, 1, ""), "It was an historic place.");
    EXPECT_EQ(Sentence("It is not an old, a new one.").replaced(4, 1, "early"), "It is not an early, a new one.");
}

TEST(RuleSentence, TakesALetterForNoArticle) {
    EXPECT_EQ(Sentence("Vitamin A always is good.").replaced(2, 1, "often"), "Vitamin A often is good.");
}

}  // namespace
}  // namespace craft
