#include "model/encoder/block_stack.h"

#include <torch/types.h>

#include "core/signals.h"
#include "model/kernels/threads.h"

namespace craft {

namespace {

at::Tensor apply(const at::Tensor& x, const Affine& affine) {
    return at::linear(x, affine.weight, affine.bias);
}

at::Tensor normed(const at::Tensor& x, const Norm& norm, double eps) {
    return at::layer_norm(x, {x.size(-1)}, norm.weight, norm.bias, eps);
}

at::Tensor embed(const BlockStack& stack, const StackInput& input, const EncoderConfig& config) {
    at::Tensor x = at::embedding(stack.words, input.tokens);
    if (config.embedding_scale != 1) x.mul_(config.embedding_scale);
    if (stack.types.defined()) x.add_(at::embedding(stack.types, input.types));
    x.add_(at::embedding(stack.positions, input.positions));
    return normed(x, stack.embedding_norm, config.norm_eps);
}

at::Tensor columns(const at::Tensor& x, int64_t part, int64_t width) {
    return x.narrow(1, part * width, width);
}

}  // namespace

at::Tensor BlockStack::forward(const StackInput& input, const EncoderConfig& config, const Memory* memory) const {
    adapt_threads();
    const at::NoGradGuard no_gradients;
    const int64_t width = config.hidden_size;
    const double eps = config.norm_eps;
    at::Tensor x = embed(*this, input, config);
    for (const Block& block : blocks) {
        throw_if_stopped();
        const at::Tensor qkv = apply(x, block.qkv);
        const at::Tensor seen = attend(columns(qkv, 0, width), columns(qkv, 1, width), columns(qkv, 2, width), input.rows,
                                       input.rows, sizes.heads, memory != nullptr);
        x = normed(apply(seen, block.o).add_(x), block.attention_norm, eps);
        if (memory != nullptr) {
            const at::Tensor kv = apply(memory->hidden, block.cross_kv);
            const at::Tensor crossed = attend(apply(x, block.cross_q), columns(kv, 0, width), columns(kv, 1, width),
                                              input.rows, memory->rows, sizes.heads, false);
            x = normed(apply(crossed, block.cross_o).add_(x), block.cross_norm, eps);
        }
        x = normed(apply(activate(apply(x, block.up), config.activation), block.down).add_(x), block.norm, eps);
    }
    return x;
}

}  // namespace craft
