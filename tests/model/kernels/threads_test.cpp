// Loops of our own run in as many threads as LibTorch is given: built without OpenMP, they would run in one and say nothing.
#include "model/kernels/threads.h"

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

TEST(Threads, AreAsManyAsOthersLeaveCores) {
    EXPECT_EQ(threads_beside(0, 2, 2), 2);
    EXPECT_EQ(threads_beside(0.4, 2, 2), 2) << "a light neighbour costs less than a core";
    EXPECT_EQ(threads_beside(0.67, 2, 2), 1) << "what a busy process gets beside two threads of ours";
    EXPECT_EQ(threads_beside(1, 2, 2), 1);
    EXPECT_EQ(threads_beside(2, 2, 2), 1) << "never none";
    EXPECT_EQ(threads_beside(5.2, 16, 16), 11);
    EXPECT_EQ(threads_beside(5.2, 16, 8), 8) << "no more than are asked for";
}

}  // namespace
}  // namespace craft
