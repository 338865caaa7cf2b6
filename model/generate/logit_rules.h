// Rules that change a row of logits before a token is chosen from it, greedy or not: what transformers calls logits
// processors, in its order. What only sampling has is in sampler.h.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace craft {

struct SequenceBias {
    std::vector<int64_t> tokens = {};  // at least one
    double bias = 0;                   // added to the last one's logit where the others are the last tokens so far
    bool operator==(const SequenceBias&) const = default;
};

// Without values nothing is done. "So far" counts the prompt's tokens and the new ones.
struct LogitRules {
    std::vector<SequenceBias> sequence_bias = {};  // all that match count; of the same tokens the last entry
    double repetition_penalty = 1;     // 1: off; logits of all tokens so far are divided by it, negative ones multiplied
    int64_t no_repeat_ngram_size = 0;  // 0: off; else no this many tokens in a row come twice
    std::vector<std::vector<int64_t>> bad_words_ids = {};  // sequences that are never completed; a lone stop token is none
    int64_t min_length = 0;                                // no stop token before this many tokens, the prompt's included
    std::optional<int64_t> min_new_tokens = {};            // the same of new tokens; given, it replaces min_length
    std::optional<int64_t> forced_bos_token_id = {};       // what follows a prompt of one token
    std::vector<int64_t> forced_eos_token_id = {};         // one of these is the last token that the limit allows
    std::vector<int64_t> suppress_tokens = {};             // never; ids outside the vocabulary have no effect
    std::vector<int64_t> begin_suppress_tokens = {};       // not as the first token that is not forced
    bool operator==(const LogitRules&) const = default;
};
// Throws Error on values out of range, sequences without tokens, and ids that are not below `vocabulary` where they matter.
void check_logit_rules(const LogitRules& rules, int64_t vocabulary);

// A sequence whose next token is to be chosen.
struct SequenceSoFar {
    std::span<const int64_t> prompt, tokens;    // its new tokens
    int64_t limit = 0;                          // new tokens that it may have
    std::span<const int64_t> stop_tokens = {};  // its own, besides the generation's

    int64_t size() const { return static_cast<int64_t>(prompt.size() + tokens.size()); }
    int64_t operator[](int64_t i) const {
        const auto at = static_cast<size_t>(i);
        return at < prompt.size() ? prompt[at] : tokens[at - prompt.size()];
    }
};

class LogitProcessor {
public:
    // `stop_tokens`: of the whole generation. The rules are checked.
    LogitProcessor(LogitRules rules, std::vector<int64_t> stop_tokens);
    // False: apply() changes nothing, whatever it is given.
    bool any() const { return any_; }

    // What one thread works in; only saves allocations.
    struct Scratch {
        std::vector<float> logits;
        std::vector<uint8_t> is_seen;  // a token of the vocabulary, so far
    };
    // The logits [vocabulary] under the rules, in `scratch`; without rules those given. Throws Error if no token is left.
    const float* apply(const float* logits, int64_t vocabulary, const SequenceSoFar& so_far, Scratch& scratch) const;

private:
    LogitRules rules_;
    std::vector<int64_t> stop_tokens_;
    bool any_ = false;
};

}  // namespace craft
