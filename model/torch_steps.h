// Generation with LibTorch's operations: any architecture, device and dtype. Adapters stay beside the weights.
#pragma once

#include "model/attention.h"
#include "model/steps.h"

namespace craft {

// Unlike StepDecoder's, a row's last bits may depend on how many rows are computed beside it.
class TorchSteps : public Steps {
public:
    TorchSteps(const Decoder& decoder, const StepSizes& sizes);

    std::vector<PrefilledPrompt> prefill(const std::vector<std::vector<int64_t>>& prompts) const override;
    void begin_row(int64_t row, std::shared_ptr<const PromptCache> prompt) override;
    const float* step(const std::vector<int64_t>& rows, const std::vector<int64_t>& tokens) override;
    const DecoderConfig& config() const override { return decoder_.config(); }

private:
    struct Row {
        std::vector<int64_t> tokens;  // the prompt's and the new ones
    };
    struct Computed {
        at::Tensor hidden;                     // [tokens, hidden] after the last norm
        std::vector<at::Tensor> keys, values;  // per layer [kv_heads, tokens, head_dim]
    };
    Computed compute(const PackedBatch& batch, const RotaryTable& table) const;
    void turn_again(int64_t row);
    RotaryTable step_table(const std::vector<int64_t>& rows, const at::Tensor& positions) const;
    std::vector<float> logits_of(const at::Tensor& hidden) const;

    Decoder decoder_;
    int64_t positions_;
    std::vector<Row> rows_;
    std::vector<at::Tensor> keys_, values_;  // per layer [rows, kv_heads, positions, head_dim]
    std::vector<float> logits_;
};

}  // namespace craft
