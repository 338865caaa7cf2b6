// Edits of single sentences, against sentences revised by hand.
#include "rollout/rules/edits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rollout/rules/rules_fixture.h"

namespace craft {
namespace {

using ::testing::Contains;
using ::testing::Not;

class Edits : public ::testing::Test {
protected:
    EditContext context() const { return {*shipped_rules(), lower_}; }
    static std::vector<std::string> texts(const std::vector<Edit>& edits) {
        std::vector<std::string> out;
        for (const auto& edit : edits) {
            std::string text;
            for (const auto& part : edit.result) text += (text.empty() ? "" : " | ") + part;
            out.push_back(text);
        }
        return out;
    }
    std::vector<std::string> words(const std::string& text, unsigned groups) const {
        std::vector<Edit> edits;
        list_word_edits(context(), Sentence(text), groups, edits);
        return texts(edits);
    }
    std::vector<std::string> splits(const std::string& text, double most = 4) const {
        std::vector<Edit> edits;
        list_splits(context(), Sentence(text), 10, edits);
        std::erase_if(edits, [&](const Edit& e) { return e.cost > most; });
        return texts(edits);
    }
    std::vector<std::string> joins(const std::string& a, const std::string& b) const {
        std::vector<Edit> edits;
        list_joins(context(), a, b, edits);
        return texts(edits);
    }
    WordSet lower_ = {"birds"};
};

TEST_F(Edits, WordyPhrasesBecomeConciseWithTheirCapital) {
    EXPECT_THAT(words("In order to win, train.", kShrink), Contains("To win, train."));
    EXPECT_THAT(words("We left due to the fact that it rained.", kShrink), Contains("We left because it rained."));
}

TEST_F(Edits, ArticlesSuitTheWordThatFollows) {
    EXPECT_THAT(words("It is a very old house.", kShrink), Contains("It is an old house."));
    EXPECT_THAT(words("He saw an ancient tower there.", kNeutral), Contains("He saw an old tower there."));
    EXPECT_THAT(words("It was an error of mine.", kNeutral), Contains("It was a mistake of mine."));
}

TEST_F(Edits, CommasGoWithTheWordsBetweenThem) {
    EXPECT_THAT(words("The cook, of course, was late.", kShrink), Contains("The cook was late."));
    EXPECT_THAT(words("However, the cook was late again.", kShrink), Contains("The cook was late again."));
}

TEST_F(Edits, ContractionsOnlyWhereTheyCanStand) {
    EXPECT_THAT(words("I know where it is.", kNeutral), Not(Contains("I know where it's.")));
    EXPECT_THAT(words("I know it is cold.", kNeutral), Contains("I know it's cold."));
    EXPECT_THAT(words("It's been cold.", kGrow | kNeutral), Not(Contains("It is been cold.")));
}

TEST_F(Edits, PastTenseAndParticipleAreToldApart) {
    EXPECT_THAT(words("They started late.", kNeutral), Contains("They began late."));
    EXPECT_THAT(words("They have started late.", kNeutral), Contains("They have begun late."));
    EXPECT_THAT(words("They have started late.", kNeutral), Not(Contains("They have began late.")));
}

TEST_F(Edits, NamesAreLeftAlone) {
    EXPECT_THAT(words("We met at Big Street.", kNeutral), Not(Contains("We met at Large Street.")));
}

TEST_F(Edits, SplitsAtClauseBoundaries) {
    EXPECT_THAT(splits("The rain stopped early, and we walked home."),
                Contains("The rain stopped early. | We walked home."));
    EXPECT_THAT(splits("The bread failed because the yeast was dead."),
                Contains("The bread failed. | This is because the yeast was dead."));
    EXPECT_THAT(splits("Stop.").size(), 0u);
    EXPECT_THAT(splits("He said \"we came, and we saw, and we won\" to us.", 99),
                Not(Contains("He said \"we came. | We saw, and we won\" to us.")));
}

TEST_F(Edits, JoinsLowerCaseUnlessAName) {
    EXPECT_THAT(joins("It rained.", "The roof leaked."), Contains("It rained, and the roof leaked."));
    EXPECT_THAT(joins("It rained.", "Agnes slept."), Contains("It rained, and Agnes slept."));
    EXPECT_THAT(joins("It rained.", "Birds sang."), Contains("It rained, and birds sang."));
    EXPECT_THAT(joins("It rained.", "But the roof held."), Contains("It rained, but the roof held."));
    EXPECT_THAT(joins("We met Mr.", "Smith there."), Contains("We met Mr Smith there."));
    EXPECT_TRUE(joins("He said \"no.\"", "We left.").empty());
}

TEST_F(Edits, StandInsReplaceWhatRulesDoNotKnow) {
    std::vector<Edit> edits;
    list_stand_ins(context(), Sentence("The zyx of the town fell."), "zyx", edits);
    EXPECT_THAT(texts(edits), Contains("The thing of the town fell."));
    for (const auto& edit : edits) EXPECT_EQ(edit.result[0].find("zyx"), std::string::npos);
}

TEST_F(Edits, MentionsUseTheWholeNounPhrase) {
    const std::vector<std::string> sentences = {"We saw the old barn.", "Rain fell on it."};
    const Mention mention = find_mention("barn", sentences, *shipped_rules());
    EXPECT_TRUE(mention.phrase);
    EXPECT_EQ(mention.text, "the old barn");
    std::vector<Edit> edits;
    list_mentions(context(), Sentence("It was red."), mention, edits);
    EXPECT_THAT(texts(edits), Contains("As for the old barn, it was red."));
}

TEST_F(Edits, AdditionsKeepTheSentence) {
    std::vector<Edit> edits;
    list_additions(context(), Sentence("The cat was asleep."), edits);
    ASSERT_FALSE(edits.empty());
    for (const auto& edit : edits) EXPECT_GT(edit.result[0].size(), std::string("The cat was asleep.").size());
}

TEST(Sentences, AbbreviationsAndCapitals) {
    EXPECT_TRUE(ends_in_abbreviation("We met Mr.", *shipped_rules()));
    EXPECT_TRUE(ends_in_abbreviation("by John F.", *shipped_rules()));
    EXPECT_FALSE(ends_in_abbreviation("So did I.", *shipped_rules()));
    EXPECT_EQ(in_lower_case("I'm here.", *shipped_rules(), {}), "I'm here.");
    EXPECT_EQ(in_lower_case("The end.", *shipped_rules(), {}), "the end.");
    EXPECT_EQ(in_lower_case("NASA knows.", *shipped_rules(), {"nasa"}), "NASA knows.");
}

TEST(Sentences, AnyBytesPass) {
    for (const std::string& text : std::vector<std::string>{std::string("\xff\xfe"), std::string("’"), std::string(""),
                                                            std::string("..."), std::string("a\xe2\x80")}) {
        const Sentence s(text);
        EXPECT_EQ(s.text(), text);
        EXPECT_LE(s.body_end(), text.size());
    }
}

}  // namespace
}  // namespace craft
