#include "english/dictionary/english_dictionary.h"

#include <gmock/gmock.h>

#include "tests/core/temporary_folder.h"
#include "tests/english/dictionary/installed.h"
#include "tests/english/dictionary/small_wordnet.h"

namespace craft {
namespace {

using ::testing::HasSubstr;

// Each part by itself: what is missing of one does not stand in another's way, and is found when it is there.
TEST(EnglishDictionary, OpensEachPartWhenItIsAskedFor) {
    const TemporaryFolder folder;
    EnglishDictionaryPlaces places;
    places.synonyms = folder.path() / "wordnet";
    places.scowl = folder.path() / "scowl";
    places.inflections = folder.path() / "infl.csv";
    places.counts = folder.path() / "counts";
    const EnglishDictionary dictionary(places);
    const std::string how = "(run scripts/setup.sh --english)";
    EXPECT_THAT(message_of([&] { dictionary.synonyms(); }), AllOf(HasSubstr("wordnet/index.noun"), HasSubstr(how)));
    EXPECT_THAT(message_of([&] { dictionary.by_size(); }), AllOf(HasSubstr("scowl: expected"), HasSubstr(how)));
    EXPECT_THAT(message_of([&] { dictionary.by_count(); }), AllOf(HasSubstr("counts: expected"), HasSubstr(how)));
    EXPECT_THAT(message_of([&] { dictionary.inflections(); }), AllOf(HasSubstr("infl.csv: expected"), HasSubstr(how)));
    folder.file("infl.csv", "buy,verb,bought,,buying,buys\n");
    EXPECT_EQ(dictionary.inflections().forms("buy", "VBD"), std::vector<std::string>{"bought"});
    EXPECT_EQ(&dictionary.inflections(), &dictionary.inflections()) << "read once";
    folder.file("scowl/english-words.10", "buy\n");
    EXPECT_DOUBLE_EQ(dictionary.by_size().of("buy"), 0.1);
    EXPECT_THAT(message_of([&] { dictionary.check(); }), HasSubstr("wordnet/index.noun"));
    EXPECT_EQ(dictionary.places().scowl, places.scowl);
}

TEST(EnglishDictionary, IsInstalled) {
    const EnglishDictionaryPlaces places = EnglishDictionaryPlaces::installed();
    for (const auto& place : {places.synonyms, places.scowl, places.inflections, places.counts}) CRAFT_NEEDS(place);
    CRAFT_NEEDS(link_grammar_dictionary_file());
    const EnglishDictionary dictionary;
    EXPECT_NO_THROW(dictionary.check());
    EXPECT_EQ(dictionary.constituents().parse("It works.").left_out, 0);
}

}  // namespace
}  // namespace craft
