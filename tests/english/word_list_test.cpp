#include "english/word_list.h"

#include <gmock/gmock.h>

#include <thread>

#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using ::testing::HasSubstr;

// "S" puts an s after words that do not end in y.
constexpr const char* kRules = "SET UTF-8\nSFX S Y 1\nSFX S 0 s [^y]\n";

TEST(WordList, FollowsTheRulesOfADictionary) {
    const TemporaryFolder folder;
    folder.file("few.aff", kRules);
    const WordList words = WordList::load(folder.file("few.dic", "3\ncat/S\ncity\nnaïve\n"));
    for (const char* known : {"cat", "cats", "Cats", "CAT", "city", "naïve"}) EXPECT_TRUE(words.knows(known)) << known;
    for (const char* unknown : {"citys", "catz", "cAt", "nai\xCC\x88ve"}) EXPECT_FALSE(words.knows(unknown)) << unknown;
    EXPECT_FALSE(words.knows(std::string(100'000, 'a')));
}

TEST(WordList, OfLinesHasWhatStandsInIt) {
    const TemporaryFolder folder;
    const WordList words = WordList::load(folder.file("list.txt", "cat\r\nPaul\n\nmother-in-law"));
    for (const char* known : {"cat", "Paul", "mother-in-law"}) EXPECT_TRUE(words.knows(known)) << known;
    for (const char* unknown : {"Cat", "paul", "cats", ""}) EXPECT_FALSE(words.knows(unknown)) << unknown;
}

TEST(WordList, RefusesWhatIsNone) {
    const TemporaryFolder folder;
    const auto load = [](const std::string& file) { return message_of([&] { WordList::load(file); }); };
    EXPECT_THAT(load((folder.path() / "absent.dic").string()),
                HasSubstr("absent.dic: expected a list of words, got no such file (run scripts/setup.sh --english"));
    const std::string lone = folder.file("lone.dic", "1\ncat\n");
    EXPECT_THAT(load(lone), HasSubstr("lone.aff: expected a list of words, got no such file"));
    folder.file("lone.aff", "SET ISO8859-1\n");
    EXPECT_THAT(load(lone), HasSubstr("lone.aff: SET: expected UTF-8, got ISO8859-1"));
    folder.file("lone.aff", kRules);
    for (const char* bytes : {"", "cat\n", "0\n", "\n1\n"})
        EXPECT_THAT(load(folder.file("lone.dic", bytes)), HasSubstr("lone.dic:1: expected the number of words"));
    EXPECT_THAT(load(folder.file("empty.txt", "\n \n")), HasSubstr("empty.txt: expected one word per line, got none"));
    EXPECT_THAT(load(folder.file("bytes.txt", "a\n\xFF\n")), HasSubstr("bytes.txt:2: expected UTF-8"));
    EXPECT_THAT(load(folder.path().string()), HasSubstr("no such file"));
}

TEST(WordList, AnswersThreadsAlike) {
    const TemporaryFolder folder;
    folder.file("few.aff", kRules);
    const WordList words = WordList::load(folder.file("few.dic", "1\ncat/S\n"));
    std::vector<int> right(2);
    std::vector<std::thread> threads;
    for (int& count : right)
        threads.emplace_back([&] {
            for (int turn = 0; turn < 2000; ++turn) count += words.knows("cats") && !words.knows("catz") ? 1 : 0;
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(right[0], 2000);
    EXPECT_EQ(right[1], 2000);
}

// Both spellings of British English, as in ERRANT's list.
TEST(WordList, BritishEnglish) {
    if (!std::filesystem::exists(english_word_list_file()))
        GTEST_SKIP() << "no reference data: " << english_word_list_file() << " (run scripts/setup.sh --english)";
    const WordList words = WordList::load(english_word_list_file());
    for (const char* known : {"colour", "organise", "organize", "London", "children"})
        EXPECT_TRUE(words.knows(known)) << known;
    for (const char* unknown : {"recieve", "siences", "childs", "london"}) EXPECT_FALSE(words.knows(unknown)) << unknown;
}

}  // namespace
}  // namespace craft
