#include "gec/rules/proposals.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/gec/rules/rules_language.h"

namespace craft {
namespace {

struct Proposed {
    CorrectionKind kind;
    std::string sentence, corrected;
};

// One change each that its rule has to propose, in both ways of writing.
const std::vector<Proposed> kProposed = {
    {CorrectionKind::agreement, "He go to school every day.", "He goes to school every day."},
    {CorrectionKind::agreement, "The cars is expensive .", "The cars are expensive ."},
    {CorrectionKind::agreement, "There is many reasons for this.", "There are many reasons for this."},
    {CorrectionKind::verb_form, "She can sings well.", "She can sing well."},
    {CorrectionKind::verb_form, "They want to went home .", "They want to go home ."},
    {CorrectionKind::verb_form, "I have wrote three letters.", "I have written three letters."},
    {CorrectionKind::verb_form, "He did n't went there .", "He did n't go there ."},
    {CorrectionKind::tense, "Yesterday we walk to the beach.", "Yesterday we walked to the beach."},
    {CorrectionKind::missing_verb, "She very happy today.", "She is very happy today."},
    {CorrectionKind::missing_verb, "They waiting for the bus .", "They are waiting for the bus ."},
    {CorrectionKind::infinitive, "I want go home.", "I want to go home."},
    {CorrectionKind::infinitive, "We enjoy to swim.", "We enjoy swimming."},
    {CorrectionKind::infinitive, "You must to leave now.", "You must leave now."},
    {CorrectionKind::noun_number, "I have many book.", "I have many books."},
    {CorrectionKind::noun_number, "He is one of my friend .", "He is one of my friends ."},
    {CorrectionKind::noun_number, "She gave me good advices.", "She gave me good advice."},
    {CorrectionKind::determiner, "This books are old.", "These books are old."},
    {CorrectionKind::article_missing, "She bought car last week.", "She bought a car last week."},
    {CorrectionKind::article_missing, "Dog barked all night.", "The dog barked all night."},
    {CorrectionKind::article_redundant, "The life is beautiful .", "Life is beautiful ."},
    {CorrectionKind::article_choice, "He ate a apple.", "He ate an apple."},
    {CorrectionKind::article_choice, "He works in an UK firm.", "He works in a UK firm."},
    {CorrectionKind::article_choice, "It was an utopia.", "It was a utopia."},
    {CorrectionKind::article_choice, "She is a unimportant person.", "She is an unimportant person."},
    {CorrectionKind::article_choice, "She had a MRI scan.", "She had an MRI scan."},
    {CorrectionKind::article_choice, "It was a 11th place.", "It was an 11th place."},
    {CorrectionKind::preposition_missing, "I listen music every day.", "I listen to music every day."},
    {CorrectionKind::preposition_redundant, "We discussed about the plan.", "We discussed the plan."},
    {CorrectionKind::preposition_choice, "It depends of the weather.", "It depends on the weather."},
    {CorrectionKind::spelling, "It is a beautifull day.", "It is a beautiful day."},
    {CorrectionKind::spelling, "He writted a lettter to me .", "He writted a letter to me ."},
    {CorrectionKind::word_choice, "The dog wagged it's tail.", "The dog wagged its tail."},
    {CorrectionKind::phrase, "It is more better than that.", "It is better than that."},
    {CorrectionKind::doubled, "It was the the best day.", "It was the best day."},
    {CorrectionKind::joined, "Some times we go out .", "Sometimes we go out ."},
    {CorrectionKind::word_class, "He runs very quick.", "He runs very quickly."},
    {CorrectionKind::pronoun, "Me went to the shop.", "I went to the shop."},
    {CorrectionKind::capital, "Then i met her on monday.", "Then I met her on monday."},
    {CorrectionKind::comma_missing, "However I think that it is true.", "However, I think that it is true."},
    {CorrectionKind::comma_missing, "If it rains we will stay at home .", "If it rains , we will stay at home ."},
    {CorrectionKind::comma_redundant, "I think , that it is true .", "I think that it is true ."},
    {CorrectionKind::final_stop, "We went home after the party", "We went home after the party."},
    {CorrectionKind::order, "What you are doing now?", "What are you doing now?"},
    {CorrectionKind::order, "He always is late.", "He is always late."},
    {CorrectionKind::order, "Tell me where is the old bank .", "Tell me where the old bank is ."},
    {CorrectionKind::tense, "If I will have time, I will come.", "If I have time, I will come."},
    {CorrectionKind::tense, "He has bought a car last month.", "He bought a car last month."},
    {CorrectionKind::word_choice, "I prefer tea than coffee.", "I prefer tea to coffee."},
    {CorrectionKind::phrase, "Although he was ill, but he went to work.", "Although he was ill, he went to work."},
    {CorrectionKind::infinitive, "Thank you for to invite me.", "Thank you for inviting me."},
};

TEST(Proposals, HaveWhatEachKindOfErrorNeeds) {
    CRAFT_NEEDS_RULES_LANGUAGE();
    for (const Proposed& one : kProposed) {
        const CorrectionProposals all = test::proposals_for(one.sentence);
        EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const CorrectionProposal& proposal) {
            return with_replacement(one.sentence, proposal.change) == one.corrected && proposal.kind == one.kind;
        })) << one.sentence;
    }
}

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

TEST(Proposals, LeaveWhatMayBeMeant) {
    CRAFT_NEEDS_RULES_LANGUAGE();
    const std::vector<std::pair<CorrectionKind, std::string>> none = {
        {CorrectionKind::doubled, "They saw Duran Duran in Baden Baden ."},
        {CorrectionKind::doubled, "What it is is a mistake."},
        {CorrectionKind::doubled, "We had had enough, and I knew that that hurt."},
        {CorrectionKind::agreement, "The committee have decided to wait."},
        {CorrectionKind::capital, "Here the variable i is small."},
        {CorrectionKind::spelling, "He sent an iMessage to us."},
        {CorrectionKind::article_choice, "They sell grade A eggs."},
        {CorrectionKind::spelling, "We met in a cafe\xCC\x81 yesterday."}};
    for (const auto& [kind, sentence] : none)
        for (const CorrectionProposal& one : test::proposals_for(sentence))
            EXPECT_NE(correction_kind_name(one.kind), correction_kind_name(kind)) << sentence << ": " << one.why;
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
