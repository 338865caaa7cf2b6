// Activation checkpointing: a part of the decoder of which only the input is kept.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>

namespace craft {

// f(x); the tensors inside are made again in backward. f must give the same bits each time and outlive backward with all
// that it refers to. Gradients of leaves that f uses are accumulated in them, x's is passed on. Without gradients, f(x)
// itself.
at::Tensor recomputed(const at::Tensor& x, std::function<at::Tensor(const at::Tensor& x)> f);

}  // namespace craft
