#include "eval/annotation/named_entities.h"

#include <gmock/gmock.h>

#include <thread>

#include "tests/english/english_model.h"

namespace craft {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

EnglishDocument tokens(const std::vector<std::tuple<std::string, std::string, char>>& rows) {
    EnglishDocument document;
    size_t byte = 0;
    for (const auto& [text, label, place] : rows) {
        EnglishToken token;
        token.text = text;
        token.byte = byte;
        token.entity = label;
        token.entity_place = place;
        byte += text.size() + 1;
        document.push_back(token);
    }
    return document;
}

TEST(EntityTexts, AreOfTheTextEachOnce) {
    const std::string text = "Zoë Łem met Zoë Łem twice in New  York on two days";
    const EnglishDocument document = [&] {
        EnglishDocument found = tokens({{"Zoë", "PERSON", 'B'},
                                        {"Łem", "PERSON", 'I'},
                                        {"met", "", 'O'},
                                        {"Zoë", "PERSON", 'B'},
                                        {"Łem", "PERSON", 'I'},
                                        {"twice", "", 'O'},
                                        {"in", "", 'O'},
                                        {"New", "GPE", 'B'},
                                        {"", "GPE", 'I'},
                                        {"York", "GPE", 'I'},
                                        {"on", "", 'O'},
                                        {"two", "CARDINAL", 'B'},
                                        {"days", "DATE", 'B'}});
        return found;
    }();
    EXPECT_THAT(entity_texts(document, text), ElementsAre("Zoë Łem", "New  York", "days"));
    EXPECT_THAT(entity_texts({}, ""), IsEmpty());
}

TEST(EntityTexts, TellNeighboursApart) {
    EXPECT_THAT(
        entity_texts(tokens({{"Ann", "PERSON", 'B'}, {"Bo", "PERSON", 'B'}, {"first", "ORDINAL", 'B'}}), "Ann Bo first"),
        ElementsAre("Ann", "Bo"));
}

TEST(NamedEntities, AreTheRecognisers) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    const auto english = std::make_shared<const LazyEnglishPipeline>(test::installed_english_model());
    const KeywordFinder find = named_entities(english);
    // "The" begins no name, and "April 2019" is one without a person: what the guess by capitals does not see.
    const std::string text = "The Bank of England raised rates. Angela Merkel left Berlin in April 2019 with two friends.";
    const std::vector<std::string> expected = {"The Bank of England", "Angela Merkel", "Berlin", "April 2019"};
    EXPECT_EQ(find(text), expected);
    EXPECT_THAT(find(""), IsEmpty());
    std::vector<std::vector<std::string>> got(2);
    std::vector<std::thread> threads;
    for (auto& one : got) threads.emplace_back([&] { one = find(text); });
    for (std::thread& thread : threads) thread.join();
    for (const auto& one : got) EXPECT_EQ(one, expected);
}

}  // namespace
}  // namespace craft
