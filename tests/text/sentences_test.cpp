#include "text/sentences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace craft {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Sentences, PaperRuleSplitsAtBlanksOnly) {
    EXPECT_THAT(split_sentences("One is. Two are!   Three? Four"), ElementsAre("One is.", "Two are!", "Three?", "Four"));
    EXPECT_THAT(split_sentences("One is.\nTwo are.\tThree."), ElementsAre("One is.\nTwo are.\tThree."));
    EXPECT_THAT(split_sentences("One is. \nTwo are."), ElementsAre("One is.", "Two are."));
    EXPECT_THAT(split_sentences("Costs 3.5 at e.g. Tom's... Yes?! No."),
                ElementsAre("Costs 3.5 at e.g.", "Tom's...", "Yes?!", "No."));
    EXPECT_THAT(split_sentences("He said \"go.\" Then left."), ElementsAre("He said \"go.\" Then left."));
}

TEST(Sentences, NeverEmpty) {
    EXPECT_THAT(split_sentences(""), IsEmpty());
    EXPECT_THAT(split_sentences(" \n\u00A0"), IsEmpty());
    EXPECT_THAT(split_sentences("End. "), ElementsAre("End."));
    EXPECT_THAT(split_sentences(". . ."), ElementsAre(".", ".", "."));
}

TEST(Sentences, ViewsPointIntoTheText) {
    const std::string text = "  One.  Two.";
    const auto views = sentence_views(text);
    ASSERT_EQ(views.size(), 2u);
    EXPECT_EQ(views[0].data() - text.data(), 2);
    EXPECT_EQ(views[1].data() - text.data(), 8);
}

TEST(Sentences, IcuRule) {
    EXPECT_THAT(split_sentences("One is.\nTwo are. Costs 3.5 e.g. here. “Go.” Yes", SentenceRule::icu),
                ElementsAre("One is.", "Two are.", "Costs 3.5 e.g. here.", "“Go.”", "Yes"));
    EXPECT_THAT(split_sentences(" ", SentenceRule::icu), IsEmpty());
    EXPECT_THROW(split_sentences("a\xFF", SentenceRule::icu), Error);
}

TEST(Sentences, BareLosesOneMark) {
    EXPECT_EQ(bare_sentence(" Why not? "), "Why not");
    EXPECT_EQ(bare_sentence("Wait..."), "Wait..");
    EXPECT_EQ(bare_sentence(" Why not ?"), "Why not ");
    EXPECT_EQ(bare_sentence("He said \"go.\""), "He said \"go.\"");
    EXPECT_EQ(bare_sentence("."), "");
    EXPECT_EQ(bare_sentence(""), "");
}

TEST(Sentences, RuleNames) {
    EXPECT_EQ(sentence_rule_name(SentenceRule::icu), "icu");
    EXPECT_EQ(sentence_rule_name(SentenceRule::paper), "paper");
}

}  // namespace
}  // namespace craft
