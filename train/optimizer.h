// AdamW (.9, .999, 1e-8; decoupled weight decay) on a decoder's trainable leaves, with float32 states and master weights.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "train/shards.h"

namespace craft {

struct AdamWOptions {
    double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
    double weight_decay = 0;  // of leaves with two dimensions or more; 0: none
    double average = 0;       // decay of a running mean of the weights, shorter at the beginning; 0: none is kept
};

// Leaves of other types than float32 (bfloat16) have a float32 master that the updates go to; float64 leaves stay float64.
class AdamW {
public:
    // Leaves that require gradients, with their names. They are updated in place.
    AdamW(std::vector<std::pair<std::string, at::Tensor>> leaves, const AdamWOptions& options);
    // ZeRO-1: this rank keeps masters and moments of its part of each leaf, and step() has every rank's updates. `group`
    // must outlive this object; step(), show_...(), state() and restoring are then calls of all ranks.
    AdamW(std::vector<std::pair<std::string, at::Tensor>> leaves, const AdamWOptions& options, ProcessGroup& sharded_over);

    // What follows adds the step's gradients to these tensors, one a leaf and of its shape, until they are dropped.
    void collect_into(const std::vector<at::Tensor>& gradients) { gradients_ = gradients; }
    // Adds the leaves' gradients to the step's and clears them: after each micro-batch.
    void collect_gradients();
    // Forgets what was collected, and the leaves' gradients.
    void drop_gradients();
    // Global 2-norm of what was collected; scales it to max_norm if that is exceeded and above 0. Returns the norm before.
    double clip(double max_norm);
    // Global 2-norms of a part of what was collected, given as one tensor a leaf, and of the rest; to be asked before
    // clip().
    struct PartNorms {
        double part = 0, rest = 0;
    };
    PartNorms norms_of(const std::vector<at::Tensor>& part) const;
    // One update with what was collected, which is then forgotten.
    void step(double lr);

    // The leaves hold the running mean, for use and not for training, until show_weights(). Without one nothing happens.
    void show_average();
    void show_weights();

    int64_t steps() const { return steps_; }
    // "weight/NAME" (masters), "moment1/NAME", "moment2/NAME", "average/NAME" if there is one: the state itself, not copies.
    // Of a sharded state copies on the CPU, whole, in rank 0; nothing in others.
    std::vector<std::pair<std::string, at::Tensor>> state() const;
    // Copies a state of the same names and shapes; the leaves hold the weights. Throws Error naming a tensor that is missing
    // or has another shape.
    void restore(const std::vector<std::pair<std::string, at::Tensor>>& state, int64_t steps);
    // The same of the state that rank 0 gives; the others' is not looked at.
    void restore_from_first(ProcessGroup& group, const std::vector<std::pair<std::string, at::Tensor>>& state,
                            int64_t steps);

private:
    // One tensor of the state: all of it, or this rank's part.
    struct Slot {
        std::string name;
        at::Tensor own, leaf;
    };
    std::vector<Slot> slots() const;
    void check(const std::map<std::string, at::Tensor>& saved) const;
    void show(const std::vector<at::Tensor>& source);
    at::Tensor own(const at::Tensor& whole) const { return shards_ ? shards_->own(whole) : whole.detach(); }
    void build(std::vector<std::pair<std::string, at::Tensor>>&& leaves);

    std::optional<Shards> shards_;
    std::vector<std::string> names_;
    std::vector<at::Tensor> leaves_, masters_, gradients_, moment1_, moment2_, averages_;
    AdamWOptions options_;
    int64_t steps_ = 0;
};

}  // namespace craft
