#include "model/weights/device_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include "core/error.h"
#include "core/machine.h"
#include "core/process_memory.h"

namespace craft {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::ThrowsMessage;

MemoryNeed need_of(int64_t weights, int64_t besides = 0) {
    return {.weights = weights, .form = "bfloat16", .besides = besides, .purpose = "gradients", .hint = "less"};
}

TEST(ExpectMemory, WarnsOfWhatIsNotFreeAndRefusesWhatCannotBe) {
    const Machine machine = this_machine();
    ASSERT_GT(machine.free_memory_bytes, 0);
    const auto said = [](const MemoryNeed& need) {
        testing::internal::CaptureStderr();
        expect_memory("m", need, at::kCPU);
        return testing::internal::GetCapturedStderr();
    };
    EXPECT_EQ(said(need_of(machine.free_memory_bytes / 2)), "");
    // What is in use now may go; what this process holds does not.
    const int64_t most = machine.memory_bytes - private_memory_bytes() - (int64_t{64} << 20);
    EXPECT_THAT(said(need_of(most)),
                MatchesRegex("warning: m: its weights take [0-9.]+ GB of memory in bfloat16; [0-9.]+ GB are free\n"));
    EXPECT_THAT(said(need_of(most / 2, most / 2)), HasSubstr(" of memory in bfloat16, and gradients "));
    EXPECT_THAT([&] { expect_memory("m", need_of(machine.memory_bytes), at::kCPU); },
                ThrowsMessage<Error>(HasSubstr(" GB in this machine, of which this process holds ")));
    EXPECT_THAT([&] { expect_memory("m", need_of(machine.memory_bytes + 1), at::kCPU); },
                ThrowsMessage<Error>(MatchesRegex("m: expected memory for [0-9.]+ GB of weights in bfloat16, got [0-9.]+ GB "
                                                  "in this machine \\(less\\)")));
}

TEST(RefuseBeyondMemory, CountsWhatComputingTakes) {
    const int64_t memory = this_machine().memory_bytes;
    refuse_beyond_memory("m", need_of(memory / 2, memory / 2), at::kCPU);
    EXPECT_THAT([&] { refuse_beyond_memory("m", need_of(memory / 2, memory / 2 + 2), at::kCPU); },
                ThrowsMessage<Error>(HasSubstr(" of weights in bfloat16 and ")));
}

}  // namespace
}  // namespace craft
