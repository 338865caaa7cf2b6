// The GPU's kernels: plain pointers in its memory and a stream (a cudaStream_t). Launches only; no LibTorch, no CUDA header.
// Bodies and what they compute: bodies.h, few_bits.h. Each throws std::runtime_error with CUDA's words if the launch is
// refused.
#pragma once

#include <c10/util/BFloat16.h>

#include "model/kernels/cuda/bodies.h"
#include "model/kernels/cuda/few_bits.h"

namespace craft::cuda {

using Stream = void*;

// Weights in float32 or in the rows' own type.
template <class T, class Weight>
void rms_norm_forward(const RmsNormRows<T, Weight>& rows, Stream stream);
template <class T, class Weight>
void rms_norm_backward(const RmsNormRows<T, Weight>& rows, Stream stream);
// partials [ceil(rows / rows_per_partial)][width]: what rows give to each weight's gradient.
template <class T>
void rms_norm_weight_partials(const RmsNormRows<T>& rows, float* partials, Stream stream);

template <class T>
void swiglu_forward(const SwigluRows<T>& rows, Stream stream);
template <class T>
void swiglu_backward(const SwigluRows<T>& rows, Stream stream);

template <class T>
void rotary(const RotaryRows<T>& rows, Stream stream);

// Float32 logits, gradients in float32 or bfloat16.
template <class Gradient>
void cross_entropy_forward(const CrossEntropyRows<float, Gradient>& rows, Stream stream);
template <class Gradient>
void cross_entropy_backward(const CrossEntropyRows<float, Gradient>& rows, Stream stream);

// Weights in few bits become floats.
template <class T>
void int8_values(const Int8Rows<T>& rows, Stream stream);
template <class T>
void nf4_values(const Nf4Rows<T>& rows, Stream stream);

template <class T>
void drop(const DroppedRows<T>& rows, Stream stream);

}  // namespace craft::cuda
