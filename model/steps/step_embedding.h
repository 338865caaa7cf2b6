// The embedding in generation on the CPU: rows in float32 of a matrix as it is held.
#pragma once

#include <cstdint>
#include <vector>

#include "model/decoder/linear.h"

namespace craft {

// The matrix [vocab, hidden] is read where it lies (rows_in_memory()), the adapter stays beside it in float32.
class StepEmbedding {
public:
    StepEmbedding() = default;
    // The adapter's A is [rank, vocab] and its B [hidden, rank]; undefined without one.
    StepEmbedding(const at::Tensor& weight, const Projection& adapter);

    void read(int64_t token, float* out) const;  // [hidden]; the token is in the vocabulary

private:
    WeightRows rows_;
    std::vector<float> in_, out_;  // A^T [vocab][rank]; scale * B^T [rank][hidden]
    int64_t rank_ = 0;
};

}  // namespace craft
