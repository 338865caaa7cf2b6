// The sentences of share/simplify are what their description promises.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "data/revised_text.h"
#include "english/pipeline.h"
#include "tests/english/dictionary/installed.h"
#include "tests/english/english_model.h"
#include "tests/source.h"
#include "text/utf8.h"
#include "text/words.h"

namespace craft {
namespace {

const std::vector<std::string> kSets = {"train", "dev", "test"};

std::vector<RevisedText> sentences(const std::string& set) {
    return read_revised_texts(test_source() + "/share/simplify/" + set + ".jsonl");
}

std::vector<RevisedText> all_sentences() {
    std::vector<RevisedText> all;
    for (const std::string& set : kSets) {
        const std::vector<RevisedText> more = sentences(set);
        all.insert(all.end(), more.begin(), more.end());
    }
    return all;
}

// Words without marks, in lower case.
std::vector<std::string> plain_words(const std::string& text) {
    std::vector<std::string> words;
    std::string word;
    for (const char c : lowercase(text) + " ") {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) != 0 || byte >= 0x80 || c == '\'') {
            word += c;
        } else if (!word.empty()) {
            words.push_back(std::exchange(word, ""));
        }
    }
    return words;
}

TEST(ShippedSentences, AreManyAndLongAndInThreeSets) {
    EXPECT_EQ(sentences("test").size(), 200u);
    EXPECT_EQ(sentences("dev").size(), 127u);
    const std::vector<RevisedText> all = all_sentences();
    EXPECT_GE(all.size(), 1500u);
    std::set<std::string> ids;
    int64_t words = 0;
    for (const RevisedText& one : all) {
        EXPECT_TRUE(ids.insert(one.id).second) << one.id;
        words += count_whitespace_words(one.text);
    }
    EXPECT_GE(static_cast<double>(words) / static_cast<double>(all.size()), 22);
}

TEST(ShippedSentences, ShareNoSixWordsInARow) {
    std::map<std::vector<std::string>, std::string> seen;
    for (const RevisedText& one : all_sentences()) {
        const std::vector<std::string> words = plain_words(one.text);
        for (size_t i = 0; i + 6 <= words.size(); ++i) {
            const auto at = words.begin() + static_cast<std::ptrdiff_t>(i);
            const auto [found, is_new] = seen.try_emplace(std::vector<std::string>(at, at + 6), one.id);
            EXPECT_TRUE(is_new || found->second == one.id) << one.id << " and " << found->second << " share '" << words[i];
        }
    }
}

// A rare word is one that SCOWL's classes 10 to 40 lack and a larger one has; what has a capital may be a name.
bool has_rare_word(const std::string& text, const WordDifficulty& difficulty) {
    for (const std::string& word : whitespace_words(text)) {
        if (!std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::islower(c) != 0; })) continue;
        const double hard = difficulty.of(word);
        if (hard >= 0.5 && hard < 1) return true;
    }
    return false;
}

TEST(ShippedSentences, HaveRareWords) {
    CRAFT_NEEDS(EnglishDictionaryPlaces::installed().scowl);
    const EnglishDictionary dictionary;
    const std::vector<RevisedText> all = all_sentences();
    const auto rare = std::count_if(all.begin(), all.end(),
                                    [&](const RevisedText& one) { return has_rare_word(one.text, dictionary.by_size()); });
    EXPECT_GE(static_cast<double>(rare), .15 * static_cast<double>(all.size()));
}

bool is_of_names(const std::string& entity) {
    static const std::set<std::string> kinds = {"PERSON", "ORG",   "GPE",         "LOC",    "FAC",
                                                "NORP",   "EVENT", "WORK_OF_ART", "PRODUCT"};
    return kinds.contains(entity);
}

std::set<std::string> features(const EnglishDocument& document) {
    std::set<std::string> found;
    for (const EnglishToken& token : document) {
        const std::string& dep = token.dep;
        if (dep == "advcl" || dep == "ccomp" || dep == "relcl" || dep == "csubj") found.insert("subordinate clause");
        if ((token.tag == "VBG" || token.tag == "VBN") &&
            (dep == "acl" || dep == "advcl" || dep == "amod" || dep == "pcomp"))
            found.insert("participle");
        if (dep == "appos") found.insert("apposition");
        if (dep == "nsubjpass" || dep == "auxpass") found.insert("passive");
        if (is_of_names(token.entity)) found.insert("name");
    }
    return found;
}

TEST(ShippedSentences, HaveWhatSimplificationIsAbout) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    const EnglishPipeline pipeline = EnglishPipeline::load(test::installed_english_model());
    const std::vector<RevisedText> all = all_sentences();
    std::map<std::string, int64_t> counts;
    // Every third one: the sets were drawn from all subjects alike, and a parse takes milliseconds.
    size_t parsed = 0;
    for (size_t i = 0; i < all.size(); i += 3, ++parsed)
        for (const std::string& feature : features(pipeline.annotate(all[i].text))) ++counts[feature];
    for (const char* feature : {"subordinate clause", "participle", "apposition", "passive", "name"})
        EXPECT_GE(static_cast<double>(counts[feature]), .15 * static_cast<double>(parsed)) << feature;
}

}  // namespace
}  // namespace craft
