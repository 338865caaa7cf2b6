// What the device's memory is said to be.
#include "../model/gpu.h"
#include "model/weights/device_memory.h"
#include "train/memory_meter.h"

namespace craft::test {
namespace {

using MemoryGpu = Gpu;

// First in its process: the device may not have been used before.
TEST_F(MemoryGpu, FreeMemoryIsWhatTensorsMayTake) {
    const int64_t before = free_memory(device());
    EXPECT_GT(before, int64_t{64} << 20);
    if (is_rehearsal()) return;  // others use the CPU's memory, too
    constexpr int64_t kBytes = int64_t{256} << 20;
    {
        const at::Tensor held = at::empty({kBytes}, at::TensorOptions(at::kByte).device(device()));
        EXPECT_NEAR(static_cast<double>(before - free_memory(device())), static_cast<double>(kBytes), 64e6);
    }
    EXPECT_NEAR(static_cast<double>(before - free_memory(device())), 0, 64e6) << "what the allocator keeps is free";
}

TEST_F(MemoryGpu, TheMeterSeesTensorsComeAndGo) {
    const MemoryMeter memory(device());
    memory.give_back();
    memory.forget_peak();
    const int64_t before = memory.now();
    constexpr int64_t kBytes = int64_t{256} << 20;
    at::zeros({kBytes}, at::TensorOptions(at::kByte).device(device()));
    EXPECT_GE(memory.peak() - before, kBytes * 9 / 10);
    memory.give_back();
    EXPECT_LT(memory.now() - before, kBytes / 2);
}

}  // namespace
}  // namespace craft::test
