#include "english/dictionary/easier_words.h"

#include <gmock/gmock.h>

#include <map>

#include "tests/core/temporary_folder.h"
#include "tests/english/dictionary/installed.h"
#include "tests/english/dictionary/small_wordnet.h"

namespace craft {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class GivenDifficulty : public WordDifficulty {
public:
    explicit GivenDifficulty(std::map<std::string, double, std::less<>> values) : values_(std::move(values)) {}
    std::string name() const override { return "given"; }
    double of(std::string_view word) const override {
        const auto found = values_.find(word);
        return found == values_.end() ? 1 : found->second;
    }

private:
    std::map<std::string, double, std::less<>> values_;
};

// Three meanings of "commence": 100, 50 and 5 uses. "begin" and "start" mean the first mostly, "get" seldom.
class EasierWords : public ::testing::Test {
protected:
    EasierWords()
        : synonyms_(small()),
          inflections_(Inflections::parse(
              "begin,verb,began,begun,beginning,begins\ndub,verb,dubbed,,dubbing,dubs\nget,verb,got,,getting,gets\n"
              "open,verb,opened,,opening,opens\nproceed,verb,proceeded,,proceeding,proceeds\n"
              "set,verb,set,,setting,sets\nstart,verb,started,,starting,starts\n"
              "straw,noun,straws\nuse,verb,used,,using,uses\n",
              "table")) {}

    Synonyms small() {
        test::write_wordnet(
            folder_,
            {{{{"commence", "begin", "start", "get", "set_out", "straw", "Initiate", "somebody"},
               {{"@", 4}},
               "take the first step"},
              {{"commence", "open", "start"}, {}, "have a beginning"},
              {{"commence", "inaugurate", "dub"}, {}, "seldom meant"},
              {{"get"}, {}, "receive"},
              {{"act", "proceed", "do_something"}, {}, "do"},
              {{"use", "utilise", "utilize"}, {}, "put into service"}},
             {{"act", {4}},
              {"begin", {0}},
              {"commence", {0, 1, 2}},
              {"dub", {2}},
              {"get", {3, 0}},
              {"inaugurate", {2}},
              {"open", {1}},
              {"proceed", {4}},
              {"set_out", {0}},
              {"somebody", {0}},
              {"start", {0, 1}},
              {"straw", {0}},
              {"use", {5}},
              {"utilise", {5}},
              {"utilize", {5}}}},
            {},
            "proceed%2:0:: 1 20\nbegin%2:0:: 1 99\ncommence%2:0:: 1 100\ncommence%2:1:: 2 50\ncommence%2:2:: 3 5\n"
            "get%2:3:: 1 98\nget%2:0:: 2 0\nopen%2:1:: 1 9\nset_out%2:0:: 1 3\nstart%2:0:: 1 30\nstart%2:1:: 2 8\n");
        return Synonyms::load(folder_.path());
    }
    std::vector<EasierWord> find(const EasierWordOptions& options, std::string_view tag = "VBD") const {
        return easier_words(synonyms_, inflections_, difficulty_, "commence", tag, WordKind::verb, options);
    }
    static std::vector<std::string> forms(const std::vector<EasierWord>& words) {
        std::vector<std::string> forms;
        for (const EasierWord& word : words) forms.push_back(word.form);
        return forms;
    }

