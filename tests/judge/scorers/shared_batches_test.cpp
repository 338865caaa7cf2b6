#include "judge/scorers/shared_batches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>
#include <utility>

#include "core/error.h"
#include "tests/core/thread_ranks.h"

namespace craft {
namespace {

using testing::ElementsAre;
using Batch = std::pair<size_t, size_t>;

// Two numbers of each item: which it is, and how large its batch is.
std::vector<double> numbers_of(size_t begin, size_t end) {
    std::vector<double> numbers;
    for (size_t i = begin; i < end; ++i)
        numbers.insert(numbers.end(), {static_cast<double>(i), 1. / static_cast<double>(end - begin)});
    return numbers;
}

TEST(SharedBatches, AreTheSameInAnyNumberOfRanks) {
    for (const int size : {1, 2, 3}) {
        std::mutex mutex;
        std::vector<std::vector<Batch>> computed(3);
        const auto thrown = test::ThreadRanks::run(size, [&](Ranks& ranks) {
            const SharedBatches items{
                .doing = "", .unit = "", .sizes = {2, 3, 9, 1, 1, 1, 4}, .batch_tokens = 5, .width = 2, .ranks = ranks};
            const std::vector<double> all = in_shared_batches(items, [&](size_t begin, size_t end) {
                const std::lock_guard lock(mutex);
                computed[static_cast<size_t>(ranks.rank())].emplace_back(begin, end);
                return numbers_of(begin, end);
            });
            // The largest item has 9 tokens, so that batches have up to 9.
            EXPECT_THAT(all, ElementsAre(0, .5, 1, .5, 2, 1, 3, .25, 4, .25, 5, .25, 6, .25)) << ranks.rank();
        });
        EXPECT_THAT(thrown, testing::Each(""));
        const std::vector<Batch> batches = {{0, 2}, {2, 3}, {3, 7}};
        for (size_t i = 0; i < batches.size(); ++i)
            EXPECT_THAT(computed[i % static_cast<size_t>(size)], testing::Contains(batches[i])) << i << " of " << size;
    }
}

TEST(SharedBatches, SayWhatIsWrong) {
    const SharedBatches items{.doing = "", .unit = "", .sizes = {2, 3}, .batch_tokens = 5};
    EXPECT_THROW(in_shared_batches(items, [](size_t, size_t) { return std::vector<double>{1}; }), Error);
    EXPECT_TRUE(in_shared_batches({.doing = "", .unit = "", .sizes = {}}, numbers_of).empty());
    const auto thrown = test::ThreadRanks::run(2, [&](Ranks& ranks) {
        in_shared_batches({.doing = "", .unit = "", .sizes = {2, 3}, .batch_tokens = 3, .ranks = ranks},
                          [&](size_t begin, size_t) -> std::vector<double> {
                              if (begin == 1) throw Error("no model");
                              return {1};
                          });
    });
    EXPECT_THAT(thrown, ElementsAre("rank lost", "no model"));
}

}  // namespace
}  // namespace craft
