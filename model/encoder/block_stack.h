// Embeddings and a stack of blocks, each part of which is added to its input and normed after that: BERT, RoBERTa, and both
// halves of BART. Inside model/ only.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "model/encoder/ragged_rows.h"
#include "model/kernels/ops.h"
#include "model/spec/encoder_config.h"

namespace craft {

struct Affine {
    at::Tensor weight, bias;  // [out, in], [out]
};

struct Block {
    Affine qkv, o;  // q, k and v are one product
    Norm attention_norm;
    Affine cross_q, cross_kv, cross_o;  // undefined in an encoder
    Norm cross_norm;
    Affine up, down;
    Norm norm;
};

// Tokens of ragged rows, all int64 [total]; places without a token hold some id and its first position.
struct StackInput {
    at::Tensor tokens, positions;  // positions: rows of the table
    at::Tensor types;              // undefined where the model has none
    RaggedRows rows;
};

// What a decoder's blocks look at.
struct Memory {
    const at::Tensor& hidden;  // [rows.total(), hidden]
    const RaggedRows& rows;
};

struct BlockStack {
    StackConfig sizes;
    at::Tensor words, positions, types;  // [vocabulary, hidden], [rows of the table, hidden], [types, hidden] or undefined
    Norm embedding_norm;
    std::vector<Block> blocks;

    // Last layer's output [total, hidden] in the weights' dtype. With a memory the stack is a decoder: attention to its own
    // rows is causal, and each block attends to the memory's row of the same number. No gradients.
    at::Tensor forward(const StackInput& input, const EncoderConfig& config, const Memory* memory = nullptr) const;
};

}  // namespace craft
