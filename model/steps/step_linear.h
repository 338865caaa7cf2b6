// A linear projection in generation on the CPU: activations and sums in float32, the weight as it is held.
#pragma once

#include <cstdint>
#include <vector>

#include "model/decoder/linear.h"
#include "model/kernels/packed_weight.h"
#include "model/kernels/weight_dots.h"

namespace craft {

std::vector<float> floats(const at::Tensor& tensor);  // its values in row order, on the CPU

// A weight in floats whose rows are read where they lie: float32 or bfloat16 on the CPU; another dtype or device is copied.
QuantizedWeight rows_in_memory(const at::Tensor& weight);

// float32 weights are packed for the kernels, with the adapter added: a copy, unless the weight was moved in as the last
// holder of its memory. bfloat16 and quantised ones are read row by row where they lie, nothing of their size is copied; the
// adapter stays beside them. Widened ones of bfloat16 are packed as float32, too.
class StepLinear {
public:
    StepLinear() = default;
    explicit StepLinear(Linear linear, bool widened = false);
    // [rows, columns]; the adapter's lora_a may be undefined
    StepLinear(at::Tensor weight, const Projection& adapter, bool widened = false);

    // c [m, rows] (+)= a [m, columns] W^T, over the threads by output features. A row's bits do not depend on the others.
    void product(const std::vector<float>& a, int64_t m, std::vector<float>& c, bool add) const;
    int64_t rows() const { return rows_; }

private:
    void set_adapters(const std::vector<Projection>& projections);
    void add_narrow(const std::vector<float>& a, int64_t m, std::vector<float>& c) const;

    int64_t rows_ = 0;
    PackedWeight packed_;            // empty where `parts_` hold the weight
    std::vector<WeightDots> parts_;  // below each other
    PackedWeight adapters_in_,
        adapters_out_;  // beside parts: all A below each other; scale * B, each in its own rows and columns
};

}  // namespace craft
