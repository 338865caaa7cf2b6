// The pairs of share/gec are what docs/gec-data.md promises.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "data/leak_check.h"
#include "data/sentence_pair.h"
#include "gec/learner/error_kinds.h"
#include "tests/source.h"
#include "text/utf8.h"
#include "text/words.h"

namespace craft {
namespace {

std::vector<SentencePair> shipped(const std::string& name) {
    return read_sentence_pairs(test_source() + "/share/gec/" + name + ".jsonl");
}

struct PairCounts {
    int64_t pairs = 0, correct = 0, several = 0;
};

PairCounts counts(const std::vector<SentencePair>& pairs) {
    PairCounts counts;
    for (const SentencePair& pair : pairs) {
        ++counts.pairs;
        if (pair.source == pair.target) ++counts.correct;
        if (pair.error_types.size() > 1) ++counts.several;
    }
    return counts;
}

double share(int64_t part, int64_t all) {
    return static_cast<double>(part) / static_cast<double>(all);
}

TEST(ShippedPairs, AreAsManyAsPromised) {
    EXPECT_GE(counts(shipped("train")).pairs, 4000);
    EXPECT_EQ(counts(shipped("dev")).pairs, 300);
    EXPECT_EQ(counts(shipped("test")).pairs, 300);
    EXPECT_EQ(counts(shipped("known_errors")).pairs, 300);
    EXPECT_EQ(counts(shipped("correct")).pairs, 300);
    EXPECT_GE(counts(shipped("hand_train")).pairs, 200);
    EXPECT_GE(counts(shipped("hand_test")).pairs, 110);
}

TEST(ShippedPairs, HaveSeveralErrorsInAThirdAndCorrectOnesAmongThem) {
    for (const char* name : {"train", "dev", "test"}) {
        const PairCounts made = counts(shipped(name));
        EXPECT_NEAR(share(made.several, made.pairs - made.correct), .36, .09) << name;  // of 250, 3 deviations
        EXPECT_NEAR(share(made.correct, made.pairs), .175, .045) << name;
    }
    for (const char* name : {"hand_train", "hand_test"}) {
        const PairCounts made = counts(shipped(name));
        EXPECT_GE(share(made.several, made.pairs - made.correct), .33) << name;
        EXPECT_NEAR(share(made.correct, made.pairs), .5, .02) << name;
    }
    const PairCounts known = counts(shipped("known_errors")), correct = counts(shipped("correct"));
    EXPECT_EQ(known.correct + known.several, 0);
    EXPECT_EQ(correct.correct, correct.pairs);
}

TEST(ShippedPairs, HaveTypesWhereTheyHaveErrors) {
    std::set<std::string> kinds = {"vocabulary", "pronoun"};  // the hand-written ones have these, too
    for (const LearnerErrorKind& kind : learner_error_kinds()) kinds.insert(kind.name);
    for (const char* name : {"train", "dev", "test", "known_errors", "correct", "hand_train", "hand_test"})
        for (const SentencePair& pair : shipped(name)) {
            EXPECT_EQ(pair.source == pair.target, pair.error_types.empty()) << name << " " << pair.id;
            for (const std::string& type : pair.error_types)
                EXPECT_TRUE(kinds.contains(type)) << name << " " << pair.id << " " << type;
        }
    std::map<std::string, int64_t> found;
    for (const SentencePair& pair : shipped("train"))
        for (const std::string& type : pair.error_types) ++found[type];
    for (const LearnerErrorKind& kind : learner_error_kinds()) EXPECT_GE(found[kind.name], 30) << kind.name;
}

// The words that are left where the same ones at both ends are taken off.
std::pair<size_t, size_t> different_words(const SentencePair& pair) {
    std::vector<std::string> wrong = whitespace_words(lowercase(pair.source)),
                             right = whitespace_words(lowercase(pair.target));
    while (!wrong.empty() && !right.empty() && wrong.back() == right.back()) wrong.pop_back(), right.pop_back();
    size_t same = 0;
    while (same < wrong.size() && same < right.size() && wrong[same] == right[same]) ++same;
    return {wrong.size() - same, right.size() - same};
}

TEST(ShippedPairs, OfKnownErrorsAreAHundredOfEachShape) {
    int64_t missing = 0, redundant = 0, substituted = 0;
    for (const SentencePair& pair : shipped("known_errors")) {
        const auto words = different_words(pair);
        if (words.first == 0 && words.second == 1) ++missing;
        if (words.first == 1 && words.second == 0) ++redundant;
        if (words.first == 1 && words.second == 1) ++substituted;
    }
    EXPECT_EQ(missing, 100);
    EXPECT_EQ(redundant, 100);
    EXPECT_EQ(substituted, 100);
}

TEST(ShippedPairs, OfSealedFilesShareNoEightWordsWithTheOthers) {
    LeakCheck sealed;
    for (const char* name : {"test", "known_errors", "correct", "hand_test"})
        for (const SentencePair& pair : shipped(name)) {
            sealed.add(pair.source);
            sealed.add(pair.target);
        }
    for (const char* name : {"train", "dev", "hand_train"})
        for (const SentencePair& pair : shipped(name)) {
            EXPECT_FALSE(sealed.meets(pair.source)) << name << " " << pair.id;
            EXPECT_FALSE(sealed.meets(pair.target)) << name << " " << pair.id;
        }
    LeakCheck development;
    for (const SentencePair& pair : shipped("dev")) development.add(pair.target);
    for (const char* name : {"train", "hand_train"})
        for (const SentencePair& pair : shipped(name))
            EXPECT_FALSE(development.meets(pair.target)) << name << " " << pair.id;
}

TEST(ShippedPairs, OfSealedFilesAreDifferentSentences) {
    std::set<std::string> seen;
    for (const char* name : {"test", "known_errors", "correct", "hand_test"})
        for (const SentencePair& pair : shipped(name))
            EXPECT_TRUE(seen.insert(pair.target).second) << name << " " << pair.id;
}

}  // namespace
}  // namespace craft
