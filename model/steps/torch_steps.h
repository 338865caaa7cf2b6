// Generation with LibTorch's operations: any architecture, device and dtype. Adapters stay beside the weights.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "model/kernels/attention.h"
#include "model/kernels/cuda/recording.h"
#include "model/steps/key_value_cache.h"
#include "model/steps/steps.h"

namespace craft {

struct TensorHistory : History {
    std::vector<int64_t> tokens;
    std::vector<at::Tensor> keys_values;  // per layer [2, length, kv_heads, head_dim]
    int64_t regime = 0;                   // rotary_regime() by which its keys are turned
    std::vector<std::pair<const void*, int64_t>> parts() const override;
};

// Unlike StepDecoder's, a row's last bits may depend on how many rows are computed beside it (on a GPU), and on whether its
// tokens were computed together.
class TorchSteps : public Steps {
public:
    TorchSteps(const Decoder& decoder, const StepSizes& sizes);

    std::vector<Extended> extend(const std::vector<Extension>& extensions) override;
    std::shared_ptr<const History> beginning(const std::shared_ptr<const History>& history, int64_t length,
                                             int64_t whole) const override;
    void begin_row(int64_t row, const std::shared_ptr<const History>& history) override;
    at::Tensor step(const std::vector<int64_t>& rows, const std::vector<int64_t>& tokens) override;
    std::shared_ptr<const History> history_of(int64_t row) const override;
    void end_row(int64_t row) override;
    int64_t bytes_held() const override { return cache_.bytes(); }
    // On a GPU; on the CPU a row's last bits are its own, and would be others after what was kept.
    bool uses_kept_histories() const override { return decoder_.device().is_cuda(); }
    const DecoderConfig& config() const override { return decoder_.config(); }

private:
    struct Computed {
        at::Tensor hidden;                    // [tokens, hidden] after the last norm
        std::vector<at::Tensor> keys_values;  // per layer [2, tokens, kv_heads, head_dim]
    };
    Computed compute(const PackedBatch& batch, const RotaryTable& table) const;
    std::vector<Extended> compute_whole(const std::vector<std::vector<int64_t>>& sequences) const;
    Extended compute_after(const TensorHistory& history, const std::vector<int64_t>& tokens);
    std::shared_ptr<TensorHistory> new_history(std::vector<int64_t> tokens) const;
    void turn_again(int64_t row);
    at::Tensor frequencies(int64_t length);
    // True if tokens of rows of these lengths turn as those of the shortest do.
    bool turns_as_one(const std::vector<int64_t>& lengths) const;
    RotaryTable step_table(const at::Tensor& positions, const std::vector<int64_t>& lengths);
    at::Tensor compute_step(const CacheStep& step, const RotaryTable& table);
    at::Tensor play_step(std::vector<int64_t> rows, std::vector<int64_t> positions, std::vector<int64_t> tokens);
    at::Tensor prompt_logits(const at::Tensor& hidden, const std::vector<Segment>& prompts) const;

    Decoder decoder_;
    KeyValueCache cache_;
    std::vector<std::vector<int64_t>> rows_;     // the tokens of each: the prompt's and the new ones
    std::map<int64_t, at::Tensor> frequencies_;  // of the rotary regimes met so far, where the decoder is

    // A step of this many rows on a GPU, recorded the second time.
    struct RecordedStep {
        at::Tensor numbers;  // of the step, where the decoder is: what the recording reads
        std::unique_ptr<cuda::Recording> recording;
    };
    std::shared_ptr<cuda::RecordingPool> pool_;
    std::map<size_t, RecordedStep> recorded_;  // by the number of rows
};

}  // namespace craft
