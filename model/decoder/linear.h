// Linear projections with LoRA: y = x W^T + b + scale * dropout(x) A^T B^T, several projections of one input in one product.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

#include "model/kernels/dropout.h"
#include "model/kernels/quantized_weight.h"

namespace craft {

// One projection inside a Linear: rows [first, first + rows) of its weight.
struct Projection {
    std::string name;  // "model.layers.0.self_attn.q_proj"
    int64_t first = 0, rows = 0;
    at::Tensor lora_a;  // [rank, in] float32 (float64 in a float64 model), undefined without an adapter
    at::Tensor lora_b;  // [rows, rank], as lora_a
    double lora_scale = 0;

    // scale * B A [rows, in], differentiable, in the adapter's dtype.
    at::Tensor lora_product() const;
};

struct Linear {
    at::Tensor weight;                       // [sum of rows, in]; undefined where `quantized` holds it
    std::vector<QuantizedWeight> quantized;  // empty, or one a projection
    at::Tensor bias;                         // [sum of rows], undefined where there is none
    std::vector<Projection> projections;
    double lora_dropout = 0;

    // x [tokens, in] -> [tokens, sum of rows], in x's dtype; differentiable in x, the weight (not a
    // quantised one), the bias and the adapter. A quantised weight is made float in x's dtype for the product, and again
    // for the gradient: nothing of its size is kept.
    // Dropout acts only where dropout_keys() of all rows of x are given; each projection has its own mask, as in PEFT.
    at::Tensor forward(const at::Tensor& x, const at::Tensor& dropout_keys = {}) const;
    int64_t columns() const { return quantized.empty() ? weight.size(1) : quantized.front().columns; }
    // The weight in `dtype` without adapters: a new tensor where it is quantised or of another dtype, else the weight
    // itself.
    at::Tensor base_weight(at::ScalarType dtype) const;
    // The weight with scale * B A added, detached, in `dtype`; sums are in float32 or wider.
    at::Tensor merged_weight(at::ScalarType dtype) const;
    at::Tensor merged_weight() const {
        return merged_weight(weight.defined() ? weight.scalar_type() : at::ScalarType::Float);
    }
};

}  // namespace craft
