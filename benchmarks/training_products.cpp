// Matrix products of training beside LibTorch's, in 10^9 additions and multiplications a second; best of up to 15 turns.
// ninja -C build/release bench_training_products && build/release/bench_training_products [THREADS=2] [2048: that shape
// alone]
#include <ATen/Parallel.h>
#include <torch/types.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "model/kernels/products.h"

namespace {

template <class F>
double rate(const F& f, double work) {
    double best = 0, spent = 0;
    // Without AVX-512 LibTorch multiplies bfloat16 number by number: one turn is enough to see that.
    for (int turn = 0; turn < 15 && spent < 2; ++turn) {
        const auto begin = std::chrono::steady_clock::now();
        f();
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        best = std::max(best, work / seconds / 1e9);
        spent += seconds;
    }
    return best;
}

}  // namespace

int main(int count, char** values) {
    at::set_num_threads(count > 1 ? std::atoi(values[1]) : 2);
    for (const auto dtype : {at::kFloat, at::kBFloat16})
        for (const auto& [m, k, n] : {std::tuple<int64_t, int64_t, int64_t>{2048, 2048, 2048},
                                      {1400, 512, 1024},
                                      {1400, 512, 2816},
                                      {1400, 1408, 512},
                                      {1400, 2816, 512},
                                      {1400, 512, 16},
                                      {1400, 512, 48},
                                      {1400, 16, 512},
                                      {16, 1400, 512},
                                      {512, 1400, 16},
                                      {400, 512, 32000},
                                      {200, 256, 128256},
                                      {1000, 256, 704}}) {
            if (count > 2 && m != std::atoi(values[2])) continue;
            const at::Tensor a = at::randn({m, k}).to(dtype), b = at::randn({k, n}).to(dtype),
                             w = at::randn({n, k}).to(dtype), at = at::randn({k, m}).to(dtype);
            const double work = 2.0 * static_cast<double>(m * k * n);
            std::printf(
                "%s [%ld, %ld] x [%ld, %ld]: ours %.0f, transposed right %.0f, transposed left %.0f; LibTorch %.0f %.0f "
                "%.0f\n",
                c10::toString(dtype), m, k, k, n, rate([&] { craft::product(a, b); }, work),
                rate([&] { craft::product(a, w.t()); }, work), rate([&] { craft::product(at.t(), b); }, work),
                rate([&] { at::mm(a, b); }, work), rate([&] { at::mm(a, w.t()); }, work),
                rate([&] { at::mm(at.t(), b); }, work));
        }
    return 0;
}
