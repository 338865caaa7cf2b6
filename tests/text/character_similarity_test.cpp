#include "text/character_similarity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace craft {
namespace {

size_t plain_common_subsequence(const std::u32string& a, const std::u32string& b) {
    std::vector<size_t> row(b.size() + 1);
    for (const char32_t c : a) {
        size_t diagonal = 0;
        for (size_t j = 0; j < b.size(); ++j) {
            const size_t above = row[j + 1];
            row[j + 1] = c == b[j] ? diagonal + 1 : std::max(above, row[j]);
            diagonal = above;
        }
    }
    return row.back();
}

TEST(CharacterSimilarity, ByHand) {
    EXPECT_EQ(common_subsequence(U"kitten", U"sitting"), 4u);  // ittn
    EXPECT_DOUBLE_EQ(indel_similarity("kitten", "sitting"), 8.0 / 13);
    EXPECT_EQ(indel_similarity("", ""), 1.0);
    EXPECT_EQ(indel_similarity("", "a"), 0.0);
    EXPECT_EQ(indel_similarity("same", "same"), 1.0);
    EXPECT_DOUBLE_EQ(indel_similarity("naïve", "naive"), 0.8);  // code points: 2 * 4 / 10
}

// Against the plain recurrence, around the ends of blocks and with few letters, where carries run over many.
TEST(CharacterSimilarity, AgreesWithTheRecurrence) {
    std::mt19937 random(11);
    for (int round = 0; round < 300; ++round) {
        const size_t letters = 1 + random() % 5;
        const auto text = [&] {
            std::u32string made(random() % 200, U'a');
            for (char32_t& c : made) c += static_cast<char32_t>(random() % letters);
            return made;
        };
        const std::u32string a = text(), b = text();
        ASSERT_EQ(common_subsequence(a, b), plain_common_subsequence(a, b)) << round;
    }
}

}  // namespace
}  // namespace craft
