#include "english/dictionary/word_forms.h"

#include <gtest/gtest.h>

#include "tests/english/dictionary/installed.h"

namespace craft {
namespace {

TEST(WordForms, FindTheVerbOfAForm) {
    CRAFT_NEEDS(EnglishDictionaryPlaces::installed().inflections);
    const WordForms forms(std::make_shared<EnglishDictionary>());
    const std::pair<const char*, const char*> of[] = {{"went", "go"},       {"gone", "go"},      {"was", "be"},
                                                      {"studies", "study"}, {"running", "run"},  {"stopped", "stop"},
                                                      {"lying", "lie"},     {"makes", "make"},   {"using", "use"},
                                                      {"open", "open"},     {"sending", "send"}, {"watches", "watch"}};
    for (const auto& [form, lemma] : of) EXPECT_EQ(forms.verb_of(form), lemma) << form;
    // "fell" and "saw" are verbs, too; "lay" is the past of "lie".
    for (const auto& [form, lemma] : {std::pair("fell", "fell"), {"saw", "saw"}, {"lay", "lay"}})
        EXPECT_EQ(forms.verb_of(form), lemma) << form;
    for (const auto& [form, lemma] : {std::pair("fell", "fall"), {"saw", "see"}, {"bore", "bear"}, {"were", "be"}})
        EXPECT_EQ(forms.irregular_verb_of(form), lemma) << form;
    for (const char* other : {"lay", "put", "walked", "go"})
        EXPECT_EQ(forms.irregular_verb_of(other), std::nullopt) << other;
    for (const char* other : {"quickly", "the", "s", "ing", ""}) EXPECT_EQ(forms.verb_of(other), std::nullopt) << other;
}

TEST(WordForms, AgreeWithTheirSubjects) {
    CRAFT_NEEDS(EnglishDictionaryPlaces::installed().inflections);
    const WordForms forms(std::make_shared<EnglishDictionary>());
    EXPECT_EQ(forms.agreeing("go", true), "goes");
    EXPECT_EQ(forms.agreeing("go", false), "go");
    EXPECT_EQ(forms.agreeing("be", true), "is");
    EXPECT_EQ(forms.agreeing("be", false, true), "were");
    EXPECT_EQ(forms.agreeing("have", true), "has");
    EXPECT_EQ(forms.agreeing("hear", true, true), "heard");
    EXPECT_TRUE(forms.is_form("risen", "rise", "VBN"));
    EXPECT_FALSE(forms.is_form("rose", "rise", "VBN"));
    EXPECT_EQ(forms.plural("child"), "children");
}

}  // namespace
}  // namespace craft
