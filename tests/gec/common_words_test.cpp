#include "gec/common_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/rng.h"

namespace craft {
namespace {

using testing::ElementsAre;
using Words = std::vector<std::string_view>;

size_t longest(const Words& a, const Words& b) {
    std::vector<std::vector<size_t>> length(a.size() + 1, std::vector<size_t>(b.size() + 1, 0));
    for (size_t i = 1; i <= a.size(); ++i)
        for (size_t j = 1; j <= b.size(); ++j)
            length[i][j] = a[i - 1] == b[j - 1] ? length[i - 1][j - 1] + 1 : std::max(length[i - 1][j], length[i][j - 1]);
    return length[a.size()][b.size()];
}

TEST(CommonWords, AreALongestCommonSubsequence) {
    const Words letters = {"a", "b", "c", "d"};
    for (uint64_t i = 0; i < 3000; ++i) {
        Rng rng(3, "common", i);
        Words a, b;
        for (uint64_t n = rng.below(12); n > 0; --n) a.push_back(rng.pick(letters));
        for (uint64_t n = rng.below(12); n > 0; --n) b.push_back(rng.pick(letters));
        const auto places = common_words(a, b);
        ASSERT_EQ(places.size(), longest(a, b));
        for (size_t k = 0; k < places.size(); ++k) {
            ASSERT_EQ(a[places[k].first], b[places[k].second]);
            ASSERT_TRUE(k == 0 || (places[k].first > places[k - 1].first && places[k].second > places[k - 1].second));
        }
    }
}

TEST(CommonWords, OfTextsThatAreTooFarApartAreBothEnds) {
    Words a = {"begin"}, b = {"begin"};
    a.insert(a.end(), kMaxWordDifferences, "x");
    b.insert(b.end(), kMaxWordDifferences, "y");
    a.push_back("end");
    b.push_back("end");
    EXPECT_THAT(common_words(a, b), ElementsAre(testing::Pair(0, 0), testing::Pair(a.size() - 1, b.size() - 1)));
}

TEST(ChangedWordsOf, MovesAreOneRegionAndRegionsAreCut) {
    EXPECT_THAT(changed_regions({"always", "I", "go"}, {"I", "always", "go"}), ElementsAre(ChangedWords{0, 2, 0, 2, true}));
    EXPECT_THAT(changed_regions({"is", "agree"}, {"agrees"}), ElementsAre(ChangedWords{0, 2, 0, 1}));
    EXPECT_THAT(changed_words({"is", "agree"}, {"agrees"}), ElementsAre(ChangedWords{0, 1, 0, 0}, ChangedWords{1, 2, 0, 1}));
    EXPECT_THAT(changed_words({"every", "day"}, {"everyday"}), ElementsAre(ChangedWords{0, 2, 0, 1}));
}

}  // namespace
}  // namespace craft
