#include "english/dictionary/synonyms.h"

#include <gmock/gmock.h>

#include <thread>

#include "core/files.h"
#include "tests/core/temporary_folder.h"
#include "tests/english/dictionary/installed.h"
#include "tests/english/dictionary/small_wordnet.h"

namespace craft {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const test::SmallKind& verbs() {
    static const test::SmallKind kind = {
        {{{"begin", "start", "set_out", "commence"}, {{"@", 2}}, "take the first step"},
         {{"begin", "start"}, {{"~", 0}}, "have a beginning"},
         {{"move", "act"}, {}, "do something"}},
        {{"act", {2}}, {"begin", {1, 0}}, {"commence", {0}}, {"move", {2}}, {"set_out", {0}}, {"start", {0, 1}}}};
    return kind;
}
const test::SmallKind& adjectives() {
    static const test::SmallKind kind = {
        {{{"large", "big"}, {{"&", 1}}, "above average"}, {{"huge", "immense(p)"}, {{"&", 0}}, "very great", 's'}},
        {{"big", {0}}, {"huge", {1}}, {"immense", {1}}, {"large", {0}}}};
    return kind;
}
constexpr const char* kCounts =
    "begin%2:30:00:: 2 375\nbegin%2:42:00:: 1 57\nhuge%5:00:01:large:00 1 14\nlarge%3:00:00:: 1 140\n";

Synonyms small_synonyms(const TemporaryFolder& folder) {
    test::write_wordnet(folder, verbs(), adjectives(), kCounts);
    return Synonyms::load(folder.path());
}

TEST(Synonyms, AreTheWordsOfAMeaning) {
    const TemporaryFolder folder;
    const Synonyms synonyms = small_synonyms(folder);
    const std::vector<WordSense> senses = synonyms.senses("commence", WordKind::verb);
    ASSERT_EQ(senses.size(), 1u);
    EXPECT_THAT(senses[0].words, ElementsAre("begin", "start", "set out"));
    EXPECT_THAT(senses[0].hypernyms, ElementsAre("move", "act"));
    EXPECT_EQ(senses[0].wider_synsets.size(), 1u);
    EXPECT_EQ(senses[0].uses, 0);
    EXPECT_EQ(senses[0].gloss, "take the first step");
    EXPECT_EQ(senses[0].synset, synonyms.senses("set out", WordKind::verb)[0].synset);
    for (const char* other : {"absent", "", "commenc", "commence v", "zz"})
        EXPECT_THAT(synonyms.senses(other, WordKind::verb), IsEmpty()) << other;
    EXPECT_THAT(synonyms.senses("commence", WordKind::noun), IsEmpty()) << "of that kind alone";
}

TEST(Synonyms, AreFoundInAnyCaseAndWithBlanks) {
    const TemporaryFolder folder;
    const Synonyms synonyms = small_synonyms(folder);
    for (const char* lemma : {"set out", "set_out", "Set out", " SET OUT "})
        EXPECT_EQ(synonyms.senses(lemma, WordKind::verb).size(), 1u) << lemma;
}

// The counts' order, not the index's: "begin" has its second meaning more often.
TEST(Synonyms, HaveTheMostUsedMeaningFirst) {
    const TemporaryFolder folder;
    const Synonyms synonyms = small_synonyms(folder);
    const std::vector<WordSense> senses = synonyms.senses("begin", WordKind::verb);
    ASSERT_EQ(senses.size(), 2u);
    EXPECT_EQ(senses[0].uses, 375);
    EXPECT_EQ(senses[0].gloss, "take the first step");
    EXPECT_EQ(senses[1].uses, 57);
}

// Adjectives have no hypernyms: the common one that a rare one is like stands for it; not the other way round.
TEST(Synonyms, OfAdjectivesHaveTheCommonOneAsWider) {
    const TemporaryFolder folder;
    const Synonyms synonyms = small_synonyms(folder);
    const std::vector<WordSense> huge = synonyms.senses("huge", WordKind::adjective);
    ASSERT_EQ(huge.size(), 1u);
    EXPECT_THAT(huge[0].words, ElementsAre("immense"));
    EXPECT_THAT(huge[0].hypernyms, ElementsAre("large", "big"));
    EXPECT_EQ(huge[0].uses, 14);
    EXPECT_THAT(synonyms.senses("large", WordKind::adjective)[0].hypernyms, IsEmpty());
}

TEST(Synonyms, NameWhatIsMissingOrDamaged) {
    const TemporaryFolder folder;
    test::write_wordnet(folder, verbs(), adjectives(), kCounts);
    EXPECT_THAT(
        message_of([] { Synonyms::load("/nowhere"); }),
        HasSubstr("/nowhere/index.noun: expected a file of WordNet's, got no such file (run scripts/setup.sh --english)"));
    std::filesystem::remove(folder.path() / "cntlist.rev");
    EXPECT_THAT(message_of([&] { Synonyms::load(folder.path()); }), HasSubstr("cntlist.rev: expected a file of WordNet's"));
    const auto refusal = [&](const std::string& file, const std::string& bytes) {
        test::write_wordnet(folder, verbs(), adjectives(), kCounts);
        folder.file(file, bytes);
        const Synonyms synonyms = Synonyms::load(folder.path());
        return message_of([&] { synonyms.senses("commence", WordKind::verb); });
    };
    EXPECT_THAT(refusal("index.verb", ""), HasSubstr("index.verb: expected an index of WordNet's, got no lemma"));
    EXPECT_THAT(refusal("index.verb", "commence v 1"), HasSubstr("index.verb: byte 0: expected the number of symbols"));
    EXPECT_THAT(refusal("index.verb", "a v 0 0 0 0\ncommence v x\n"), HasSubstr("index.verb: byte 12: expected"));
    EXPECT_THAT(refusal("index.verb", "commence v 1 0 1 0 00009999\n"),
                HasSubstr("data.verb: byte 9999: expected a meaning"));
    EXPECT_THAT(refusal("index.verb", "commence v 1 0 1 0 00000042\n"), HasSubstr("got none (the files are not of one"));
    EXPECT_THAT(refusal("data.verb", std::string(100, 'x')), HasSubstr("expected a meaning"));
    EXPECT_THAT(refusal("cntlist.rev", "a%1:: 1 1\nwrong\n"), HasSubstr("cntlist.rev:2: expected a meaning's key"));
    const std::string line = "00000007 30 v 01 go 0 000 | x\n";
    test::write_wordnet(folder, verbs(), adjectives(), kCounts);
    folder.file("index.verb", "commence v 1 0 1 0 00000000\n");
    folder.file("data.verb", line);
    EXPECT_THAT(message_of([&] { Synonyms::load(folder.path()).senses("commence", WordKind::verb); }),
                HasSubstr("data.verb: byte 0: expected a meaning of that place, got one of 7"));
}

// An index in another order is sorted.
TEST(Synonyms, SortAnIndex) {
    const TemporaryFolder folder;
    test::write_wordnet(folder, verbs(), adjectives(), kCounts);
    const std::string index = read_file(folder.path() / "index.verb");
    const size_t first = index.find("act "), second = index.find("begin ");
    folder.file("index.verb", index.substr(second) + index.substr(first, second - first));
    const Synonyms turned = Synonyms::load(folder.path());
    for (const char* lemma : {"act", "begin", "start"}) EXPECT_FALSE(turned.senses(lemma, WordKind::verb).empty()) << lemma;
}

TEST(Synonyms, AnswerThreadsAlike) {
    const TemporaryFolder folder;
    const Synonyms synonyms = small_synonyms(folder);
    std::vector<size_t> words(4);
    std::vector<std::thread> threads;
    for (size_t& count : words)
        threads.emplace_back([&] {
            for (int turn = 0; turn < 200; ++turn) count += synonyms.senses("commence", WordKind::verb)[0].words.size();
        });
    for (std::thread& thread : threads) thread.join();
    for (const size_t count : words) EXPECT_EQ(count, 600u);
}

TEST(Synonyms, OfDebiansWordnet) {
    const auto place = EnglishDictionaryPlaces::installed().synonyms;
    CRAFT_NEEDS(place);
    const Synonyms synonyms = Synonyms::load(place);
    EXPECT_THAT(synonyms.senses("utilise", WordKind::verb)[0].words, Contains("use"));
    EXPECT_THAT(synonyms.senses("physician", WordKind::noun)[0].words, Contains("doctor"));
    EXPECT_EQ(synonyms.senses("begin", WordKind::verb)[0].uses, 375);
    EXPECT_THAT(synonyms.senses("gargantuan", WordKind::adjective)[0].hypernyms, Contains("large"));
    EXPECT_THAT(synonyms.senses("rapidly", WordKind::adverb)[0].words, Contains("quickly"));
    EXPECT_EQ(synonyms.senses("entity", WordKind::noun).size(), 1u);
}

}  // namespace
}  // namespace craft
