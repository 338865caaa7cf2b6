#include "model/kernels/cpu_kernels.h"

#include <ATen/Version.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <type_traits>
#include <utility>

#include "core/error.h"
#include "model/kernels/bfloat16_products.h"
#include "model/kernels/cuda/bodies.h"
#include "model/kernels/instruction_set.h"
#ifdef __aarch64__
#include <arm_neon.h>
#endif

namespace craft {

namespace {

#ifdef __x86_64__
CRAFT_INSTRUCTIONS("avx512f,avx512dq,avx512vl,avx2,fma")
namespace avx512 {
constexpr int kWidth = 16, kRowBlock = 12, kPanels = 2, kDotRows = 4;
constexpr bool kTables = true;
#include "model/kernels/all_kernels.inc"
}  // namespace avx512
CRAFT_INSTRUCTIONS_END
CRAFT_INSTRUCTIONS("avx2,fma")
namespace avx2 {
constexpr int kWidth = 8, kRowBlock = 6, kPanels = 1, kDotRows = 2;
constexpr bool kTables = true;
#include "model/kernels/all_kernels.inc"
}  // namespace avx2
CRAFT_INSTRUCTIONS_END
#endif
#ifdef __aarch64__
namespace neon {  // which every such processor has, with 32 registers
constexpr int kWidth = 4, kRowBlock = 6, kPanels = 1, kDotRows = 4;
constexpr bool kTables = true;
#include "model/kernels/all_kernels.inc"
}  // namespace neon
#endif
namespace generic {
constexpr int kWidth = 4, kRowBlock = 2, kPanels = 1, kDotRows = 2;
constexpr bool kTables = false;
#include "model/kernels/all_kernels.inc"
}  // namespace generic

#define CRAFT_KERNELS(set)                                                                                                 \
    CpuKernels {                                                                                                           \
#set, VectorLevel::set, set::product, set::attend, set::rms_norm, set::swiglu, set::swiglu_backward,               \
            set::segment_forward, set::segment_backward, set::softmax_weights, set::score_gradients, set::exponentials,    \
            set::nf4_values, set::int8_values, set::bfloat16_values, set::add_dots, set::add_bfloat16_dots,                \
            set::add_int8_dots, set::add_nf4_dots, set::largest_magnitude, set::int8_codes, set::nf4_codes, set::multiply, \
            set::transpose, set::softmax_row, set::to_bfloat16, set::rms_normalise, set::scale_row, set::rms_backward,     \
            set::turn_head, set::dropout_words                                                                             \
    }

}  // namespace

void pack_panels(const float* rows, int64_t length, int64_t columns, float* panels) {
    for (int64_t first = 0; first < length; first += kLanes) {
        float* const panel = panels + first * columns;
        const int64_t count = std::min(kLanes, length - first);
        int64_t done = 0;
        if (count == kLanes)
            for (; done + kLanes <= columns; done += kLanes)
                cpu_kernels().transpose(rows + first * columns + done, columns, panel + done * kLanes);
        // By squares: rows are often a power of two apart, and a whole column of them does not fit into the cache's sets.
        for (int64_t begin = done; begin < columns; begin += kLanes) {
            const int64_t end = std::min(columns, begin + kLanes);
            for (int64_t r = 0; r < count; ++r)
                for (int64_t k = begin; k < end; ++k) panel[k * kLanes + r] = rows[(first + r) * columns + k];
            for (int64_t r = count; r < kLanes; ++r)
                for (int64_t k = begin; k < end; ++k) panel[k * kLanes + r] = 0;
        }
    }
}

std::vector<const CpuKernels*> usable_cpu_kernels() {
    std::vector<const CpuKernels*> usable;
#ifdef __x86_64__
    static const CpuKernels wide = CRAFT_KERNELS(avx512), middle = CRAFT_KERNELS(avx2);
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        usable.push_back(&wide);
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) usable.push_back(&middle);
#endif
#ifdef __aarch64__
    static const CpuKernels arm = CRAFT_KERNELS(neon);
    usable.push_back(&arm);
#endif
    static const CpuKernels plain = CRAFT_KERNELS(generic);
    usable.push_back(&plain);
    return usable;
}

const std::string& forced_cpu_kernels() {
    static const std::string forced = [] {
        const char* const asked = std::getenv("CRAFT_CPU_KERNELS");
        if (asked == nullptr || *asked == '\0') return std::string();
        std::string names;
        for (const CpuKernels* each : usable_cpu_kernels()) {
            if (each->level == VectorLevel::avx512 && processor_multiplies_bfloat16()) names = "avx512_bf16, ";
            names += std::string(each->name) + ", ";
        }
        names.resize(names.size() - 2);
        if ((", " + names + ",").find(", " + std::string(asked) + ",") == std::string::npos)
            throw UsageError("CRAFT_CPU_KERNELS: expected what this processor has (" + names + "), got " + asked);
        return std::string(asked);
    }();
    return forced;
}

VectorLevel vector_level() {
    static const VectorLevel level = [] {
        for (const CpuKernels* each : usable_cpu_kernels())
            if (forced_cpu_kernels().starts_with(each->name)) return each->level;  // avx512_bf16 is avx512 with more
#ifdef __aarch64__
        return VectorLevel::neon;
#else
        const std::string capability = at::get_cpu_capability();
        if (capability.starts_with("AVX512")) return VectorLevel::avx512;
        return capability == "AVX2" ? VectorLevel::avx2 : VectorLevel::generic;
#endif
    }();
    return level;
}

const CpuKernels& cpu_kernels() {
    static const CpuKernels& best = []() -> const CpuKernels& {
        const auto usable = usable_cpu_kernels();
        return **std::find_if(usable.begin(), usable.end(),
                              [](const CpuKernels* each) { return each->level <= vector_level(); });
    }();
    return best;
}

}  // namespace craft
