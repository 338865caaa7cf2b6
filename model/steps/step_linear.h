// A linear projection in generation on the CPU: float32 in and out, float32 sums.
#pragma once

#include <cstdint>
#include <vector>

#include "model/decoder/linear.h"
#include "model/kernels/code_panels.h"
#include "model/kernels/packed_weight.h"
#include "model/kernels/weight_dots.h"

namespace craft {

std::vector<float> floats(const at::Tensor& tensor);  // its values in row order, on the CPU

// A weight in floats whose rows are read where they lie: float32 or bfloat16 on the CPU; another dtype or device is copied.
QuantizedWeight rows_in_memory(const at::Tensor& weight);

// float32 weights are packed for the kernels, with the adapter added: a copy, unless the weight was moved in as the last
// holder of its memory. bfloat16 and quantised ones are read row by row where they lie, nothing of their size is copied; the
// adapter stays beside them. A bfloat16 weight that may be copied is packed: where the processor multiplies bfloat16, as it
// is, with its adapter beside it, and activations are rounded to bfloat16 on their way into a product, as in training;
// elsewhere as float32, with the adapter added. Codes that pack_codes() takes are packed, too, where they may be copied and
// `rounds` says that activations are rounded: that of a decoder in bfloat16.
class StepLinear {
public:
    StepLinear() = default;
    explicit StepLinear(Linear linear, bool may_copy = false, bool rounds = false);
    // [rows, columns]; the adapter's lora_a may be undefined
    StepLinear(at::Tensor weight, const Projection& adapter, bool may_copy = false);

    // c [m, rows] (+)= a [m, columns] W^T, over the threads by output features. A row's bits do not depend on the others.
    void product(const std::vector<float>& a, int64_t m, std::vector<float>& c, bool add) const;
    int64_t rows() const { return rows_; }

private:
    // B of an adapter, scaled, in its own rows of the whole.
    struct NarrowAdapter {
        int64_t first;
        PackedBfloat16 out;
    };
    void set_adapters(const std::vector<Projection>& projections);
    void set_narrow_adapters(const std::vector<Projection>& projections);
    void add_rounded(const std::vector<float>& a, int64_t m, std::vector<float>& c, bool add) const;
    void add_narrow_adapters(const std::vector<uint16_t>& x, int64_t m, std::vector<float>& c) const;
    void add_narrow(const std::vector<float>& a, int64_t m, std::vector<float>& c) const;

    int64_t rows_ = 0, columns_ = 0;
    PackedWeight packed_;                // empty where one of the next three holds the weight
    std::vector<WeightDots> parts_;      // below each other
    std::vector<CodePanels> codes_;      // likewise
    PackedBfloat16 narrow_, narrow_in_;  // all A below each other, each from an even row on
    std::vector<NarrowAdapter> narrow_out_;
    PackedWeight adapters_in_,
        adapters_out_;  // beside parts: all A below each other; scale * B, each in its own rows and columns
};

}  // namespace craft
