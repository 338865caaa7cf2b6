// What the sealed evaluation sets are made of: texts that stand nowhere else, of three lengths, and wordings that training
// does not know.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <regex>
#include <set>

#include "core/json.h"
#include "core/rng.h"
#include "data/constraints/wordings.h"
#include "tests/data/constraints/contexts.h"
#include "tests/data/constraints/keeps_values.h"
#include "tests/data/constraints/read_instruction.h"
#include "tests/source.h"
#include "text/utf8.h"
#include "text/words.h"

namespace craft {
namespace {

const std::filesystem::path kShare = std::filesystem::path(test_source()) / "share";

std::vector<std::string> texts_of(const std::string& set) {
    std::vector<std::string> texts;
    JsonLinesReader reader((kShare / "texts" / (set + ".jsonl")).string());
    while (const auto row = reader.next()) texts.push_back(string_field(*row, "text", reader.where()));
    return texts;
}

std::set<std::string> eight_grams(const std::string& set) {
    std::set<std::string> grams;
    for (const std::string& text : texts_of(set)) {
        const auto words = whitespace_words(text);
        for (size_t i = 0; i + 8 <= words.size(); ++i) {
            std::string gram;
            for (size_t k = i; k < i + 8; ++k) gram += lowercase(std::string(words[k])) + " ";
            grams.insert(gram);
        }
    }
    return grams;
}

TEST(SealedSets, AThirdOfTheTextsIsOfEachLength) {
    for (const char* set : {"test", "search"}) {
        std::array<int, 3> counts{};
        for (const std::string& text : texts_of(set)) {
            const auto words = static_cast<int64_t>(whitespace_words(text).size());
            const bool is_short = words >= 60 && words <= 150, is_medium = words >= 250 && words <= 450,
                       is_long = words >= 500 && words <= 1000;
            ASSERT_TRUE(is_short || is_medium || is_long) << set << ": " << words << " words: " << text.substr(0, 60);
            ++counts[is_short ? 0 : is_medium ? 1 : 2];
        }
        EXPECT_EQ(counts, (std::array<int, 3>{34, 33, 33})) << set;
    }
}

TEST(SealedSets, TheirTextsStandNowhereElse) {
    const std::vector<std::string> sets = {"train", "dev", "select", "search", "test"};
    std::vector<std::set<std::string>> grams;
    for (const std::string& set : sets) grams.push_back(eight_grams(set));
    for (size_t i = 3; i < sets.size(); ++i)
        for (size_t k = 0; k < i; ++k)
            for (const std::string& gram : grams[i])
                EXPECT_FALSE(grams[k].contains(gram)) << sets[i] << " and " << sets[k] << ": " << gram;
}

const std::set<std::string> kFunctionWords = {
    "a",     "an",    "the",    "and",    "or",      "but",   "nor",   "of",    "to",    "in",   "on",    "at",
    "by",    "for",   "with",   "as",     "from",    "into",  "over",  "under", "up",    "out",  "than",  "then",
    "so",    "if",    "when",   "before", "after",   "once",  "is",    "are",   "be",    "been", "was",   "were",
    "am",    "do",    "does",   "don't",  "can",     "can't", "may",   "must",  "have",  "has",  "had",   "will",
    "would", "won't", "i",      "i'd",    "i'm",     "i've",  "we",    "we'd",  "you",   "your", "our",   "my",
    "me",    "us",    "it",     "its",    "it's",    "they",  "them",  "their", "this",  "that", "these", "no",
    "not",   "all",   "any",    "each",   "every",   "one",   "there", "what",  "which", "who",  "more",  "most",
    "less",  "those", "should", "either", "neither", "here",  "also",  "still", "yet",
};

// Training's wordings are all lists that its instructions are made of, however seldom each is used. The words of its texts
// are none of them: an instruction only quotes a text's words, in any wording.
TEST(SealedSets, TheirWordingsAreNotThoseOfTraining) {
    const Wordings known = Wordings::load(kShare / "wordings" / "constraints.json");
    Contexts contexts;
    std::set<std::string> vocabulary;
    const auto learn = [&](const std::vector<Wording>& wordings) {
        for (const Wording* wording : allowed(wordings, Split::train))
            for (const std::string& text : wording->texts) {
                contexts.add(text);
                for (const std::string& word : words_of(text)) vocabulary.insert(word);
            }
    };
    for (int i = 0; i < kParts; ++i) learn(known.of(static_cast<Part>(i)));
    for (int i = 0; i < kPlaces; ++i) learn(known.of(static_cast<Place>(i)));
    for (int i = 0; i < kSubTypes; ++i) learn(known.topics(static_cast<SubType>(i)));
    for (int i = 0; i < kShapes; ++i) learn(known.of(static_cast<Shape>(i)));

    const Json sealed = read_json_file(kShare / "wordings" / "sealed.json");
    size_t wordings = 0, elsewhere = 0, content = 0, unknown = 0;
    for (int i = 0; i < kShapes; ++i) {
        const Json& texts = sealed.at("shapes").at(shape_name(static_cast<Shape>(i)));
        EXPECT_GE(texts.size(), 10u) << shape_name(static_cast<Shape>(i));
        for (const Json& text : texts) {
            for (const std::string& word : words_of(text.get<std::string>())) {
                if (word == "{}" || kFunctionWords.contains(word)) continue;
                ++content;
                unknown += vocabulary.contains(word) ? 0 : 1;
            }
            ++wordings;
            elsewhere += contexts.lack_one_of(text.get<std::string>()) ? 1 : 0;
        }
    }
    const auto share = [](size_t part, size_t whole) { return static_cast<double>(part) / static_cast<double>(whole); };
    EXPECT_GE(share(elsewhere, wordings), 0.5) << "words right before or behind a number or keyword that training has not";
    EXPECT_GE(share(unknown, content), 0.25) << "content words that training has not";
    RecordProperty("contexts_that_training_has_not", std::to_string(share(elsewhere, wordings)));
    RecordProperty("content_words_that_training_has_not", std::to_string(share(unknown, content)));
}

const Wordings& sealed() {
    static const Wordings wordings = Wordings::load_sealed(kShare / "wordings" / "sealed.json");
    return wordings;
}

std::set<std::string> slots_of(const std::string& text) {
    std::set<std::string> slots;
    for (size_t at = text.find('{'); at != std::string::npos; at = text.find('{', at + 1)) {
        const std::string slot = text.substr(at + 1, text.find('}', at) - at - 1);
        slots.insert(slot.substr(0, slot.find(':')));
    }
    return slots;
}

// "At least" takes the bound above that of "more than", "at most" the one below that of "less than"; a range takes both or
// none.
TEST(SealedSets, TheirWordingsShiftABoundToTheSideOfItsRelation) {
    using Slots = std::set<std::string>;
    for (const Shape shape : all_shapes()) {
        if (!has_count(shape)) continue;
        std::set<Slots> known = {{"N"}};
        const std::string name = shape_name(shape);
        if (shape == Shape::words_range)
            known = {{"M", "N"}, {"M+1", "N-1"}};
        else if (name.ends_with("_more") || name.ends_with("_at_least"))
            known.insert({"N+1"});
        else if (name.ends_with("_less"))
            known.insert({"N-1"});
        for (const Wording& wording : sealed().of(shape)) {
            Slots slots = slots_of(wording.texts.front());
            slots.erase("A");
            EXPECT_TRUE(known.contains(slots)) << name << ": " << wording.texts.front();
        }
    }
}

std::set<int64_t> numbers_of(const std::string& text) {
    static const std::regex digits("[0-9]+");
    std::set<int64_t> numbers;
    const std::string plain = in_digits(std::regex_replace(text, std::regex("-word "), " word "));  // "the 87-word mark"
    for (auto found = std::sregex_iterator(plain.begin(), plain.end(), digits); found != std::sregex_iterator(); ++found)
        numbers.insert(std::stoll(found->str()));
    return numbers;
}

TEST(SealedSets, AnInstructionIsAnOpenerAndSentencesThatSayEveryValue) {
    for (const Shape shape : all_shapes())
        for (uint64_t seed = 0; seed < 200; ++seed) {
            Constraint c;
            c.shape = shape;
            const std::vector<int64_t> ids = {37, 48, 59};
            c.ids.assign(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(ids_of(shape)));
            if (has_count(shape)) c.n = 87;
            if (shape == Shape::words_range) c.m = 64;
            if (has_keyword(shape)) c.keyword = "harbour";
            Rng rng(seed, "sealed");
            const Rendering rendering = render_instruction({c}, {}, sealed(), Split::sealed, rng);
            const std::string& text = rendering.instruction;
            ASSERT_EQ(rendering.phrases.size(), 1u);
            ASSERT_TRUE(text.ends_with(". " + rendering.phrases.front() + ":")) << text;
            const std::string opener = text.substr(0, text.size() - rendering.phrases.front().size() - 3);
            EXPECT_TRUE(std::any_of(sealed().of(Part::openers).begin(), sealed().of(Part::openers).end(),
                                    [&](const Wording& wording) { return wording.texts.front() == opener; }))
                << text;
            EXPECT_EQ(text.find('{'), std::string::npos) << text;
            EXPECT_TRUE(keeps_values(text, text, {c})) << text;
            // Ordinals are no numbers to in_digits(); keeps_values() has looked at ids.
            const std::set<int64_t> said = numbers_of(rendering.phrases.front());
            const auto says = [&](int64_t bound) {
                return said.contains(bound - 1) || said.contains(bound) || said.contains(bound + 1);
            };
            EXPECT_TRUE(!has_count(shape) || says(c.n)) << text;
            EXPECT_TRUE(shape != Shape::words_range || says(c.m)) << text;
        }
}

}  // namespace
}  // namespace craft
