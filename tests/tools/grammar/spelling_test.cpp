#include "tools/grammar/spelling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/grammar/grammar_setup.h"

namespace craft {
namespace {

using test::InstalledGrammar;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> misspelt(const std::string& sentence) {
    const ParsedSentence tree = InstalledGrammar::get().tree(sentence);
    std::vector<std::string> words;
    for (const SpellingError& error : InstalledGrammar::get().spelling().check(tree.tokens()).errors)
        words.push_back(tree[error.token].text);
    return words;
}

TEST(SoundKey, IsTheSameOfWordsThatSoundAlike) {
    const std::pair<const char*, const char*> same[] = {{"experiance", "experience"},
                                                        {"univercity", "university"},
                                                        {"fone", "phone"},
                                                        {"nife", "knife"},
                                                        {"skool", "school"}};
    for (const auto& [a, b] : same) EXPECT_EQ(sound_key(a), sound_key(b)) << a;
    EXPECT_NE(sound_key("cat"), sound_key("dog"));
    EXPECT_EQ(sound_key(""), "");
}

TEST(SpellChecker, FindsWordsOfNoDictionary) {
    CRAFT_NEEDS_GRAMMAR();
    EXPECT_THAT(misspelt("The goverment plans to recieve more visitors."), ElementsAre("goverment", "recieve"));
    EXPECT_THAT(misspelt("The colour of the theatre, or the color of the theater."), IsEmpty()) << "British and American";
    EXPECT_THAT(misspelt("Mr Xzqwv from Ljubljana does n't like www.example.org, NATO, 3rd or jo@ex.org."), IsEmpty());
    EXPECT_THAT(misspelt("I don\xE2\x80\x99t know; it\xE2\x80\x99s fine."), IsEmpty());
    EXPECT_THAT(misspelt(""), IsEmpty());
}

TEST(SpellChecker, PutsTheLikeliestWordFirst) {
    CRAFT_NEEDS_GRAMMAR();
    const SpellChecker& checker = InstalledGrammar::get().spelling();
    const std::pair<const char*, const char*> meant[] = {{"recieve", "receive"},       {"goverment", "government"},
                                                         {"definately", "definitely"}, {"experiance", "experience"},
                                                         {"Univercity", "University"}, {"tecnology", "technology"}};
    for (const auto& [word, right] : meant) {
        const auto suggestions = checker.suggestions(word);
        ASSERT_FALSE(suggestions.empty()) << word;
        EXPECT_EQ(suggestions.front(), right) << word;
        EXPECT_LE(suggestions.size(), 8u);
    }
}

TEST(SpellChecker, LeavesOtherLanguagesAlone) {
    CRAFT_NEEDS_GRAMMAR();
    const ParsedSentence tree =
        InstalledGrammar::get().tree("Ich wei\xC3\x9F nicht, was soll es bedeuten, dass ich so traurig bin.");
    const SpellingReport report = InstalledGrammar::get().spelling().check(tree.tokens());
    EXPECT_FALSE(report.is_english);
    EXPECT_THAT(report.errors, IsEmpty());
}

}  // namespace
}  // namespace craft
