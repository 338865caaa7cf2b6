// Gradients summed over the ranks while the backward pass is still running.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "train/parallel/process_group.h"

namespace craft {

// Leaves' gradients lie in buckets, last leaf first: in the order in which a backward pass makes them. Once a bucket's are
// whole, its sum over the ranks starts beside the rest of the pass. Buckets go in one order, the same in every rank.
class GradientReducer {
public:
    // Leaves that require gradients; they get hooks, which go with this object.
    GradientReducer(ProcessGroup& group, std::vector<at::Tensor> leaves, int64_t bucket_bytes = int64_t{8} << 20);
    ~GradientReducer();
    GradientReducer(const GradientReducer&) = delete;
    GradientReducer& operator=(const GradientReducer&) = delete;

    // One buffer a leaf, of its shape, float32 (float64 of float64 leaves): what the step's gradients are added to.
    const std::vector<at::Tensor>& buffers() const { return buffers_; }
    // A step begins: zeros.
    void begin();
    // The next backward pass is the step's last: each leaf's gradient moves to its buffer when it is made. Throws Error from
    // within the pass if it makes one leaf's gradient twice.
    void watch_backward();
    // Ends the step, watched or not: buffers hold the sums over the ranks.
    void finish();

private:
    struct Hook;
    struct Bucket {
        at::Tensor flat;
        size_t leaves = 0;   // that lie in it
        size_t missing = 0;  // of them, those whose gradient is not whole
        std::function<void()> wait = nullptr;
    };
    void place(size_t begin, size_t end);
    void take(size_t leaf);
    void start_next();

    ProcessGroup& group_;
    std::vector<at::Tensor> leaves_, buffers_;
    std::vector<Bucket> buckets_;
    std::vector<size_t> bucket_of_;  // by leaf
    std::vector<bool> taken_;        // by leaf
    size_t started_ = 0;             // buckets, from the first on
    bool watching_ = false;
};

}  // namespace craft
