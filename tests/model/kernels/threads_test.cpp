// Loops of our own run in as many threads as LibTorch is given: built without OpenMP, they would run in one and say nothing.
#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <mutex>
#include <set>
#include <thread>

namespace craft {
namespace {

TEST(Threads, LoopsUseThemAll) {
    const int before = at::get_num_threads();
    at::set_num_threads(2);
    std::mutex mutex;
    std::set<std::thread::id> threads;
    at::parallel_for(0, 2, 1, [&](int64_t, int64_t) {
        const std::lock_guard lock(mutex);
        threads.insert(std::this_thread::get_id());
    });
    at::set_num_threads(before);
    EXPECT_EQ(threads.size(), 2u);
}

}  // namespace
}  // namespace craft
