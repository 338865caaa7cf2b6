// Forward passes whose rows are read again by later ones: a text once, then whatever may come after any of its tokens.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "model/decoder/decoder.h"

namespace craft {

// The rows of a pass as the attention of each layer reads them.
struct LayerRows {
    at::Tensor positions;           // [T] int64
    std::vector<Segment> segments;  // of the pass
    std::vector<at::Tensor> qkv;    // a layer: [T, (heads + 2 kv_heads) head_dim], before rotary positions
    int64_t size() const { return positions.defined() ? positions.size(0) : 0; }
};

// As Decoder::hidden(), [T, hidden], of a batch whose segments count rows from `before` on: of these, computed before, they
// may have prefixes; their own rows come after them. `kept`, which is not `before`, receives the batch's rows. For paths
// within config.rope.original_positions where rotary positions turn with a path's length. No autograd. Throws Error as
// hidden().
at::Tensor hidden_after(const Decoder& decoder, const PackedBatch& batch, const LayerRows& before,
                        LayerRows* kept = nullptr);

}  // namespace craft
