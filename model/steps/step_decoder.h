// A decoder prepared for generation on the CPU by our kernels: the stream, keys and values in float32.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/kernels/cpu_kernels.h"
#include "model/steps/step_embedding.h"
#include "model/steps/step_linear.h"
#include "model/steps/steps.h"

namespace craft {

struct CpuPromptCache : PromptCache {
    // What other prompts begin with, too: whole blocks of 16 tokens; null: nothing.
    std::shared_ptr<const CpuPromptCache> prefix;
    // Of the tokens behind the prefix, per layer: [kv_heads][blocks][head_dim][16], [kv_heads][own_length()][width].
    std::vector<std::vector<float>> keys, values;
    int64_t own_length() const { return length - (prefix ? prefix->length : 0); }
};

struct StepLayer {
    StepLinear qkv, o, gate_up, down;
    std::vector<float> qkv_bias, o_bias, gate_up_bias, down_bias;  // empty: none
    std::vector<float> before_attention, before_feed_forward, q_norm, k_norm;
};

// What StepDecoders of one decoder share. The adapter's dropout is off. Only for decoders of which runs_on_step_decoder()
// says so; what StepLinear does not copy must not change.
struct StepWeights {
    explicit StepWeights(Decoder decoder);
    std::vector<StepLayer> layers;
    StepEmbedding embedding;
    std::vector<float> final_norm;
    StepLinear head;
};

// Rows are sequences under generation. What a row computes does not depend on the other rows, to the last bit.
class StepDecoder : public Steps {
public:
    StepDecoder(const DecoderConfig& config, std::shared_ptr<const StepWeights> weights, const StepSizes& sizes);
    // Of a decoder by itself: at most `rows` sequences of `row_tokens` new tokens each; positions up to `positions`.
    StepDecoder(const Decoder& decoder, int64_t rows, int64_t row_tokens, int64_t positions)
        : StepDecoder(decoder.config(), std::make_shared<const StepWeights>(decoder), {rows, row_tokens, positions}) {}

    std::vector<PrefilledPrompt> prefill(const std::vector<std::vector<int64_t>>& prompts) const override;
    void begin_row(int64_t row, std::shared_ptr<const PromptCache> prompt) override;
    at::Tensor step(const std::vector<int64_t>& rows, const std::vector<int64_t>& tokens) override;
    // Heads that our own attention takes whole: LibTorch's would add up in another order.
    bool shares_beginnings() const override { return config_.head_dim % kLanes == 0; }
    const DecoderConfig& config() const override { return config_; }

private:
    struct Row {
        std::shared_ptr<const CpuPromptCache> prompt;
        int64_t length = 0;  // new tokens held
    };
    struct Buffers {  // [tokens][...], kept between layers and steps
        std::vector<float> x, normed, qkv, attended, gate_up, gated;
    };
    void embed(const std::vector<int64_t>& tokens, std::vector<float>& x) const;
    void project(const StepLayer& layer, Buffers& b, int64_t count) const;
    void feed_forward(const StepLayer& layer, Buffers& b, int64_t count) const;
    void append(const std::vector<int64_t>& rows, size_t layer, std::vector<float>& qkv);
    void attend(const std::vector<int64_t>& rows, size_t layer, const std::vector<float>& qkv,
                std::vector<float>& out) const;
    void store_prompt(const float* rotated, int64_t tokens, int64_t begin, CpuPromptCache& cache, size_t layer) const;
    KeyValueRange own(int64_t row, size_t layer, int64_t kv_head) const;
    KeyValueRange kept(const CpuPromptCache& prompt, size_t layer, int64_t kv_head) const;

    DecoderConfig config_;
    int64_t row_tokens_, width_;  // tokens a row can hold, a multiple of 16; head_dim padded to 16
    int64_t half_ = 0;            // pairs of a head's dimensions that turn
    std::shared_ptr<const StepWeights> weights_;
    std::vector<float> cos_, sin_;
    std::vector<Row> rows_;
    std::unique_ptr<float[]> own_keys_, own_values_;  // [layer][row][kv_head][row_tokens][head_dim or width]
    Buffers buffers_;
    std::vector<float> logits_;
};

}  // namespace craft
