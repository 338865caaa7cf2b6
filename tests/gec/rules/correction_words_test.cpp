#include "gec/rules/correction_words.h"

#include <gmock/gmock.h>

#include "core/json.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(CorrectionWords, AreThoseThatShip) {
    const CorrectionWords words = CorrectionWords::shipped();
    EXPECT_THAT(choices_of(words.confused, "its"), Contains("it's"));
    EXPECT_THAT(choices_of(words.confused, "it's"), Contains("its"));
    EXPECT_THAT(choices_of(words.wanted_preposition, "listen"), Contains("to"));
    EXPECT_TRUE(choices_of(words.confused, "zebra").empty());
    // Each that is surely wrong has something to take its place; nothing is meant by itself.
    for (const std::string& word : words.surely_misspelled) EXPECT_FALSE(choices_of(words.misspelled, word).empty()) << word;
    for (const WordChoices* const list : {&words.confused, &words.misspelled, &words.wrong_phrases})
        for (const auto& [word, choices] : *list) EXPECT_THAT(choices, Not(Contains(word))) << word;
}

TEST(CorrectionWords, NameWhatIsWrongWithAFile) {
    const TemporaryFolder folder;
    const auto load = [&](const std::string& text) { return CorrectionWords::load(folder.file("words.json", text)); };
    EXPECT_THAT(message_of([&] { load(R"({"confuzed": {}})"); }), HasSubstr("confused"));
    EXPECT_THAT(message_of([&] { load(R"({"confused": ["a"]})"); }), HasSubstr("'confused'"));
    EXPECT_THAT(message_of([&] { load(R"({"bare_verbs": [1]})"); }), HasSubstr("'bare_verbs'"));
    EXPECT_THAT(message_of([&] { load("{}"); }), HasSubstr("a list '"));
}

}  // namespace
}  // namespace craft
