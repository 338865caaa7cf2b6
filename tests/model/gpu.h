// For *_gpu_test.cpp: tests that need a GPU, and say so where there is none. With CRAFT_GPU_TESTS_ON=cpu they run on the CPU
// instead, as a rehearsal: what they expect is then known to be right before a GPU is there (CTest's `gpu_scripts.1_check`).
#pragma once

#include <gtest/gtest.h>
#include <torch/types.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace craft::test {

// Whether the CPU plays the GPU's part.
inline bool is_rehearsal() {
    const char* const where = std::getenv("CRAFT_GPU_TESTS_ON");
    return where != nullptr && std::string(where) == "cpu";
}

class Gpu : public testing::Test {
protected:
    void SetUp() override {
        if (is_rehearsal()) return;
#ifndef CRAFT_CUDA
        GTEST_SKIP() << "built without CUDA: the preset cuda has the GPU's tests";
#endif
        if (!at::hasCUDA() || at::getNumGPUs() == 0) GTEST_SKIP() << "no GPU works here";
    }

    // Where the tests compute: the first GPU, or in a rehearsal the CPU.
    static at::Device device() {
        return is_rehearsal() ? at::Device(at::kCPU) : at::Device(at::kCUDA, 0);
    }

    // The same numbers on every machine, float64 on the CPU.
    static at::Tensor noise(std::vector<int64_t> shape, uint64_t seed) {
        return at::randn(shape, at::make_generator<at::CPUGeneratorImpl>(seed), at::kDouble);
    }
    // On the GPU, rounded to dtype; and the rounded numbers in float64 on the CPU.
    static at::Tensor on_gpu(const at::Tensor& x, at::ScalarType dtype) {
        return x.detach().to(dtype).to(device());
    }
    static at::Tensor rounded(const at::Tensor& x, at::ScalarType dtype) {
        return x.detach().to(dtype).to(at::kDouble);
    }

    // The largest difference, in units of the largest expected value (at least 1).
    static double apart(const at::Tensor& got, const at::Tensor& expected) {
        if (expected.numel() == 0) return got.numel() == 0 ? 0 : 1e30;
        const double scale = std::max(1.0, expected.abs().max().item<double>());
        return (got.detach().to(at::kCPU, at::kDouble) - expected).abs().max().item<double>() / scale;
    }
};

// What rounding of the result alone allows (bfloat16 keeps 8 bits; where a value is rounded twice, 2 of these), with sums of
// some thousand float32 terms.
inline double tolerance(at::ScalarType dtype) {
    return dtype == at::kFloat ? 2e-5 : 1.0 / 128;
}

constexpr at::ScalarType kGpuTypes[] = {at::kFloat, at::kBFloat16};

}  // namespace craft::test
