// Generation with LibTorch's operations: any architecture, device and dtype. Adapters stay beside the weights.
#pragma once

#include <map>

#include "model/kernels/attention.h"
#include "model/steps/key_value_cache.h"
#include "model/steps/steps.h"

namespace craft {

// Unlike StepDecoder's, a row's last bits may depend on how many rows are computed beside it.
class TorchSteps : public Steps {
public:
    TorchSteps(const Decoder& decoder, const StepSizes& sizes);

    std::vector<PrefilledPrompt> prefill(const std::vector<std::vector<int64_t>>& prompts) const override;
    void begin_row(int64_t row, std::shared_ptr<const PromptCache> prompt) override;
    at::Tensor step(const std::vector<int64_t>& rows, const std::vector<int64_t>& tokens) override;
    const DecoderConfig& config() const override { return decoder_.config(); }

private:
    struct Computed {
        at::Tensor hidden;                    // [tokens, hidden] after the last norm
        std::vector<at::Tensor> keys_values;  // per layer [2, tokens, kv_heads, head_dim]
    };
    Computed compute(const PackedBatch& batch, const RotaryTable& table) const;
    void turn_again(int64_t row);
    at::Tensor frequencies(int64_t length);
    RotaryTable step_table(const at::Tensor& positions, const std::vector<int64_t>& lengths);
    at::Tensor prompt_logits(const at::Tensor& hidden, const std::vector<Segment>& prompts) const;

    Decoder decoder_;
    KeyValueCache cache_;
    std::vector<std::vector<int64_t>> rows_;     // the tokens of each: the prompt's and the new ones
    std::map<int64_t, at::Tensor> frequencies_;  // of the rotary regimes met so far, where the decoder is
};

}  // namespace craft
