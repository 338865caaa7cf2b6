#include "metrics/edits/character_distance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "core/error.h"

namespace craft {
namespace {

// Both distances by the table of the textbook.
size_t table_distance(const std::u32string& a, const std::u32string& b, size_t substitution) {
    std::vector<size_t> row(b.size() + 1);
    for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (size_t i = 1; i <= a.size(); ++i) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b.size(); ++j) {
            const size_t best = std::min({diagonal + (a[i - 1] == b[j - 1] ? 0 : substitution), row[j] + 1, row[j - 1] + 1});
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row.back();
}

TEST(CharacterDistance, OfWords) {
    EXPECT_DOUBLE_EQ(normalized_indel_distance(U"form", U"from"), 2.0 / 8);  // o goes and comes back
    EXPECT_DOUBLE_EQ(levenshtein_similarity(U"form", U"from"), 0.5);         // two substitutions of four letters
    EXPECT_EQ(levenshtein_similarity(U"house", U"hose"), 0.8);
    EXPECT_EQ(normalized_indel_distance(U"", U""), 0);
    EXPECT_EQ(normalized_indel_distance(U"", U"ab"), 1);
    EXPECT_EQ(levenshtein_similarity(U"", U""), 1);
    EXPECT_EQ(levenshtein_similarity(U"", U"ab"), 0);
}

TEST(CharacterDistance, AgreesWithTheTableAlsoBeyondAWordOf64) {
    std::mt19937 random(7);
    for (const size_t longest : {10u, 64u, 65u, 200u}) {
        for (int round = 0; round < 40; ++round) {
            std::u32string a(random() % (longest + 1), U' '), b(random() % (longest + 1), U' ');
            for (char32_t& c : a) c = U'a' + random() % 4;
            for (char32_t& c : b) c = U'a' + random() % 4;
            const size_t sum = a.size() + b.size(), most = std::max(a.size(), b.size());
            if (sum == 0) continue;
            EXPECT_EQ(normalized_indel_distance(a, b),
                      static_cast<double>(table_distance(a, b, 2)) / static_cast<double>(sum));
            EXPECT_EQ(levenshtein_similarity(a, b),
                      1.0 - static_cast<double>(table_distance(a, b, 1)) / static_cast<double>(most));
        }
    }
}

// A megabyte that differs in one place costs nothing; one that differs throughout is an error.
TEST(CharacterDistance, OfLongTokens) {
    std::u32string a(1000000, U'a'), b = a;
    b[700000] = U'b';
    EXPECT_DOUBLE_EQ(normalized_indel_distance(a, b), 1e-6);
    EXPECT_DOUBLE_EQ(levenshtein_similarity(a, b), 1 - 1e-6);
    b.assign(b.size(), U'b');
    EXPECT_THROW(levenshtein_similarity(a, b), Error);
    EXPECT_THROW(normalized_indel_distance(a, b), Error);
}

}  // namespace
}  // namespace craft
