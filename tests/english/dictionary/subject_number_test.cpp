#include "english/dictionary/subject_number.h"

#include <gtest/gtest.h>

#include "english/pipeline.h"
#include "tests/english/english_model.h"

namespace craft {
namespace {

// The number of the sentence's first subject.
GrammaticalNumber number_in(const std::string& text) {
    static const EnglishPipeline pipeline = EnglishPipeline::load(test::installed_english_model());
    const ParsedSentence sentence(pipeline.annotate(text));
    for (size_t i = 0; i < sentence.size(); ++i)
        if (sentence.is_dep(i, {"nsubj", "nsubjpass"})) return subject_number(sentence, i);
    ADD_FAILURE() << "no subject: " << text;
    return GrammaticalNumber::unknown;
}

TEST(SubjectNumber, IsThatOfTheVerb) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    for (const char* text : {"The dog barks.", "Everybody knows that.", "Each of them knows that.", "This is good.",
                             "Rome is old.", "The number of visitors grows.", "One dog barks."})
        EXPECT_EQ(number_in(text), GrammaticalNumber::singular) << text;
    for (const char* text : {"The dogs run away.", "I know that.", "People know that.",
                             "My brother and my sister know that.", "Twenty dogs were barking.", "These are good."})
        EXPECT_EQ(number_in(text), GrammaticalNumber::plural) << text;
}

TEST(SubjectNumber, IsOpenWhereBothAreRight) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    for (const char* text :
         {"The team plays well.", "The jury was out.", "A number of visitors were there.", "Bread and butter is cheap.",
          "The dog or the cats were out.", "Two years is a long time.", "Mathematics is hard.", "Most are good."})
        EXPECT_EQ(number_in(text), GrammaticalNumber::unknown) << text;
}

}  // namespace
}  // namespace craft
