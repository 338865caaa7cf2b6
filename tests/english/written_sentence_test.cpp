#include "english/written_sentence.h"

#include <gtest/gtest.h>

#include "english/pipeline.h"
#include "tests/english/english_model.h"

namespace craft {
namespace {

const EnglishPipeline& written_english() {
    static const EnglishPipeline pipeline = EnglishPipeline::load(test::installed_english_model());
    return pipeline;
}

// What a change makes of a sentence.
template <class Change>
std::string made(const std::string& text, Change&& change) {
    const WrittenSentence s(text, written_english().annotate(text));
    return with_replacement(text, change(s));
}

TEST(WrittenSentence, ChangesKeepItsOwnBlanksAndCapitals) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    using S = const WrittenSentence&;
    EXPECT_EQ(made("He go home.", [](S s) { return s.replaced(1, "goes"); }), "He goes home.");
    EXPECT_EQ(made("Dog is here.", [](S s) { return s.inserted_before(0, "the"); }), "The dog is here.");
    EXPECT_EQ(made("I am here.", [](S s) { return s.inserted_before(0, "today"); }), "Today I am here.");
    EXPECT_EQ(made("The life is good.", [](S s) { return s.removed(0, 1); }), "Life is good.");
    EXPECT_EQ(made("He goes to  home.", [](S s) { return s.removed(2, 3); }), "He goes home.");
    EXPECT_EQ(made("He is very.", [](S s) { return s.removed(2, 3); }), "He is.");
    EXPECT_EQ(made("Then I left.", [](S s) { return s.mark_after(0, ","); }), "Then, I left.");
    EXPECT_EQ(made("Then I left .", [](S s) { return s.mark_after(0, ","); }), "Then , I left .");
    EXPECT_EQ(made("Yes, no.", [](S s) { return s.removed(1, 2); }), "Yes no.");
    EXPECT_EQ(made("Well , no .", [](S s) { return s.removed(1, 2); }), "Well no .");
    EXPECT_EQ(made("THEN it fell.", [](S s) { return s.replaced(0, "than"); }), "Than it fell.");
    EXPECT_EQ(made("He knows it.", [](S s) { return s.inserted_after(1, "about"); }), "He knows about it.");
    EXPECT_EQ(made("so i left", [](S s) { return s.replaced(1, "I"); }), "so I left");
}

TEST(WrittenSentence, KnowsTokenisedTexts) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    const auto tokenised = [](const std::string& text) {
        return WrittenSentence(text, written_english().annotate(text)).is_tokenised();
    };
    EXPECT_TRUE(tokenised("I do n't know"));
    EXPECT_TRUE(tokenised("Yes , I do"));
    EXPECT_FALSE(tokenised("Yes, I don't know."));
}

}  // namespace
}  // namespace craft
