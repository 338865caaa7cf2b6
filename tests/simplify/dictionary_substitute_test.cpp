#include "simplify/dictionary_substitute.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/core/temporary_folder.h"
#include "tests/english/dictionary/installed.h"

namespace craft {
namespace {

EnglishToken word(const std::string& text, const std::string& lemma, const std::string& tag,
                  const std::string& dep = "dobj") {
    EnglishToken token;
    token.text = token.lower = text;
    token.lemma = lemma;
    token.tag = tag;
    token.dep = dep;
    return token;
}

class DictionarySubstitute : public testing::Test {
protected:
    void SetUp() override {
        const EnglishDictionaryPlaces places = EnglishDictionaryPlaces::installed();
        for (const auto& place : {places.synonyms, places.inflections, places.counts}) CRAFT_NEEDS(place);
        easier_ = dictionary_substitute(std::make_shared<const EnglishDictionary>(places));
    }
    std::string of(const EnglishDocument& sentence, size_t at = 0) const { return easier_(sentence, at).value_or("none"); }
    WordSubstitute easier_;
};

TEST_F(DictionarySubstitute, HardWordsGetEasierOnesInTheirForm) {
    EXPECT_EQ(of({word("commenced", "commence", "VBD")}), "started");
    EXPECT_EQ(of({word("odours", "odour", "NNS")}), "smells");
    EXPECT_EQ(of({word("seldom", "seldom", "RB")}), "rarely");
}

TEST_F(DictionarySubstitute, OthersStay) {
    EXPECT_EQ(of({word("house", "house", "NN")}), "none");                   // easy
    EXPECT_EQ(of({word("commencing", "commence", "VBG", "amod")}), "none");  // it describes
    EXPECT_EQ(of({word("was", "be", "VBD")}), "none");
    EXPECT_EQ(of({word("the", "the", "DT")}), "none");
    EXPECT_EQ(of({word("qwxyz", "qwxyz", "NN")}), "none");
    // Beside the word itself, and with a particle that makes it another verb.
    EXPECT_EQ(of({word("odours", "odour", "NNS"), word("smells", "smell", "NNS")}), "none");
    EnglishDocument off = {word("commenced", "commence", "VBD"), word("off", "off", "RP", "prt")};
    EXPECT_EQ(of(off), "none");
    off[1].head = 1;
    EXPECT_EQ(of(off), "started");
}

TEST_F(DictionarySubstitute, PlainWordsComeBeforeTheDictionary) {
    const auto plain = std::make_shared<const PlainWords>(PlainWords::parse("commence v: set off\nhouse n: home\n", "list"));
    easier_ = dictionary_substitute(std::make_shared<const EnglishDictionary>(), plain);
    EXPECT_EQ(of({word("commenced", "commence", "VBD")}), "set off");
    EXPECT_EQ(of({word("houses", "house", "NNS")}), "homes");                                   // whatever its difficulty
    EXPECT_EQ(of({word("house", "house", "VB")}), "none");                                      // another kind
    EXPECT_EQ(of({word("commenced", "commence", "VBD"), word("it", "it", "PRP")}), "started");  // no "set off it"
    EXPECT_EQ(of({word("seldom", "seldom", "RB")}), "rarely");
    EXPECT_EQ(of({word("houses", "house", "NNS"), word("homes", "home", "NNS")}), "none");
}

TEST(DictionarySubstituteFiles, AreMissedAtOnce) {
    const TemporaryFolder folder;
    EnglishDictionaryPlaces places;
    places.synonyms = places.scowl = places.inflections = places.counts = folder.path() / "nowhere";
    EXPECT_THROW(dictionary_substitute(std::make_shared<const EnglishDictionary>(places)), Error);
}

}  // namespace
}  // namespace craft
