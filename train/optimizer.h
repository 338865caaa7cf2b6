// AdamW (.9, .999, 1e-8; decoupled weight decay) on a decoder's trainable leaves, with float32 states and master weights.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

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

    // Adds the leaves' gradients to the step's and clears them: after each micro-batch.
    void collect_gradients();
    // Forgets what was collected, and the leaves' gradients.
    void drop_gradients();
    // Global 2-norm of what was collected; scales it to max_norm if that is exceeded and above 0. Returns the norm before.
    double clip(double max_norm);
    // One update with what was collected, which is then forgotten.
    void step(double lr);

    // The leaves hold the running mean, for use and not for training, until show_weights(). Without one nothing happens.
    void show_average();
    void show_weights();

    int64_t steps() const { return steps_; }
    // "weight/NAME" (masters), "moment1/NAME", "moment2/NAME", "average/NAME" if there is one: the state itself, not copies.
    std::vector<std::pair<std::string, at::Tensor>> state() const;
    // Copies a state of the same names and shapes; the leaves hold the weights. Throws Error naming a tensor that is missing
    // or has another shape.
    void restore(const std::vector<std::pair<std::string, at::Tensor>>& state, int64_t steps);

private:
    std::vector<std::string> names_;
    std::vector<at::Tensor> leaves_, masters_, gradients_, moment1_, moment2_, averages_;
    AdamWOptions options_;
    int64_t steps_ = 0;
};

}  // namespace craft
