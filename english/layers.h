// The layers that spaCy's small models are made of, in 32-bit numbers on one core.
// Reference: thinc 8.3 (Maxout, LayerNorm, Linear).
#pragma once

#include <cstddef>
#include <vector>

namespace craft {

// out = x W^T + b. A row's result is the same bits whatever rows are computed beside it.
class AffineLayer {
public:
    AffineLayer() = default;
    // `weights` is [outputs, inputs] in C order, `bias` [outputs] or empty.
    AffineLayer(const std::vector<float>& weights, const std::vector<float>& bias, size_t outputs, size_t inputs);

    size_t inputs() const { return inputs_; }
    size_t outputs() const { return outputs_; }
    // `x` holds `rows` rows of inputs() numbers, `stride` numbers apart (less than inputs(): rows overlap); `out` [rows,
    // outputs()].
    void apply(const float* x, size_t rows, size_t stride, float* out) const;

private:
    size_t inputs_ = 0, outputs_ = 0;
    std::vector<float> panels_;  // [outputs / 16, inputs, 16]: columns that are summed up together lie together
    std::vector<float> bias_;    // filled up with zeros like the panels
};

// The largest of `pieces` affine maps, normalised: mean 0 and variance 1 over a row, then scaled and shifted.
class NormalisedMaxout {
public:
    // Tensors as thinc has them: weights [outputs, pieces, inputs], bias [outputs, pieces], scale and shift [outputs].
    NormalisedMaxout(const std::vector<float>& weights, const std::vector<float>& bias, const std::vector<float>& scale,
                     const std::vector<float>& shift, size_t pieces, size_t inputs);

    size_t inputs() const { return affine_.inputs(); }
    size_t outputs() const { return scale_.size(); }
    // As AffineLayer::apply().
    void apply(const float* x, size_t rows, size_t stride, float* out) const;

private:
    void normalise(float* row) const;
    AffineLayer affine_;  // all outputs of the first piece, then those of the second, ...
    size_t pieces_ = 0;
    std::vector<float> scale_, shift_;
};

// [outer, inner, size] to [inner, outer, size].
std::vector<float> swapped_axes(const std::vector<float>& values, size_t outer, size_t inner, size_t size);

}  // namespace craft
