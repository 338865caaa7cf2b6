#include "model/steps/step_embedding.h"

#include <torch/types.h>

#include "model/steps/step_linear.h"

namespace craft {

StepEmbedding::StepEmbedding(const at::Tensor& weight, const Projection& adapter) : rows_(rows_in_memory(weight)) {
    if (!adapter.lora_a.defined()) return;
    rank_ = adapter.lora_a.size(0);
    in_ = floats(adapter.lora_a.t());
    out_ = floats(adapter.lora_b.detach().t() * adapter.lora_scale);
}

void StepEmbedding::read(int64_t token, float* out) const {
    const int64_t hidden = rows_.columns();
    rows_.read(token, 0, hidden, out);
    for (int64_t r = 0; r < rank_; ++r) {
        const float factor = in_[static_cast<size_t>(token * rank_ + r)];
        const float* const direction = out_.data() + r * hidden;
        for (int64_t i = 0; i < hidden; ++i) out[i] += factor * direction[i];
    }
}

}  // namespace craft
