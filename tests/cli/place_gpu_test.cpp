// What opening a GPU sets, of which nothing is set where the CPU is asked for.
#include <ATen/Context.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <cstdlib>

#include "../model/gpu.h"
#include "cli/placement.h"
#include "core/error.h"

namespace craft::test {
namespace {

using PlaceGpu = Gpu;

TEST_F(PlaceGpu, AGpuIsOpenedAsAskedFor) {
    const bool was_set = std::getenv("PYTORCH_ALLOC_CONF") != nullptr;  // then it stays as it is
    CommonOptions options;
    options.device = is_rehearsal() ? "cpu" : "cuda";
    const Placement place = open_placement(options);
    EXPECT_EQ(place.device, device()) << "with its number";
    EXPECT_EQ(place.dtype, is_rehearsal() ? at::kFloat : at::kBFloat16);
    EXPECT_EQ(at::globalContext().userEnabledCuDNNSDP(), is_rehearsal());
    EXPECT_EQ(std::getenv("PYTORCH_ALLOC_CONF") != nullptr, was_set || !is_rehearsal());
    if (is_rehearsal()) return;
    EXPECT_EQ(c10::impl::VirtualGuardImpl(at::kCUDA).getDevice(), place.device);
    at::empty({1 << 20}, at::TensorOptions().device(place.device)).zero_().sum().item<float>();  // with the allocator so set
}

TEST_F(PlaceGpu, AGpuThatIsNotThereIsNamed) {
    CommonOptions options;
    options.device = "cuda:99";
    EXPECT_THROW(open_placement(options), UsageError);
}

}  // namespace
}  // namespace craft::test
