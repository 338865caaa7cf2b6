#include "model/kernels/quantized_weight.h"

#include <ATen/Parallel.h>
#include <torch/types.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/error.h"
#include "model/kernels/cpu_kernels.h"
#include "model/kernels/cuda/ops.h"
#include "model/kernels/nested_scales.h"

namespace craft {

const std::array<float, 16> kNf4Values = {
    -1.0F,
    -0.6961928009986877F,
    -0.5250730514526367F,
    -0.39491748809814453F,
    -0.28444138169288635F,
    -0.18477343022823334F,
    -0.09105003625154495F,
    0.0F,
    0.07958029955625534F,
    0.16093020141124725F,
    0.24611230194568634F,
    0.33791524171829224F,
    0.44070982933044434F,
    0.5626170039176941F,
    0.7229568362236023F,
    1.0F,
};

namespace {

int64_t bytes_of(const at::Tensor& tensor) {
    return tensor.defined() ? static_cast<int64_t>(tensor.nbytes()) : 0;
}

// One scale for each element of `values`, in blocks.
at::Tensor by_blocks(const at::Tensor& values, const at::Tensor& scales, int64_t block) {
    const int64_t count = values.numel(), missing = scales.numel() * block - count;
    const at::Tensor whole = missing == 0 ? values : at::cat({values, at::zeros({missing}, values.options())});
    return (whole.view({-1, block}) * scales.unsqueeze(1)).view({-1}).narrow(0, 0, count);
}

}  // namespace

const char* name_of(Quantization kind) {
    switch (kind) {
        case Quantization::none:
            return "none";
        case Quantization::int8:
            return "int8";
        case Quantization::nf4:
            return "nf4";
        case Quantization::blocks:
            return "blocks";
    }
    return "none";
}

int64_t QuantizedWeight::bytes() const {
    return bytes_of(codes) + bytes_of(scales) + bytes_of(nested_scales) + bytes_of(nested_map);
}

at::Tensor QuantizedWeight::block_scales() const {
    if (!is_nested()) return scales;
    return by_blocks(nested_map.index_select(0, scales.to(at::kInt)), nested_scales, nested_block) + offset;
}

at::Tensor QuantizedWeight::composed_values(at::ScalarType dtype) const {
    const at::NoGradGuard no_gradients;
    if (kind == Quantization::none) return codes.to(dtype);
    if (kind == Quantization::int8) return (codes.to(at::kFloat) * scales.unsqueeze(1)).to(dtype);
    if (kind == Quantization::blocks) {
        const at::Tensor out = at::empty({rows, columns}, at::kFloat);
        dequantise(type, {static_cast<const char*>(codes.const_data_ptr()), codes.nbytes()}, out.mutable_data_ptr<float>());
        return out.to(dtype);
    }
    const at::Tensor map = at::tensor(at::ArrayRef<float>(kNf4Values)).to(codes.device());
    const at::Tensor indices = at::stack({codes.bitwise_right_shift(4), codes.bitwise_and(15)}, 1).view({-1}).to(at::kInt);
    const at::Tensor values = map.index_select(0, indices).narrow(0, 0, rows * columns);
    return by_blocks(values, block_scales(), block).view({rows, columns}).to(dtype);
}

void QuantizedWeight::write_values(const at::Tensor& to) const {
    const at::NoGradGuard no_gradients;
    if constexpr (cuda::kBuilt)
        if (kind != Quantization::none && cuda::applies(to) && to.stride(1) == 1) return cuda::few_bits_values(*this, to);
    if (kind == Quantization::none || !codes.is_cpu()) {
        to.copy_(composed_values(to.scalar_type()));
        return;
    }
    const WeightRows reader(*this);
    const int64_t grain = std::max<int64_t>(1, 65536 / std::max<int64_t>(1, columns));
    at::parallel_for(0, rows, grain, [&](int64_t begin, int64_t end) {
        const bool direct = to.scalar_type() == at::kFloat && to.stride(1) == 1;
        std::vector<float> row(static_cast<size_t>(direct ? 0 : columns));
        for (int64_t r = begin; r < end; ++r) {
            float* const out = direct ? to.mutable_data_ptr<float>() + r * to.stride(0) : row.data();
            reader.read(r, 0, columns, out);
            if (!direct) to.select(0, r).copy_(at::from_blob(out, {columns}, at::kFloat));
        }
    });
}

at::Tensor QuantizedWeight::values(at::ScalarType dtype) const {
    at::Tensor out = at::empty({rows, columns}, codes.options().dtype(dtype));
    write_values(out);
    return out;
}

QuantizedWeight QuantizedWeight::to(const at::Device& device) const {
    QuantizedWeight moved = *this;
    for (at::Tensor* tensor : {&moved.codes, &moved.scales, &moved.nested_scales, &moved.nested_map})
        if (tensor->defined()) *tensor = tensor->to(device);
    return moved;
}

WeightRows::WeightRows(const QuantizedWeight& weight)
    : kept_{weight.codes, weight.scales, weight.nested_scales, weight.nested_map},
      kind_(weight.kind),
      rows_(weight.rows),
      columns_(weight.columns),
      block_(weight.block),
      nested_block_(weight.nested_block),
      offset_(weight.offset),
      type_(weight.type) {
    const at::Tensor& codes = weight.codes;
    if (!codes.is_cpu() || !codes.is_contiguous())
        throw Error("rows of a weight", "a contiguous tensor on the CPU", codes.device().str());
    if (kind_ == Quantization::none) {
        if (codes.scalar_type() == at::kFloat)
            floats_ = codes.const_data_ptr<float>();
        else if (codes.scalar_type() == at::kBFloat16)
            bfloats_ = static_cast<const uint16_t*>(codes.const_data_ptr());
        else
            throw Error("rows of a weight", "float32 or bfloat16", c10::toString(codes.scalar_type()));
        return;
    }
    bytes_ = static_cast<const uint8_t*>(codes.const_data_ptr());
    if (kind_ == Quantization::blocks) {
        row_bytes_ = codes.size(1);
    } else if (weight.is_nested()) {
        nested_codes_ = weight.scales.const_data_ptr<uint8_t>();
        nested_scales_ = weight.nested_scales.const_data_ptr<float>();
        nested_map_ = weight.nested_map.const_data_ptr<float>();
    } else {
        scales_ = weight.scales.const_data_ptr<float>();
    }
}

void WeightRows::block_scales(int64_t first, int64_t count, float* out) const {
    NestedScales{nested_codes_, nested_scales_, nested_map_, nested_block_, offset_}.read(first, count, out);
}

void WeightRows::read_blocks(int64_t row, int64_t first, int64_t count, float* out) const {
    const GgufTypeInfo& info = info_of(type_);
    const auto values = static_cast<int64_t>(info.values), bytes = static_cast<int64_t>(info.bytes);
    const auto* const begin = reinterpret_cast<const char*>(bytes_ + row * row_bytes_);
    const auto blocks = [&](int64_t from, int64_t number, float* to) {
        dequantise(type_, {begin + from * bytes, static_cast<size_t>(number * bytes)}, to);
    };
    if (first % values == 0 && count % values == 0) return blocks(first / values, count / values, out);
    const int64_t from = first / values, to = (first + count + values - 1) / values;
    std::vector<float> whole(static_cast<size_t>((to - from) * values));
    blocks(from, to - from, whole.data());
    std::copy_n(whole.data() + (first - from * values), count, out);
}

void WeightRows::read(int64_t row, int64_t first, int64_t count, float* out) const {
    const int64_t begin = row * columns_ + first;
    if (floats_ != nullptr) {
        std::memcpy(out, floats_ + begin, static_cast<size_t>(count) * sizeof(float));
    } else if (bfloats_ != nullptr) {
        cpu_kernels().bfloat16_values(bfloats_ + begin, count, out);
    } else if (kind_ == Quantization::blocks) {
        read_blocks(row, first, count, out);
    } else if (kind_ == Quantization::int8) {
        cpu_kernels().int8_values(reinterpret_cast<const int8_t*>(bytes_) + begin, scales_[row], count, out);
    } else {
        const Nf4Codes codes{bytes_, kNf4Values.data(), block_};
        constexpr int64_t kScales = 64;
        float scales[kScales];
        for (int64_t at = begin; at < begin + count;) {  // as many blocks at a time as there is room for scales
            const int64_t number = at / block_, end = std::min(begin + count, (number + kScales) * block_);
            const float* block_scale = scales_ + number;
            if (nested_codes_ != nullptr) {
                block_scales(number, (end - 1) / block_ - number + 1, scales);
                block_scale = scales;
            }
            cpu_kernels().nf4_values(codes, block_scale, at, end - at, out + (at - begin));
            at = end;
        }
    }
}

}  // namespace craft
