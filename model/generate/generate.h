// Batched generation with cached keys and values.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/decoder/decoder.h"
#include "model/generate/grammar_mask.h"
#include "model/generate/logit_rules.h"
#include "model/generate/sampler.h"
#include "model/steps/steps.h"
#include "model/tokenizer/tokenizer.h"

namespace craft {

struct GenerateOptions {
    int64_t max_new_tokens = 512;
    Sampling sampling = {};
    LogitRules rules =
        {};  // applied before sampling, and before the arg-max; on the CPU, where a GPU's rows are copied for it
    // Each sample's text is to be a sentence of it: other tokens are not chosen, a stop token only where the sentence may
    // end. After `rules`, on the CPU as they are. null: any text.
    std::shared_ptr<const GrammarMask> grammar = {};
    std::vector<int64_t> stop_tokens = {};       // each ends a sequence and stays in its tokens
    bool logprobs = false;                       // tell each sample's log-probability
    std::vector<std::string> stop_strings = {};  // each ends a sequence; the text is cut before it (needs a tokenizer)
    uint64_t seed = 0;  // with `stage`, the request's item and the sample's number: the random stream
    std::string stage = "generate";
    int64_t max_batch_rows = 96;  // sequences that run at once
    // Keys and values over all rows, prompts included, and those that are kept: fewer rows run at once where they are long
    // or the model is large. One row always runs. 0: as default_cache_bytes() has it.
    int64_t cache_bytes = 0;
    // Keeps what samples end with, for later calls on the same source whose prompts continue after it. What prompts share is
    // kept anyway, in what rows leave of the cache.
    bool keep_histories = false;
    bool beyond_positions = false;  // continue after the model's last position where positions are not learned
    int64_t prefill_tokens = 4096;  // prompt tokens computed in one pass
    int64_t piece_tokens = 512;     // the same between two steps of rows under way, if most rows are
};

struct GenerateRequest {
    std::vector<int64_t> prompt;
    uint64_t item = 0;
    int64_t samples = 1;
    uint64_t first_sample = 0;              // the samples are numbered from here
    std::vector<int64_t> stop_tokens = {};  // besides the options'
};

struct Generated {
    std::vector<int64_t> tokens;  // the stop token included
    std::string text;       // without the stop token and special ones, cut before a stop string; empty without a tokenizer
    bool finished = false;  // false: cut at max_new_tokens or the model's last position, or stuck
    bool stuck = false;     // the grammar, with the rules, left no token to continue with or to end with
    int64_t prompt_tokens = 0;
    int64_t cached_tokens = 0;  // of the prompt's: of earlier ones, which were kept; the same for all samples
    int64_t new_tokens = 0;     // 0 only where a sample was stuck at once
    // With `logprobs`: of all its tokens, as the model has them, before rules and sampling.
    std::optional<double> logprob = {};
};

// Told of a request once all its samples are done, on the thread that generates.
using GeneratedSink = std::function<void(size_t request, const std::vector<Generated>& samples)>;

// For each request its samples, in order. A request's prompt is computed once for all its samples; as sequences end, waiting
// ones take their places. A sample's tokens are a function of the model, its prompt, the options and (seed, stage, item,
// sample) alone: what runs beside it changes nothing, not even by rounding (see model/kernels/cpu_kernels.h).
// `tokenizer` may be null: then there is no text. Throws Error on an empty prompt, one that leaves the model no position,
// ids outside the vocabulary, bad options; Stopped when a signal asks for it. On a GPU a sample's last bits may depend on
// what runs beside it, and on what was kept of earlier calls.
std::vector<std::vector<Generated>> generate(StepSource& source, const Tokenizer* tokenizer,
                                             const std::vector<GenerateRequest>& requests, const GenerateOptions& options,
                                             const GeneratedSink& sink = nullptr);
// The same for one call: a decoder that generates again and again is made ready once as a StepSource.
std::vector<std::vector<Generated>> generate(const Decoder& decoder, const Tokenizer* tokenizer,
                                             const std::vector<GenerateRequest>& requests, const GenerateOptions& options,
                                             const GeneratedSink& sink = nullptr);

}  // namespace craft
