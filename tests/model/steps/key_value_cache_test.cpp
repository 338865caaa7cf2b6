#include "model/steps/key_value_cache.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include "tests/model/decoder/small_decoder.h"

namespace craft {
namespace {

using Numbers = std::vector<int64_t>;

// Rows of 10 places: row 2's begin at 20, row 0's at 0, row 5's at 50. The tokens at positions 3, 0 and 9 see 4, 1 and 10
// keys, or within a window of 4 the last 4, 1 and 4 of them.
TEST(KeyValueCache, RangesOfKeysEndWithTheNewToken) {
    const Numbers rows = {2, 0, 5}, positions = {3, 0, 9};
    const KeyRanges all = key_ranges(rows, positions, 10, 0), near = key_ranges(rows, positions, 10, 4);
    EXPECT_EQ(all.starts, (Numbers{20, 0, 50}));
    EXPECT_EQ(all.counts, (Numbers{4, 1, 10}));
    EXPECT_EQ(near.starts, (Numbers{20, 0, 56}));
    EXPECT_EQ(near.counts, (Numbers{4, 1, 4}));
    EXPECT_EQ(key_ranges({1}, {3}, 10, 1).starts, (Numbers{13}));
}

// On the CPU masks say the same: a row of them has the range's keys, and no others.
TEST(KeyValueCache, MasksShowTheSameKeys) {
    DecoderConfig config = test::small_config();
    config.windows = {0, 4, 4};
    const KeyValueCache cache(config, 6, 10, at::kFloat, at::kCPU);
    for (const Numbers& rows : {Numbers{2, 3, 4}, Numbers{4, 2, 3}, Numbers{5, 0, 2}, Numbers{0, 5}}) {
        Numbers positions = {3, 0, 9};
        positions.resize(rows.size());
        const CacheStep step = cache.begin_step(rows, positions, rows);
        ASSERT_EQ(step.seen.size(), 2u);
        for (const auto& [window, seen] : step.seen) {
            const KeyRanges ranges = key_ranges(rows, positions, 10, window);
            const at::Tensor mask = step.slots.defined() ? seen.mask.index_select(0, step.slots) : seen.mask;
            ASSERT_EQ(mask.size(0), static_cast<int64_t>(rows.size()));
            for (size_t i = 0; i < rows.size(); ++i) {
                const at::Tensor keys = mask[static_cast<int64_t>(i)].flatten().nonzero().flatten();
                EXPECT_EQ(keys.numel(), ranges.counts[i]);
                EXPECT_EQ(keys[0].item<int64_t>(), ranges.starts[i] - rows[i] * 10);
            }
        }
    }
}

}  // namespace
}  // namespace craft
