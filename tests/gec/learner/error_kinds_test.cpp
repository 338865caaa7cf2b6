// Each kind of error: sentences that it makes of a correct one, and sentences that it must not make, since they are right
// too.
#include "gec/learner/error_kinds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/gec/learner/learner_english.h"

namespace craft {
namespace {

using testing::Contains;
using testing::Not;

class ErrorKinds : public testing::Test {
protected:
    void SetUp() override {
        CRAFT_NEEDS_LEARNER_ENGLISH();
        english_ = std::make_unique<test::LearnerEnglish>();
    }
    // All sentences that errors of a kind make of this one.
    std::set<std::string> written(LearnerErrors (*find)(const CorrectSentence&, const LearnerLanguage&),
                                  const std::string& text) const {
        const auto sentence = english_->read(text);
        std::set<std::string> all;
        for (const LearnerError& error : find(*sentence, english_->language())) {
            EXPECT_LE(error.begin, error.end);
            EXPECT_LE(error.end, text.size());
            EXPECT_LE(error.first, error.last);
            EXPECT_LT(error.last, sentence->size());
            std::string made = text;
            all.insert(made.replace(error.begin, error.end - error.begin, error.written));
        }
        return all;
    }

    std::unique_ptr<test::LearnerEnglish> english_;
};

TEST_F(ErrorKinds, Articles) {
    const auto made = written(article_errors, "She bought an old house at the end of these streets.");
    EXPECT_THAT(made, Contains("She bought old house at the end of these streets."));
    EXPECT_THAT(made, Contains("She bought a old house at the end of these streets."));
    EXPECT_THAT(made, Contains("She bought an old house at the end of this streets."));
    EXPECT_THAT(written(article_errors, "He was born in May in Canada."), Contains("He was born in May in the Canada."));
    EXPECT_THAT(written(article_errors, "He gave me useful information."),
                Contains("He gave me an useful information.").Times(0));
    EXPECT_THAT(written(article_errors, "He gave me useful information."), Contains("He gave me a useful information."));
    EXPECT_THAT(written(article_errors, "It was a unique utopia."), Contains("It was an unique utopia."));
    EXPECT_THAT(written(article_errors, "He is an honest man."), Contains("He is a honest man."));
    EXPECT_THAT(written(article_errors, "It was a historic day."), Not(Contains("It was an historic day.")));
    // "Water was running" and "a little water" are right without and with it.
    EXPECT_THAT(written(article_errors, "The water was running."), Not(Contains("Water was running.")));
    EXPECT_THAT(written(article_errors, "We have a little time."), Not(Contains("We have little time.")));
    EXPECT_THAT(written(article_errors, "He lay in the hospital."), Not(Contains("He lay in hospital.")));
    EXPECT_THAT(written(article_errors, "He lay in the old hospital."), Contains("He lay in old hospital."));
    EXPECT_THAT(written(article_errors, "The dogs are barking."), Not(Contains("Dogs are barking.")));
}

TEST_F(ErrorKinds, Prepositions) {
    EXPECT_THAT(written(preposition_errors, "It depends on the weather."), Contains("It depends of the weather."));
    EXPECT_THAT(written(preposition_errors, "It depends on the weather."), Contains("It depends the weather."));
    EXPECT_THAT(written(preposition_errors, "We discussed the problem."), Contains("We discussed about the problem."));
    EXPECT_THAT(written(preposition_errors, "He came on Monday."), Contains("He came in Monday."));
    EXPECT_THAT(written(preposition_errors, "He has lived here for two years."),
                Contains("He has lived here since two years."));
    // Where something lies is the writer's to say.
    EXPECT_TRUE(written(preposition_errors, "The book lies on the table.").empty());
}

TEST_F(ErrorKinds, Punctuation) {
    EXPECT_THAT(written(punctuation_errors, "When it rains, we stay at home."), Contains("When it rains we stay at home."));
    EXPECT_THAT(written(punctuation_errors, "I called him, but he had left."), Contains("I called him, he had left."));
    EXPECT_THAT(written(punctuation_errors, "It was late; we went home."), Contains("It was late, we went home."));
    EXPECT_THAT(written(punctuation_errors, "He said that he was tired."), Contains("He said, that he was tired."));
    EXPECT_THAT(written(punctuation_errors, "Where do you live now?"), Contains("Where do you live now."));
    EXPECT_THAT(written(punctuation_errors, "He was tired and hungry."), Contains("He was tired and hungry"));
}

TEST_F(ErrorKinds, Apostrophes) {
    EXPECT_THAT(written(apostrophe_errors, "I don't know my sister's friends."),
                Contains("I dont know my sister's friends."));
    EXPECT_THAT(written(apostrophe_errors, "I don't know my sister's friends."),
                Contains("I don't know my sisters friends."));
    EXPECT_THAT(written(apostrophe_errors, "The dogs were barking."), Contains("The dog's were barking."));
}

TEST_F(ErrorKinds, Agreement) {
    EXPECT_THAT(written(agreement_errors, "The dogs in the garden are barking."),
                Contains("The dogs in the garden is barking."));
    EXPECT_THAT(written(agreement_errors, "My brother has two cats."), Contains("My brother have two cats."));
    EXPECT_THAT(written(agreement_errors, "There are many reasons."), Contains("There is many reasons."));
    EXPECT_THAT(written(agreement_errors, "She doesn't know him."), Contains("She don't know him."));
    EXPECT_TRUE(written(agreement_errors, "The team is playing well.").empty());  // "the team are" is right, too
    EXPECT_TRUE(written(agreement_errors, "They went home early.").empty());
}

TEST_F(ErrorKinds, Tenses) {
    EXPECT_THAT(written(tense_errors, "Yesterday he went to the market."), Contains("Yesterday he goes to the market."));
    EXPECT_THAT(written(tense_errors, "Yesterday he went to the market."), Contains("Yesterday he has gone to the market."));
    EXPECT_THAT(written(tense_errors, "He opened the door and saw a cat."), Contains("He opened the door and sees a cat."));
    EXPECT_THAT(written(tense_errors, "He has lived here for ten years."), Contains("He lives here for ten years."));
    EXPECT_THAT(written(tense_errors, "If it rains, we will stay here."), Contains("If it will rain, we will stay here."));
    EXPECT_THAT(written(tense_errors, "This dog belongs to my aunt."), Contains("This dog is belonging to my aunt."));
    EXPECT_TRUE(written(tense_errors, "He went to the market.").empty());  // "he goes" may be meant
}

TEST_F(ErrorKinds, VerbForms) {
    EXPECT_THAT(written(verb_form_errors, "She can swim very well."), Contains("She can swims very well."));
    EXPECT_THAT(written(verb_form_errors, "She can swim very well."), Contains("She can to swim very well."));
    EXPECT_THAT(written(verb_form_errors, "He didn't go home."), Contains("He didn't went home."));
    EXPECT_THAT(written(verb_form_errors, "I want to sleep now."), Contains("I want sleep now."));
    EXPECT_THAT(written(verb_form_errors, "They enjoy reading old books."), Contains("They enjoy to read old books."));
    EXPECT_THAT(written(verb_form_errors, "He left without saying a word."), Contains("He left without say a word."));
    EXPECT_THAT(written(verb_form_errors, "She taught me a song."), Contains("She teached me a song."));
    EXPECT_TRUE(written(verb_form_errors, "The old man walked home.").empty());
}

TEST_F(ErrorKinds, NounNumbers) {
    EXPECT_THAT(written(noun_number_errors, "I have two brothers."), Contains("I have two brother."));
    EXPECT_THAT(written(noun_number_errors, "He gave me some advice."), Contains("He gave me some advices."));
    EXPECT_THAT(written(noun_number_errors, "Every student has a book."), Contains("Every students has a book."));
    EXPECT_TRUE(written(noun_number_errors, "The dogs slept.").empty());  // one dog may have slept
}

TEST_F(ErrorKinds, Spelling) {
    const auto made = written(spelling_errors, "I received a beautiful present tomorrow.");
    EXPECT_THAT(made, Contains("I recieved a beautiful present tomorrow."));
    EXPECT_THAT(made, Contains("I received a beautifull present tomorrow."));
    EXPECT_THAT(made, Contains("I received a beautiful present tommorrow."));
    for (const std::string& text : written(spelling_errors, "They were planning another meeting."))
        for (const std::string word : {"planing", "meting", "panning"})
            EXPECT_EQ(text.find(" " + word), std::string::npos) << text;
}

TEST_F(ErrorKinds, Confusions) {
    EXPECT_THAT(written(confusion_errors, "The children lost their shoes."), Contains("The children lost there shoes."));
    EXPECT_THAT(written(confusion_errors, "It's cold outside today."), Contains("Its cold outside today."));
    EXPECT_THAT(written(confusion_errors, "He is taller than me."), Contains("He is taller then me."));
    EXPECT_THAT(written(confusion_errors, "She told me the truth."), Contains("She said me the truth."));
}

TEST_F(ErrorKinds, Capitals) {
    EXPECT_THAT(written(capital_errors, "My sister and I live in London."), Contains("My sister and i live in London."));
    EXPECT_THAT(written(capital_errors, "My sister and I live in London."), Contains("My sister and I live in london."));
    EXPECT_THAT(written(capital_errors, "My sister and I live in London."), Contains("my sister and I live in London."));
}

TEST_F(ErrorKinds, WordOrder) {
    EXPECT_THAT(written(word_order_errors, "I always drink tea."), Contains("I drink always tea."));
    EXPECT_THAT(written(word_order_errors, "Where have you been today?"), Contains("Where you have been today?"));
    EXPECT_THAT(written(word_order_errors, "He bought the red car."), Contains("He bought the car red."));
    EXPECT_THAT(written(word_order_errors, "This is good enough for me."), Contains("This is enough good for me."));
    EXPECT_THAT(written(word_order_errors, "An old man sat down."), Not(Contains("An man old sat down.")));
}

TEST_F(ErrorKinds, DoubledWords) {
    EXPECT_THAT(written(doubled_word_errors, "He sat in the garden."), Contains("He sat in the the garden."));
    EXPECT_TRUE(written(doubled_word_errors, "Birds sing.").empty());
}

TEST_F(ErrorKinds, MissingWords) {
    EXPECT_THAT(written(missing_word_errors, "My brother is very happy."), Contains("My brother very happy."));
    EXPECT_THAT(written(missing_word_errors, "She did not go there."), Contains("She not go there."));
    EXPECT_THAT(written(missing_word_errors, "We stayed because it was late."), Contains("We stayed because was late."));
    EXPECT_TRUE(written(missing_word_errors, "He had walked home.").empty());  // "He walked home" is right
}

TEST_F(ErrorKinds, RedundantWords) {
    EXPECT_THAT(written(redundant_word_errors, "My brother works in a bank."), Contains("My brother he works in a bank."));
    EXPECT_THAT(written(redundant_word_errors, "This house is bigger."), Contains("This house is more bigger."));
    EXPECT_THAT(written(redundant_word_errors, "Although it was late, we walked home."),
                Contains("Although it was late, but we walked home."));
    EXPECT_THAT(written(redundant_word_errors, "I agree with you."), Contains("I am agree with you."));
}

TEST_F(ErrorKinds, JoinedWords) {
    EXPECT_THAT(written(joined_word_errors, "Everyone reads a lot."), Contains("Every one reads a lot."));
    EXPECT_THAT(written(joined_word_errors, "Everyone reads a lot."), Contains("Everyone reads alot."));
}

TEST_F(ErrorKinds, WordForms) {
    EXPECT_THAT(written(word_form_errors, "She spoke calmly about it."), Contains("She spoke calm about it."));
    EXPECT_THAT(written(word_form_errors, "This is a serious problem."), Contains("This is a seriously problem."));
    EXPECT_THAT(written(word_form_errors, "He hardly slept."), Not(Contains("He hard slept.")));
}

TEST_F(ErrorKinds, HaveNamesOfTheirOwn) {
    std::set<std::string> names;
    for (const LearnerErrorKind& kind : learner_error_kinds()) {
        EXPECT_TRUE(names.insert(kind.name).second) << kind.name;
        EXPECT_GT(kind.share, 0) << kind.name;
    }
    EXPECT_EQ(names.size(), 17u);
}

}  // namespace
}  // namespace craft
