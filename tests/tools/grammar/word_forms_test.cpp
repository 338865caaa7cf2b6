#include "tools/grammar/word_forms.h"

#include <gtest/gtest.h>

#include "tests/tools/grammar/grammar_setup.h"

namespace craft {
namespace {

TEST(WordForms, FindTheVerbOfAForm) {
    CRAFT_NEEDS_GRAMMAR();
    const WordForms& forms = test::InstalledGrammar::get().forms();
    const std::pair<const char*, const char*> of[] = {{"went", "go"},       {"gone", "go"},      {"was", "be"},
                                                      {"studies", "study"}, {"running", "run"},  {"stopped", "stop"},
                                                      {"lying", "lie"},     {"makes", "make"},   {"using", "use"},
                                                      {"open", "open"},     {"sending", "send"}, {"watches", "watch"}};
    for (const auto& [form, lemma] : of) EXPECT_EQ(forms.verb_of(form), lemma) << form;
    for (const char* other : {"quickly", "the", "s", "ing", ""}) EXPECT_EQ(forms.verb_of(other), std::nullopt) << other;
}

TEST(WordForms, AgreeWithTheirSubjects) {
    CRAFT_NEEDS_GRAMMAR();
    const WordForms& forms = test::InstalledGrammar::get().forms();
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
