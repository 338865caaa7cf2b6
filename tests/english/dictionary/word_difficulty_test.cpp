#include "english/dictionary/word_difficulty.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "core/files.h"
#include "tests/core/temporary_folder.h"
#include "tests/english/dictionary/gzip_bytes.h"
#include "tests/english/dictionary/installed.h"
#include "tests/english/msgpack_bytes.h"

namespace craft {
namespace {

using ::testing::HasSubstr;

std::unique_ptr<WordDifficulty> small_scowl(const TemporaryFolder& folder) {
    folder.file("english-words.10", "use\ncat\nwell\nknown\n");
    folder.file("english-words.50", "cat\nperplexed\nna\xC3\xAFve\n");
    folder.file("english-words.95", "paul\n");
    folder.file("british-words.35", "colour\n");
    folder.file("american-words.20", "color");
    folder.file("british_z-words.60", "caf\xE9\n");  // Latin-1
    folder.file("english-contractions.10", "don't\n");
    folder.file("english-upper.10", "English\n");
    folder.file("english-upper.50", "London\n");
    folder.file("english-proper-names.50", "Newton\n");
    folder.file("australian-words.10", "utes\n");
    folder.file("variant_1-words.10", "odd\n");
    folder.file("english-words.txt", "wrong\n");
    folder.file("README", "read\n");
    return scowl_difficulty(folder.path());
}

TEST(ScowlDifficulty, IsTheSmallestClassThatHasTheWord) {
    const TemporaryFolder folder;
    const auto difficulty = small_scowl(folder);
    EXPECT_EQ(difficulty->name(), "scowl");
    const std::vector<std::pair<const char*, double>> expected = {
        {"use", 0.1},     {"Use", 0.1},     {"cat", 0.1},         {"perplexed", 0.5}, {"na\xC3\xAFve", 0.5},
        {"colour", 0.35}, {"color", 0.2},   {"caf\xC3\xA9", 0.6}, {"don't", 0.1},     {"don\xE2\x80\x99t", 0.1},
        {"English", 0.1}, {"english", 0.1}, {"Paul", 0.95},       {"cat's", 0.1},     {" use ", 0.1},
    };
    for (const auto& [word, value] : expected) EXPECT_DOUBLE_EQ(difficulty->of(word), value) << word;
    for (const char* word : {"London", "Newton", "utes", "odd", "wrong", "read", "used", "1958", "", " ", "-", "'s"})
        EXPECT_EQ(difficulty->of(word), 1) << word;
}

TEST(ScowlDifficulty, OfSeveralWordsIsTheHardestsOne) {
    const TemporaryFolder folder;
    const auto difficulty = small_scowl(folder);
    EXPECT_DOUBLE_EQ(difficulty->of("well-known"), 0.1);
    EXPECT_DOUBLE_EQ(difficulty->of("well perplexed cat"), 0.5);
    EXPECT_EQ(difficulty->of("well-used"), 1) << "one part is unknown";
}

TEST(ScowlDifficulty, OfAFormFallsBackOnItsLemma) {
    const TemporaryFolder folder;
    const auto difficulty = small_scowl(folder);
    EXPECT_DOUBLE_EQ(difficulty->of_form("used", "use"), 0.1);
    EXPECT_DOUBLE_EQ(difficulty->of_form("perplexed", "use"), 0.5) << "its own comes first";
    EXPECT_EQ(difficulty->of_form("wugs", "wug"), 1);
}

TEST(ScowlDifficulty, IsRefusedWithoutLists) {
    const TemporaryFolder folder;
    EXPECT_THAT(message_of([&] { scowl_difficulty(folder.path() / "absent"); }),
                HasSubstr("absent: expected the word lists of scowl, got no such folder (run scripts/setup.sh --english)"));
    folder.file("README", "read\n");
    folder.file("english-words.10", "\n \n");
    EXPECT_THAT(message_of([&] { scowl_difficulty(folder.path()); }), HasSubstr("(english-words.10, ...), got none"));
}

std::string small_counts(const std::vector<std::string>& lists, const std::string& format = "cB", uint64_t version = 1) {
    std::vector<std::string> all = {
        test::pack_map({{"format", test::pack(format)}, {"version", test::pack_number(version)}})};
    all.insert(all.end(), lists.begin(), lists.end());
    return test::pack_list(all);
}

// 801 lists: list n has the words that are met in 10^(-n / 100) of all places.
std::string counts_of(const std::vector<std::pair<size_t, std::string>>& words) {
    std::vector<std::string> lists(801, test::pack_list({}));
    for (const auto& [centibels, word] : words) lists[centibels] = test::pack_texts({word});
    return small_counts(lists);
}

TEST(CountDifficulty, IsTheZipfValueScaled) {
    const std::string bytes =
        counts_of({{127, "the"}, {200, "on"}, {500, "middle"}, {600, "rare"}, {799, "rarer"}, {800, "rarest"}});
    for (const std::string& stored : {bytes, test::gzipped(bytes)}) {
        const auto difficulty = count_difficulty_of(stored, "counts");
        EXPECT_EQ(difficulty->name(), "counts");
        EXPECT_EQ(difficulty->of("The"), 0) << "Zipf 7.73 is above 7";
        EXPECT_DOUBLE_EQ(difficulty->of("on"), 0) << "Zipf 7";
        EXPECT_DOUBLE_EQ(difficulty->of("middle"), 0.5) << "Zipf 4";
        EXPECT_DOUBLE_EQ(difficulty->of("rare"), 4.0 / 6) << "Zipf 3: one in a million";
        EXPECT_DOUBLE_EQ(difficulty->of("rarest"), 0.99) << "known, if barely";
        EXPECT_EQ(difficulty->of("absent"), 1);
        EXPECT_DOUBLE_EQ(difficulty->of("middle-rare"), 4.0 / 6);
    }
}

TEST(CountDifficulty, RefusesWhatIsNoSuchList) {
    const auto refusal = [](const std::string& bytes) { return message_of([&] { count_difficulty_of(bytes, "list"); }); };
    const std::string words = test::pack_texts({"cat"});
    for (const std::string& bytes : {small_counts({words}, "dB"), small_counts({words}, "cB", 2), test::pack_list({}),
                                     test::pack_number(1), test::pack_list({words, words})})
        EXPECT_THAT(refusal(bytes), HasSubstr("list: expected a frequency list of wordfreq's"));
    EXPECT_THAT(refusal(small_counts({words, test::pack("cat")})), HasSubstr("list: list 2: expected a list of words"));
    EXPECT_THAT(refusal(small_counts({test::pack_list({test::pack_number(1)})})), HasSubstr("list: list 1: expected words"));
    EXPECT_THAT(refusal(small_counts({test::pack_list({})})), HasSubstr("list: expected words, got none"));
    EXPECT_THAT(refusal(small_counts(std::vector<std::string>(2000, words))), HasSubstr("at most 2000 centibels"));
    EXPECT_THAT(refusal("no msgpack"), HasSubstr("list: byte"));
    EXPECT_THAT(message_of([] { count_difficulty("/nowhere/en.msgpack.gz"); }),
                HasSubstr("/nowhere/en.msgpack.gz: expected a table of English, got no such file (run scripts/setup.sh"));
}

std::vector<double> ranks(const std::vector<double>& values) {
    std::vector<size_t> order(values.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return values[a] < values[b]; });
    std::vector<double> ranks(values.size());
    for (size_t begin = 0; begin < order.size();) {
        size_t end = begin;
        while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
        for (size_t i = begin; i < end; ++i)
            ranks[order[i]] = (static_cast<double>(begin + end) - 1) / 2;  // ties share theirs
        begin = end;
    }
    return ranks;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
    const auto n = static_cast<double>(a.size());
    const double mean_a = std::accumulate(a.begin(), a.end(), 0.0) / n,
                 mean_b = std::accumulate(b.begin(), b.end(), 0.0) / n;
    double ab = 0, aa = 0, bb = 0;
    for (size_t i = 0; i < a.size(); ++i) {
        ab += (a[i] - mean_a) * (b[i] - mean_b);
        aa += (a[i] - mean_a) * (a[i] - mean_a);
        bb += (b[i] - mean_b) * (b[i] - mean_b);
    }
    return ab / std::sqrt(aa * bb);
}

// Every fortieth word of scowl's lists up to class 80: the sources are made in different ways and yet agree broadly.
TEST(WordDifficulty, OfBothSourcesAgrees) {
    const EnglishDictionaryPlaces places = EnglishDictionaryPlaces::installed();
    CRAFT_NEEDS(places.scowl);
    CRAFT_NEEDS(places.counts);
    const EnglishDictionary dictionary;
    std::vector<double> by_size, by_count;
    size_t number = 0;
    for (const char* size : {"10", "20", "35", "40", "50", "55", "60", "70", "80"}) {
        const std::string list = read_file(places.scowl / (std::string("english-words.") + size));
        for (size_t at = 0; at < list.size();) {
            const size_t end = std::min(list.find('\n', at), list.size());
            const std::string word = list.substr(at, end - at);
            at = end + 1;
            if (++number % 40 != 0 || word.ends_with("'s")) continue;
            by_size.push_back(dictionary.by_size().of(word));
            by_count.push_back(dictionary.by_count().of(word));
        }
    }
    const double agreement = correlation(ranks(by_size), ranks(by_count));
    RecordProperty("words", std::to_string(by_size.size()));
    RecordProperty("rank_correlation", std::to_string(agreement));
    EXPECT_GT(by_size.size(), 3000u);
    EXPECT_GT(agreement, 0.6);
    EXPECT_LT(agreement, 0.95) << "of unlike kind";
}

TEST(WordDifficulty, KnowsEasyFromHard) {
    const EnglishDictionaryPlaces places = EnglishDictionaryPlaces::installed();
    CRAFT_NEEDS(places.scowl);
    CRAFT_NEEDS(places.counts);
    const EnglishDictionary dictionary;
    const std::vector<std::pair<const char*, const char*>> easy_and_hard = {
        {"use", "utilise"}, {"start", "commence"}, {"building", "edifice"}, {"help", "facilitate"}, {"big", "gargantuan"}};
    for (const WordDifficulty* source : {&dictionary.by_size(), &dictionary.by_count()})
        for (const auto& [easy, hard] : easy_and_hard)
            EXPECT_LT(source->of(easy), source->of(hard)) << source->name() << easy;
    EXPECT_GE(dictionary.by_size().of("London"), 0.95) << "a name, which the largest class has in small letters";
}

}  // namespace
}  // namespace craft