    TemporaryFolder folder_;
    Synonyms synonyms_;
    Inflections inflections_;
    GivenDifficulty difficulty_{{{"commence", 0.5},
                                 {"begin", 0.2},
                                 {"start", 0.1},
                                 {"get", 0.1},
                                 {"open", 0.1},
                                 {"set out", 0.2},
                                 {"initiate", 0.1},
                                 {"straw", 0.1},
                                 {"dub", 0.1},
                                 {"somebody", 0.1},
                                 {"act", 0.1},
                                 {"proceed", 0.1},
                                 {"use", 0.1},
                                 {"utilise", 0.6},
                                 {"utilize", 0.2},
                                 {"do something", 0.1}}};
};

// Shares: begin (99 + 1) / (99 + 1) = 1; start (30 + 1) / (38 + 2) = 0.775 in the first meaning; get (0 + 1) / (98 + 2) =
// 0.01; open (9 + 1) / (9 + 1) = 1; set out 1; proceed (20 + 1) / (20 + 1) = 1. Ranks: start 0.1 + 0.3 * 0.225 = 0.1675,
// begin 0.2, open 0.1 + 0.15 = 0.25, set out 0.2 + 0.1 = 0.3; then proceed, a hypernym; "act" says too little. "commenze"
// would be another spelling.
TEST_F(EasierWords, AreRankedByEaseAndMeaning) {
    const std::vector<EasierWord> words = find({});
    EXPECT_THAT(forms(words), ElementsAre("started", "began", "opened", "set out", "proceeded"));
    ASSERT_EQ(words.size(), 5u);
    EXPECT_EQ(words[0].lemma, "start");
    EXPECT_NEAR(words[0].share, 0.775, 1e-12);
    EXPECT_NEAR(words[0].difficulty, 0.1, 1e-12);
    EXPECT_EQ(words[0].sense, 0u);
    EXPECT_EQ(words[2].sense, 1u);
    EXPECT_FALSE(words[3].is_wider);
    EXPECT_TRUE(words[4].is_wider);
}

TEST_F(EasierWords, AreEasierByTheMargin) {
    EasierWordOptions options;
    options.margin = 0.3;  // "begin" and "set out" just reach it
    EXPECT_EQ(forms(find(options)).size(), 5u);
    options.margin = 0.31;
    EXPECT_THAT(forms(find(options)), ElementsAre("started", "opened", "proceeded"));
    options.margin = 0.5;
    EXPECT_THAT(find(options), IsEmpty());
}

TEST_F(EasierWords, AreOfTheMostUsedMeanings) {
    EasierWordOptions options;
    options.senses = 1;
    EXPECT_THAT(forms(find(options)), ElementsAre("started", "began", "set out", "proceeded"));
    options.senses = 3;
    options.sense_uses = 0.05;  // the third meaning too, in which "dub" has all its uses
    EXPECT_THAT(forms(find(options)), Contains("dubbed"));
    EXPECT_THAT(forms(find({})), Not(Contains("dubbed")));
    options.sense_uses = 0.6;
    EXPECT_THAT(forms(find(options)), Not(Contains("opened")));
}

TEST_F(EasierWords, MeanTheSameOften) {
    EasierWordOptions options;
    options.share = 0;
    EXPECT_THAT(forms(find(options)), Contains("got"));
    EXPECT_THAT(forms(find({})), Not(Contains("got")));
    options.share = 0.8;
    EXPECT_THAT(forms(find(options)), Not(Contains("started")));
}

TEST_F(EasierWords, MayLeaveOutPhrasesAndHypernyms) {
    EasierWordOptions options;
    options.phrases = false;
    EXPECT_THAT(forms(find(options)), ElementsAre("started", "began", "opened", "proceeded"));
    options.hypernyms = false;
    EXPECT_THAT(forms(find(options)), ElementsAre("started", "began", "opened"));
}

TEST_F(EasierWords, HaveTheFormOfTheTag) {
    EXPECT_THAT(forms(find({}, "VBG")), ElementsAre("starting", "beginning", "opening", "setting out", "proceeding"));
    EXPECT_THAT(forms(find({}, "VB")), ElementsAre("start", "begin", "open", "set out", "proceed"));
    EXPECT_THAT(message_of([&] { find({}, "NNS"); }), HasSubstr("tag 'NNS': expected one of the word's kind"));
    EXPECT_THAT(message_of([&] { find({}, "MD"); }), HasSubstr("tag 'MD'"));
    EXPECT_THAT(easier_words(synonyms_, inflections_, difficulty_, "unheard", "VB", WordKind::verb, {}), IsEmpty());
}

// "straw" is easy as a noun and means "commence" in all its uses as a verb, but no table has that verb.
TEST_F(EasierWords, AreVerbsInUse) {
    EasierWordOptions options;
    options.share = 0;
    EXPECT_THAT(forms(find(options)), Not(Contains("strawed")));
    const Inflections with = Inflections::parse("straw,verb,strawed,,strawing,straws\n", "table");
    EXPECT_THAT(forms(easier_words(synonyms_, with, difficulty_, "commence", "VBD", WordKind::verb, options)),
                ElementsAre("strawed"));
}

TEST_F(EasierWords, AreNoOtherSpellings) {
    EXPECT_THAT(forms(easier_words(synonyms_, inflections_, difficulty_, "Utilise", "VBG", WordKind::verb, {})),
                ElementsAre("using"));
}

// The real tables: what a writer would say instead.
TEST(EasierWordsOfEnglish, AreWhatOneWouldSay) {
    const EnglishDictionaryPlaces places = EnglishDictionaryPlaces::installed();
    for (const auto& place : {places.synonyms, places.scowl, places.inflections, places.counts}) CRAFT_NEEDS(place);
    const EnglishDictionary dictionary;
    struct Case {
        const char *lemma, *tag;
        WordKind kind;
        std::vector<const char*> expected;
    };
    const std::vector<Case> cases = {{"utilise", "VBD", WordKind::verb, {"used"}},
                                     {"commence", "VB", WordKind::verb, {"begin", "start"}},
                                     {"inundate", "VBN", WordKind::verb, {"flooded"}},
                                     {"physician", "NNS", WordKind::noun, {"doctors"}},
                                     {"approximately", "RB", WordKind::adverb, {"some", "about"}},
                                     {"gargantuan", "JJ", WordKind::adjective, {"giant"}}};
    for (const WordDifficulty* source : {&dictionary.by_size(), &dictionary.by_count()})
        for (const Case& c : cases) {
            const std::vector<EasierWord> words = dictionary.easier_words(c.lemma, c.tag, c.kind, *source, 0.05);
            ASSERT_FALSE(words.empty()) << source->name() << " " << c.lemma;
            EXPECT_THAT(c.expected, Contains(words[0].form)) << source->name() << " " << c.lemma;
        }
    const auto bought = dictionary.easier_words("purchase", "VBN", WordKind::verb, dictionary.by_count(), 0.05);
    ASSERT_FALSE(bought.empty());
    EXPECT_EQ(bought[0].form, "bought") << "by counts alone: scowl has both among its most common words";
    for (const WordDifficulty* source : {&dictionary.by_size(), &dictionary.by_count()})
        for (const EasierWord& word : dictionary.easier_words("strew", "VBN", WordKind::verb, *source, 0.05))
            EXPECT_NE(word.lemma, "straw");
    for (const char* easy : {"use", "go"})
        EXPECT_THAT(dictionary.easier_words(easy, "VB", WordKind::verb, dictionary.by_count(), 0.1), IsEmpty()) << easy;
}

}  // namespace
}  // namespace craft
