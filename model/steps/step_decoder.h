// A decoder prepared for generation on the CPU by our kernels: the stream in float32, keys and values as page_shape() says.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/kernels/cpu_kernels.h"
#include "model/steps/key_value_pages.h"
#include "model/steps/step_embedding.h"
#include "model/steps/step_linear.h"
#include "model/steps/steps.h"

namespace craft {

struct PagedHistory : History {
    KeyValuePages pages;
    std::vector<std::pair<const void*, int64_t>> parts() const override;
    int64_t page_bytes = 0;
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
    std::shared_ptr<PagePool> pool;  // of the keys and values
};

// Rows are sequences under generation. What a row computes depends, to the last bit, on its tokens alone: neither on the
// other rows nor on which tokens are computed together.
class StepDecoder : public Steps {
public:
    StepDecoder(const DecoderConfig& config, std::shared_ptr<const StepWeights> weights, const StepSizes& sizes);
    // Of a decoder by itself: at most `rows` sequences; positions up to `positions`.
    StepDecoder(const Decoder& decoder, int64_t rows, int64_t positions)
        : StepDecoder(decoder.config(), std::make_shared<const StepWeights>(decoder), {rows, positions}) {}
    StepDecoder(const StepDecoder&) = delete;
    StepDecoder& operator=(const StepDecoder&) = delete;
    ~StepDecoder() override;

    std::vector<Extended> extend(const std::vector<Extension>& extensions) override;
    std::shared_ptr<const History> beginning(const std::shared_ptr<const History>& history, int64_t length,
                                             int64_t whole) const override;
    void begin_row(int64_t row, const std::shared_ptr<const History>& history) override;
    at::Tensor step(const std::vector<int64_t>& rows, const std::vector<int64_t>& tokens) override;
    std::shared_ptr<const History> history_of(int64_t row) const override;
    void end_row(int64_t row) override;
    int64_t bytes_held() const override;
    bool is_exact() const override { return true; }
    const DecoderConfig& config() const override { return config_; }

private:
    struct Sequence {
        KeyValuePages pages;
        int64_t length = 0;  // tokens held
    };
    // Tokens [begin, end) of a pass, which continue after what a sequence holds; its pages have room for them.
    struct Run {
        const Sequence* sequence = nullptr;
        int64_t begin = 0, end = 0;
        int64_t position(int64_t token) const { return sequence->length + token - begin; }
    };
    struct Buffers {  // [tokens][...], kept between layers and steps
        std::vector<float> x, normed, qkv, attended, gate_up, gated;
    };
    // Rows of one AttentionTask: tokens [begin, end) of the pass, which have the first `shared` pages in common.
    struct Cut {
        int64_t begin = 0, end = 0, shared = 0;
    };
    void embed(const std::vector<int64_t>& tokens, std::vector<float>& x) const;
    // Runs cover the tokens in order. b.x becomes what leaves the last layer.
    void compute(const std::vector<int64_t>& tokens, const std::vector<Run>& runs, Buffers& b) const;
    void project(const StepLayer& layer, Buffers& b, int64_t count) const;
    void feed_forward(const StepLayer& layer, Buffers& b, int64_t count) const;
    void write(const float* k, const float* v, int64_t position, bool is_last, float* block) const;
    void store(const std::vector<const Run*>& run_of, size_t layer, std::vector<float>& qkv) const;
    std::vector<Cut> cuts_of(const std::vector<const Run*>& run_of) const;
    void attend(const std::vector<const Run*>& run_of, const std::vector<Cut>& cuts, size_t layer,
                const std::vector<float>& qkv, std::vector<float>& out) const;
    std::shared_ptr<const History> history_of(const Sequence& sequence) const;
    void check_room(int64_t positions) const;

    DecoderConfig config_;
    int64_t positions_;
    int64_t group_ = 1;  // query heads that read one kv head
    int64_t half_ = 0;   // pairs of a head's dimensions that turn
    std::shared_ptr<const StepWeights> weights_;
    std::vector<float> cos_, sin_;
    std::vector<Sequence> rows_;
    Buffers buffers_;
    std::vector<float> logits_;
};

}  // namespace craft
