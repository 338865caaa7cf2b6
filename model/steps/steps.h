// Generation token by token with keys and values kept: what generate/ calls, whatever computes it.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "model/decoder/decoder.h"

namespace craft {

// Keys and values of a prompt, shared by all samples that continue it; each kind of Steps has its own.
struct PromptCache {
    virtual ~PromptCache() = default;
    int64_t length = 0;
};

struct PrefilledPrompt {
    std::shared_ptr<const PromptCache> cache;
    at::Tensor logits;  // [vocab] float32 where the decoder is: of the token after the prompt
};

// Rows are sequences under generation.
class Steps {
public:
    virtual ~Steps() = default;
    // Computes prompts in one packed pass. Throws Error on an empty prompt or a token outside the vocabulary.
    virtual std::vector<PrefilledPrompt> prefill(const std::vector<std::vector<int64_t>>& prompts) const = 0;
    // From now on `row` continues this prompt.
    virtual void begin_row(int64_t row, std::shared_ptr<const PromptCache> prompt) = 0;
    // Feeds one token to each of the named rows (each once; rows of one prompt best next to each other). Returns logits
    // [rows.size(), vocab] float32 of the tokens after them, contiguous, where the decoder is; valid until the next call.
    virtual at::Tensor step(const std::vector<int64_t>& rows, const std::vector<int64_t>& tokens) = 0;
    // True if prefill() computes once what neighbours among the prompts begin with (prompt_groups()), with the same bits.
    virtual bool shares_beginnings() const { return false; }
    virtual const DecoderConfig& config() const = 0;
};

struct StepSizes {
    int64_t rows = 1;        // sequences at once
    int64_t row_tokens = 1;  // new tokens that a row can hold
    int64_t positions = 1;   // of prompt and new tokens together
};

// True if a StepDecoder generates: float32 kernels on the CPU, a Llama with any of: biases, norms of q and k, rotary
// positions that do not change with the length.
bool runs_on_step_decoder(const Decoder& decoder, int64_t positions);

struct StepWeights;

// Opens Steps of one decoder: what they need of its weights is made once.
class StepSource {
public:
    // Shares the decoder's tensors, which must not change while this or its Steps are used.
    explicit StepSource(const Decoder& decoder) : decoder_(decoder) {}
    // Takes the decoder over: its float32 weights are packed where they lie instead of copied, if nothing else holds them
    // and sequences of any length run on a StepDecoder.
    explicit StepSource(Decoder&& decoder) : decoder_(std::move(decoder)), is_own_(true) {}
    // StepDecoder where it can, else TorchSteps.
    std::unique_ptr<Steps> open(const StepSizes& sizes);
    const DecoderConfig& config() const { return decoder_.config(); }
    // As cache_bytes_of_token() and default_cache_bytes().
    int64_t cache_bytes(int64_t positions) const;
    int64_t default_cache_bytes() const;

private:
    Decoder decoder_;  // without what was packed where it lay
    bool is_own_ = false;
    std::shared_ptr<const StepWeights> weights_;  // null until a StepDecoder is opened
};

std::unique_ptr<Steps> open_steps(const Decoder& decoder, const StepSizes& sizes);
// Bytes that keys and values of one token take in all layers.
int64_t cache_bytes_of_token(const Decoder& decoder, int64_t positions);
// Bytes that keys and values may take where nobody says how many: 2 GiB on the CPU, on a GPU half of its memory that is free
// now or held by LibTorch without a use.
int64_t default_cache_bytes(const at::Device& device);

}  // namespace craft
