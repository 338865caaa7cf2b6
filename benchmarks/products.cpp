// How fast generation's matrix products are on one core: every instruction set that this machine runs, on the shapes of a
// small decoder. ninja -C build/release bench_products && build/release/bench_products
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "core/rng.h"
#include "model/kernels/packed_weight.h"

namespace {

using Clock = std::chrono::steady_clock;

std::vector<float> noise(craft::Rng& rng, int64_t n) {
    std::vector<float> x;
    for (int64_t i = 0; i < n; ++i) x.push_back(static_cast<float>(rng.normal()));
    return x;
}

// The best of several turns, in 10^9 additions and multiplications a second.
double rate(const craft::CpuKernels& kernels, const craft::PackedWeight& weight, int64_t m) {
    craft::Rng rng(1, "activations");
    const std::vector<float> a = noise(rng, m * weight.columns);
    std::vector<float> c(static_cast<size_t>(m * weight.rows));
    const double work = 2.0 * static_cast<double>(m * weight.rows * weight.columns);
    const int repeats = std::max(1, static_cast<int>(2e8 / work));
    double best = 0;
    for (int turn = 0; turn < 9; ++turn) {
        const auto begin = Clock::now();
        for (int i = 0; i < repeats; ++i)
            kernels.product(a.data(), m, weight, c.data(), false, 0, craft::padded(weight.rows) / craft::kLanes);
        best = std::max(best, work * repeats / std::chrono::duration<double>(Clock::now() - begin).count() / 1e9);
    }
    return best;
}

}  // namespace

int main() {
    craft::Rng rng(1, "weights");
    for (const craft::CpuKernels* kernels : craft::usable_cpu_kernels())
        for (const auto& [features, inputs] :
             {std::pair<int64_t, int64_t>{512, 256}, {1408, 256}, {256, 704}, {4000, 256}}) {
            const std::vector<float> values = noise(rng, features * inputs);
            const craft::PackedWeight weight = craft::pack_weight(values.data(), features, inputs);
            for (const int64_t m : {1, 12, 96})
                std::printf("%s: [%ld, %ld] x [%ld, %ld]: %.1f GFLOP/s\n", kernels->name, m, inputs, inputs, features,
                            rate(*kernels, weight, m));
        }
    return 0;
}
