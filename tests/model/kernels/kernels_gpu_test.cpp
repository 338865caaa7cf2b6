// The GPU's kernels in values and gradients against LibTorch's operations in float64 on the CPU, on the same rounded inputs.
// Shapes on both sides of what they care for: packs of 16 bytes, warps, blocks of 512 threads, more rows than one partial
// sum has.
#include <torch/autograd.h>

#include <array>

#include "model/kernels/cuda/ops.h"
#include "model/kernels/dropout.h"
#include "model/kernels/ops.h"
#include "model/kernels/quantizer.h"
#include "tests/model/gpu.h"

namespace craft::test {
namespace {

using KernelsGpu = Gpu;
using Shape = std::array<int64_t, 2>;

constexpr Shape kShapes[] = {{0, 8}, {1, 1}, {3, 7}, {5, 64}, {300, 40}, {2, 4096}, {3, 5003}, {70000, 8}};

TEST_F(KernelsGpu, RmsNorm) {
    for (const at::ScalarType dtype : kGpuTypes) {
        for (const auto& [rows, width] : kShapes) {
            for (const bool from_one : {false, true}) {
                const at::Tensor x = noise({rows, width}, 1), w = noise({width}, 2), dy = noise({rows, width}, 3);
                const at::Tensor ours = on_gpu(x, dtype).requires_grad_(true),
                                 weight = on_gpu(w, dtype).requires_grad_(true);
                const at::Tensor wide = rounded(x, dtype).requires_grad_(true),
                                 factor = rounded(w, dtype).requires_grad_(true);
                const at::Tensor y = rms_norm(ours, weight, 1e-5, from_one),
                                 expected = rms_norm(wide, factor, 1e-5, from_one);
                EXPECT_EQ(y.scalar_type(), dtype);
                y.backward(on_gpu(dy, dtype));
                expected.backward(rounded(dy, dtype));
                const std::string what = std::to_string(rows) + " x " + std::to_string(width);
                EXPECT_LT(apart(y, expected.detach()), 2 * tolerance(dtype)) << what;
                EXPECT_LT(apart(ours.grad(), wide.grad()), 2 * tolerance(dtype)) << what;
                EXPECT_LT(apart(weight.grad(), factor.grad()), 2 * tolerance(dtype)) << what;
            }
        }
    }
}

// As Qwen3 norms its heads: a view of some columns, three dimensions. With float32 weights whatever the rows are.
TEST_F(KernelsGpu, RmsNormOfHeads) {
    for (const at::ScalarType dtype : kGpuTypes) {
        const at::Tensor x = noise({9, 6, 16}, 1), w = noise({16}, 2);
        const at::Tensor ours = on_gpu(x, dtype).requires_grad_(true), wide = rounded(x, dtype).requires_grad_(true);
        const at::Tensor y = rms_norm(ours.narrow(1, 1, 4), on_gpu(w, at::kFloat), 1e-6);
        const at::Tensor expected = rms_norm(wide.narrow(1, 1, 4), rounded(w, at::kFloat), 1e-6);
        const at::Tensor dy = noise({9, 4, 16}, 3);
        y.backward(on_gpu(dy, dtype));
        expected.backward(rounded(dy, dtype));
        EXPECT_LT(apart(y, expected.detach()), 2 * tolerance(dtype));
        EXPECT_LT(apart(ours.grad(), wide.grad()), 2 * tolerance(dtype));
    }
}

TEST_F(KernelsGpu, Swiglu) {
    for (const at::ScalarType dtype : kGpuTypes) {
        for (const auto& [rows, width] : kShapes) {
            const at::Tensor gate_up = noise({rows, 2 * width}, 4) * 4, dy = noise({rows, width}, 5);
            const at::Tensor ours = on_gpu(gate_up, dtype).requires_grad_(true),
                             wide = rounded(gate_up, dtype).requires_grad_(true);
            const at::Tensor y = swiglu(ours), expected = swiglu(wide);
            y.backward(on_gpu(dy, dtype));
            expected.backward(rounded(dy, dtype));
            EXPECT_LT(apart(y, expected.detach()), tolerance(dtype)) << rows << " x " << width;
            EXPECT_LT(apart(ours.grad(), wide.grad()), tolerance(dtype)) << rows << " x " << width;
        }
    }
}

// Whole and partly turning heads, whose halves are and are not whole packs.
TEST_F(KernelsGpu, RotaryPositionsTurnAndTurnBack) {
    for (const at::ScalarType dtype : kGpuTypes) {
        for (const auto& [dim, half] : {Shape{64, 32}, {64, 16}, {80, 20}, {6, 3}, {128, 0}}) {
            const at::Tensor x = noise({130, 7, dim}, 6), angles = noise({130, half}, 7) * 3;
            const RotaryTable table{angles.cos().to(at::kFloat).to(device()), angles.sin().to(at::kFloat).to(device())};
            const at::Tensor wide = rounded(x, dtype), a = wide.narrow(2, 0, half), b = wide.narrow(2, half, half),
                             c = angles.cos().unsqueeze(1), s = angles.sin().unsqueeze(1);
            at::Tensor expected = wide.clone();
            expected.narrow(2, 0, half).narrow(1, 0, 5).copy_((a * c - b * s).narrow(1, 0, 5));
            expected.narrow(2, half, half).narrow(1, 0, 5).copy_((b * c + a * s).narrow(1, 0, 5));
            if constexpr (cuda::kBuilt) {
                const at::Tensor turned = cuda::turn_heads(on_gpu(x, dtype), table, 5, false);
                EXPECT_LT(apart(turned, expected), tolerance(dtype)) << dim << ", " << half;
                EXPECT_LT(apart(cuda::turn_heads(turned, table, 5, true), wide), 2 * tolerance(dtype))
                    << dim << ", " << half;
            }
        }
    }
}

TEST_F(KernelsGpu, CrossEntropy) {
    for (const auto& [rows, vocabulary] : {Shape{1, 1}, {4, 61}, {3, 32000}, {700, 130}, {2, 128257}}) {
        for (const double cap : {0.0, 30.0}) {
            const at::Tensor x = noise({rows, vocabulary}, 8) * 8, factors = noise({rows}, 9);
            const at::Tensor targets = at::arange(rows, at::kLong).mul(7919).remainder(vocabulary);
            const at::Tensor wide = rounded(x, at::kFloat).requires_grad_(true);
            const at::Tensor softmax = (cap > 0 ? (wide / cap).tanh() * cap : wide).log_softmax(-1);
            const at::Tensor expected = softmax.gather(1, targets.unsqueeze(1)).squeeze(1);
            expected.backward(factors);
            if constexpr (cuda::kBuilt) {
                const at::Tensor logits = on_gpu(x, at::kFloat), ids = targets.to(device());
                const cuda::ChunkEntropy got = cuda::cross_entropy(logits, ids, cap, /*with_statistics=*/true);
                EXPECT_LT(apart(got.logprobs, expected.detach()), tolerance(at::kFloat)) << vocabulary;
                EXPECT_LT(apart(got.entropy, -(softmax.exp() * softmax).sum(-1).detach()), tolerance(at::kFloat))
                    << vocabulary;
                EXPECT_TRUE(at::equal(got.best.cpu(), x.to(at::kFloat).argmax(-1))) << vocabulary;
                for (const at::ScalarType dtype : {at::kBFloat16, at::kFloat}) {  // float32 last: it takes the logits' place
                    const at::Tensor d =
                        cuda::cross_entropy_backward(logits, ids, got.lse, cap, factors.to(device()), dtype);
                    EXPECT_EQ(d.scalar_type(), dtype);
                    EXPECT_LT(apart(d, wide.grad()), tolerance(dtype)) << vocabulary;
                }
                EXPECT_LT(apart(logits, wide.grad()), tolerance(at::kFloat));
            }
        }
    }
}

// To the last bit those of the CPU, in whole matrices and in rows of a larger one.
TEST_F(KernelsGpu, WeightsInFewBits) {
    for (const auto& [rows, columns] : {Shape{5, 24}, {3, 7}, {1, 1}, {300, 96}, {64, 4096}, {2, 20000}}) {
        for (const Quantization kind : {Quantization::int8, Quantization::nf4}) {
            QuantizedWeight q = quantize(noise({rows, columns}, 10).to(at::kFloat), kind, "w");
            for (const bool nested : {true, false}) {
                if (!nested && kind == Quantization::nf4) {
                    q.scales = q.block_scales();
                    q.nested_scales = q.nested_map = at::Tensor();
                }
                const QuantizedWeight ours = q.to(device());
                for (const at::ScalarType dtype : kGpuTypes) {
                    const at::Tensor expected = q.values(dtype);
                    EXPECT_TRUE(at::equal(ours.values(dtype).cpu(), expected)) << rows << " x " << columns;
                    const at::Tensor wide = at::zeros({rows, columns + 8}, expected.options().device(device()));
                    ours.write_values(wide.narrow(1, 0, columns));
                    EXPECT_TRUE(at::equal(wide.narrow(1, 0, columns).cpu(), expected)) << rows << " x " << columns;
                    EXPECT_EQ(wide.narrow(1, columns, 8).abs().max().item<double>(), 0);
                }
            }
        }
    }
}

// The same bits as on the CPU, whatever the packs: masks are a function of their place, and one product is rounded once.
TEST_F(KernelsGpu, DropoutIsThatOfTheCpu) {
    for (const at::ScalarType dtype : kGpuTypes) {
        for (const auto& [rows, width] : kShapes) {
            const at::Tensor x = noise({rows, width}, 10).to(dtype);
            const std::vector<DropoutRows> parts = {{rows / 3, 7}, {rows - rows / 3, ~uint64_t{0}}};
            const at::Tensor got = dropped(x.to(device()), 0.3, dropout_keys(parts, device()), 99);
            EXPECT_EQ(got.device(), device());
            EXPECT_TRUE(at::equal(got.cpu(), dropped(x, 0.3, dropout_keys(parts, at::kCPU), 99))) << rows << " x " << width;
        }
    }
}

}  // namespace
}  // namespace craft::test
