// Tests that run over every set of kernels that this processor has.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "core/rng.h"
#include "model/kernels/cpu_kernels.h"

namespace craft {

// Test names hold no addresses.
inline void PrintTo(const CpuKernels* set, std::ostream* out) {
    *out << set->name;
}

namespace test {

inline std::vector<float> noise(Rng& rng, int64_t n, double scale = 1) {
    std::vector<float> x;
    for (int64_t i = 0; i < n; ++i) x.push_back(static_cast<float>(scale * rng.normal()));
    return x;
}

inline std::string kernels_name(const testing::TestParamInfo<const CpuKernels*>& set) {
    return set.param->name;
}

}  // namespace test
}  // namespace craft
