#include "metrics/common_subsequence.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/rng.h"

namespace craft {
namespace {

using Ids = std::vector<uint32_t>;

// The table of lengths, and the way back through it that rouge-score goes.
struct Table {
    Table(const Ids& a, const Ids& b)
        : lengths(a.size() + 1, std::vector<int64_t>(b.size() + 1, 0)), marks(a.size(), false) {
        for (size_t i = 1; i <= a.size(); ++i)
            for (size_t j = 1; j <= b.size(); ++j)
                lengths[i][j] =
                    a[i - 1] == b[j - 1] ? lengths[i - 1][j - 1] + 1 : std::max(lengths[i - 1][j], lengths[i][j - 1]);
        for (size_t i = a.size(), j = b.size(); i > 0 && j > 0;) {
            if (a[i - 1] == b[j - 1]) {
                marks[--i] = true;
                --j;
            } else if (lengths[i][j - 1] > lengths[i - 1][j]) {
                --j;
            } else {
                --i;
            }
        }
    }
    std::vector<std::vector<int64_t>> lengths;
    std::vector<bool> marks;
};

Ids random_ids(Rng& rng, size_t length, uint64_t types) {
    Ids ids(length);
    for (uint32_t& id : ids) id = static_cast<uint32_t>(rng.below(types));
    return ids;
}

TEST(CommonSubsequence, EqualsTheTable) {
    Rng rng(5, "common subsequence");
    for (const uint64_t types : {1, 2, 5, 40}) {
        CommonSubsequence common(types);
        for (int round = 0; round < 60; ++round) {
            const Ids a = random_ids(rng, rng.below(200), types), b = random_ids(rng, rng.below(200), types);
            const Table table(a, b);
            common.set(a);
            EXPECT_EQ(common.length(b), table.lengths.back().back());
            std::vector<bool> marks(a.size(), false);
            common.mark(b, marks);
            EXPECT_EQ(marks, table.marks);
        }
    }
}

// 3,000 words against 60,000: 47 words of bits a row, more rows than are kept at once.
TEST(CommonSubsequence, LongTextsInBlocks) {
    Rng rng(6, "common subsequence");
    const Ids a = random_ids(rng, 3000, 50), b = random_ids(rng, 60000, 50);
    CommonSubsequence common(50);
    common.set(a);
    std::vector<bool> marks(a.size(), false);
    common.mark(b, marks);
    EXPECT_EQ(std::count(marks.begin(), marks.end(), true), common.length(b));
    EXPECT_EQ(common.length(a), 3000);
}

TEST(CommonSubsequence, NothingInCommon) {
    CommonSubsequence common(4);
    const Ids a{0, 1}, b{2, 3};
    common.set(a);
    EXPECT_EQ(common.length(b), 0);
    EXPECT_EQ(common.length({}), 0);
    std::vector<bool> marks(2, false);
    common.mark(b, marks);
    EXPECT_EQ(marks, std::vector<bool>(2, false));
    common.set({});
    EXPECT_EQ(common.length(a), 0);
}

}  // namespace
}  // namespace craft
