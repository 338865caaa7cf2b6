#include "model/kernels/dropout.h"

#include <ATen/OpMathType.h>
#include <ATen/Parallel.h>
#include <torch/types.h>

#include <algorithm>

#include "model/kernels/cpu_kernels.h"
#include "model/kernels/cuda/ops.h"

namespace craft {

at::Tensor dropout_keys(const std::vector<DropoutRows>& rows, const at::Device& device) {
    std::vector<int64_t> keys;
    for (const DropoutRows& part : rows)
        for (int64_t i = 0; i < part.rows; ++i) keys.insert(keys.end(), {static_cast<int64_t>(part.seed), i});
    return at::tensor(keys, at::kLong).view({-1, 2}).to(device);
}

uint32_t dropped_words(double p) {
    return static_cast<uint32_t>(p * 4294967296.0);
}

at::Tensor dropped(const at::Tensor& given, double p, const at::Tensor& keys, uint64_t stream) {
    TORCH_CHECK(keys.dim() == 2 && keys.size(0) == given.size(0) && keys.is_contiguous(), "dropout: keys of ", keys.sizes(),
                " for ", given.sizes());
    TORCH_CHECK(p >= 0 && p < 1, "dropout: expected a probability in [0, 1), got ", p);
    if constexpr (cuda::kBuilt)
        if (cuda::applies(given)) return cuda::dropped(given, p, keys, stream);
    const at::Tensor x = given.to(at::kCPU).contiguous(), y = at::empty_like(x), own = keys.to(at::kCPU);
    const int64_t width = x.size(1), blocks = (width + 3) / 4;
    const uint32_t drops = dropped_words(p);
    const auto* const seed_and_row = own.const_data_ptr<int64_t>();
    AT_DISPATCH_FLOATING_TYPES_AND2(at::kBFloat16, at::kHalf, x.scalar_type(), "dropped", [&] {
        using Math = at::opmath_type<scalar_t>;
        const auto scale = static_cast<Math>(1 / (1 - p));
        const scalar_t* const from = x.const_data_ptr<scalar_t>();
        scalar_t* const to = y.data_ptr<scalar_t>();
        at::parallel_for(0, x.size(0), std::max<int64_t>(1, 32768 / std::max<int64_t>(1, width)),
                         [&](int64_t begin, int64_t end) {
                             std::vector<uint32_t> words(static_cast<size_t>(4 * blocks));
                             for (int64_t r = begin; r < end; ++r) {
                                 cpu_kernels().dropout_words(static_cast<uint64_t>(seed_and_row[2 * r]),
                                                             seed_and_row[2 * r + 1], stream, blocks, words.data());
                                 const scalar_t* const in = from + r * width;
                                 scalar_t* const out = to + r * width;
                                 for (int64_t i = 0; i < width; ++i) {
                                     const auto kept = static_cast<scalar_t>(static_cast<Math>(in[i]) * scale);
                                     out[i] = words[static_cast<size_t>(i)] < drops ? scalar_t(0) : kept;
                                 }
                             }
                         });
    });
    return y.to(given.device());
}

}  // namespace craft
