// Generation token by token with keys and values kept: what model/generate/ calls, whatever computes it.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "model/decoder/decoder.h"
#include "model/steps/history_store.h"

namespace craft {

// Tokens to compute after a history, or after an earlier extension of the same call, or at the beginning of a sequence.
struct Extension {
    std::shared_ptr<const History> before = {};
    int64_t follows = -1;  // the earlier extension's number; the tokens up to its end are a multiple of 16
    std::vector<int64_t> tokens = {};
    bool wants_logits = true;
};

struct Extended {
    std::shared_ptr<const History> history;
    at::Tensor
        logits;  // [vocab] float32 where the decoder is: of the token after it; where nobody wants it perhaps undefined
};

// Rows are sequences under generation.
class Steps {
public:
    virtual ~Steps() = default;
    // Computes all tokens of the extensions together. Throws Error if there are none in one, on a token outside the
    // vocabulary, and after StepSizes::positions.
    virtual std::vector<Extended> extend(const std::vector<Extension>& extensions) = 0;
    // The first `length` tokens of a history, as one that a sequence of `whole` tokens continues after: nothing is computed
    // or copied. null where it cannot be had: it is of another kind of Steps, or tokens turn otherwise in a sequence of that
    // length.
    virtual std::shared_ptr<const History> beginning(const std::shared_ptr<const History>& history, int64_t length,
                                                     int64_t whole) const = 0;
    // From now on `row` continues this history.
    virtual void begin_row(int64_t row, const std::shared_ptr<const History>& history) = 0;
    // Feeds one token to each of the named rows (each once; rows whose histories begin alike best next to each other).
    // Returns logits [rows.size(), vocab] float32 of the tokens after them, contiguous, where the decoder is; valid until
    // the next call.
    virtual at::Tensor step(const std::vector<int64_t>& rows, const std::vector<int64_t>& tokens) = 0;
    // What a row holds.
    virtual std::shared_ptr<const History> history_of(int64_t row) const = 0;
    virtual void end_row(int64_t row) = 0;
    // Of the rows' keys and values.
    virtual int64_t bytes_held() const = 0;
    // True if results may come from histories that are kept between calls: where a token's last bits do not depend on that,
    // or depend on what runs beside it anyway.
    virtual bool uses_kept_histories() const { return is_exact(); }
    // True if a token's logits are the same bits however the tokens before it were computed. Then sequences may be computed
    // in pieces without a loss, and an extension may follow another one of its call.
    virtual bool is_exact() const { return false; }
    virtual const DecoderConfig& config() const = 0;
    // Tokens computed so far, in extensions and in steps, those that are computed again among them.
    int64_t computed_tokens() const { return computed_tokens_; }

protected:
    int64_t computed_tokens_ = 0;
};

struct StepSizes {
    int64_t rows = 1;       // sequences at once
    int64_t positions = 1;  // of a sequence's prompt and new tokens together
};

// True if a StepDecoder generates: our kernels on the CPU, a Llama with any of: biases, norms of q and k, rotary
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
    // AnswerSteps of an encoder-decoder, else StepDecoder where it can, else TorchSteps.
    std::unique_ptr<Steps> open(const StepSizes& sizes);
    const DecoderConfig& config() const { return decoder_.config(); }
    // What outlives Steps; of this decoder alone.
    HistoryStore& histories() { return histories_; }
    const HistoryStore& histories() const { return histories_; }
    // Tokens computed by Steps that are closed, as those counted them.
    int64_t computed_tokens() const { return computed_tokens_; }
    void count_computed(const Steps& closed) { computed_tokens_ += closed.computed_tokens(); }
    int64_t row_bytes(int64_t positions) const;  // row_bytes() of the decoder
    int64_t default_cache_bytes() const;         // default_cache_bytes()

private:
    Decoder decoder_;  // without what was packed where it lay
    bool is_own_ = false;
    std::shared_ptr<const StepWeights> weights_;  // null until a StepDecoder is opened
    HistoryStore histories_;
    int64_t computed_tokens_ = 0;
};

// Bytes that keys and values of a sequence of this many positions take in all layers.
int64_t row_bytes(const Decoder& decoder, int64_t positions);
// Bytes that keys and values may take where nobody says how many: 2 GiB on the CPU, on a GPU half of its memory that is free
// now or held by LibTorch without a use.
int64_t default_cache_bytes(const at::Device& device);

}  // namespace craft
