#include "model/generate/generate.h"

#include <ATen/Parallel.h>
#include <torch/types.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <numeric>
#include <optional>

#include "core/error.h"
#include "core/signals.h"
#include "model/generate/device_sampler.h"
#include "model/generate/prefill.h"
#include "model/generate/stop_strings.h"

namespace craft {

namespace {

constexpr int64_t kTurns = 16;  // in which a row under way begins at most one page
constexpr int64_t kStuck = -1;  // in place of a token where none is allowed

// A sequence under way: sample `sample` of request `request`.
struct Sequence {
    size_t request = 0, sample = 0;
    int64_t row = 0;
    int64_t limit = 0;  // new tokens that it may have
    Rng rng;
    std::optional<GrammarMask::Place> place = {};  // of its text in the grammar, if there is one
};

int64_t token_limit(const GenerateRequest& request, const GenerateOptions& options, const DecoderConfig& config) {
    if (options.beyond_positions && !config.learned_positions) return options.max_new_tokens;
    if (config.is_encoder_decoder()) return std::min(options.max_new_tokens, config.max_positions);
    return std::min(options.max_new_tokens, config.max_positions - static_cast<int64_t>(request.prompt.size()));
}

void check(const std::vector<GenerateRequest>& requests, const GenerateOptions& options, const Tokenizer* tokenizer,
           const DecoderConfig& config) {
    check_sampling(options.sampling);
    check_logit_rules(options.rules, config.vocab_size);
    if (options.max_new_tokens < 1) throw Error("--max-new-tokens", "at least 1", std::to_string(options.max_new_tokens));
    if (!options.stop_strings.empty() && tokenizer == nullptr)
        throw Error("--stop", "a tokenizer beside stop strings", "token ids only", "give stop tokens");
    for (const std::string& stop : options.stop_strings)
        if (stop.empty()) throw Error("--stop", "a string that is not empty", "an empty one");
    for (size_t i = 0; i < requests.size(); ++i) {
        const std::string where = "prompt " + std::to_string(i + 1);
        if (requests[i].prompt.empty()) throw Error(where, "at least one token", "none");
        if (requests[i].samples < 1) throw Error(where, "at least one sample", std::to_string(requests[i].samples));
        if (token_limit(requests[i], options, config) < 1)
            throw Error(where, "fewer tokens than the model's " + std::to_string(config.max_positions) + " positions",
                        std::to_string(requests[i].prompt.size()));
        for (const int64_t id : requests[i].prompt)
            if (id < 0 || id >= config.vocab_size)
                throw Error(where, "token ids below the vocabulary's " + std::to_string(config.vocab_size),
                            std::to_string(id));
    }
}

int64_t row_count(const std::vector<GenerateRequest>& requests, const GenerateOptions& options, int64_t cache_bytes,
                  int64_t row_bytes) {
    int64_t samples = 0;
    for (const GenerateRequest& request : requests) samples += request.samples;
    return std::max<int64_t>(1, std::min({samples, options.max_batch_rows, cache_bytes / row_bytes}));
}

class Generation {
public:
    Generation(StepSource& source, const Tokenizer* tokenizer, const std::vector<GenerateRequest>& requests,
               const GenerateOptions& options, const StepSizes& sizes, int64_t cache_bytes, const GeneratedSink& sink)
        : requests_(requests),
          options_(options),
          tokenizer_(tokenizer),
          sink_(sink),
          stops_(options.stop_strings),
          rules_(options.rules, options.stop_tokens),
          source_(source),
          kept_(source.histories()),
          cache_bytes_(cache_bytes),
          model_(source.open(sizes)) {
        if (source.config().is_encoder_decoder()) answer_start_ = {source.config().start_token};
        for (int64_t row = sizes.rows; row > 0; --row) free_rows_.push_back(row - 1);
        for (const GenerateRequest& request : requests) {
            results_.emplace_back(static_cast<size_t>(request.samples));
            open_.push_back(request.samples);
            all_ += request.samples;
        }
        give_room();
        arrange();
    }
    Generation(const Generation&) = delete;
    Generation& operator=(const Generation&) = delete;
    ~Generation() { source_.count_computed(*model_); }

    std::vector<std::vector<Generated>> run() {
        while (done_ < all_) {
            throw_if_stopped();
            if (turn_++ % kTurns == 0) give_room();
            admit();
            if (!active_.empty()) advance();
        }
        return std::move(results_);
    }

private:
    // For what outlives its row: what rows leave, and never more than half, since those that end are seldom all asked for
    // again.
    void give_room() { kept_.set_max_bytes(std::clamp<int64_t>(cache_bytes_ - model_->bytes_held(), 0, cache_bytes_ / 2)); }

    // The order in which prompts are computed: first those of which much is kept, before others push it out; those that
    // begin alike beside each other. Results do not depend on it.
    void arrange() {
        for (const GenerateRequest& request : requests_)
            kept_tokens_.push_back(
                model_->uses_kept_histories() ? kept_.longest(request.prompt, std::ssize(request.prompt) - 1).length : 0);
        const auto is_new = [&](size_t i) { return 2 * kept_tokens_[i] < std::ssize(requests_[i].prompt); };
        order_.resize(requests_.size());
        std::iota(order_.begin(), order_.end(), size_t{0});
        std::stable_sort(order_.begin(), order_.end(), [&](size_t a, size_t b) {
            return is_new(a) != is_new(b) ? is_new(b) : requests_[a].prompt < requests_[b].prompt;
        });
    }

    // Tokens of a prompt that neither were kept nor begin the one before it in the order.
    int64_t own_tokens(size_t place) const {
        const std::vector<int64_t>& prompt = requests_[order_[place]].prompt;
        int64_t known = kept_tokens_[order_[place]];
        if (place > 0 && model_->is_exact()) {
            const std::vector<int64_t>& before = requests_[order_[place - 1]].prompt;
            const auto end = std::mismatch(prompt.begin(), prompt.end(), before.begin(), before.end()).first;
            known = std::max<int64_t>(known, end - prompt.begin());
        }
        return std::max<int64_t>(1, std::ssize(prompt) - known);
    }

    // Prompt tokens of one pass. Where many rows would wait for it, it is short.
    int64_t pass_tokens() const {
        const bool many_wait = active_.size() >= free_rows_.size() && !active_.empty();
        return many_wait && model_->is_exact() ? options_.piece_tokens : options_.prefill_tokens;
    }

    // Fills free rows: samples of prompts that are computed already, then further prompts, as many as one pass takes. With
    // others under way, prompts wait until they are worth the interruption, and are computed piece by piece between steps.
    void admit() {
        place_waiting();
        if (!prefill_) choose_prompts();
        if (!prefill_) return;
        for (Prefill::Ready& ready : prefill_->advance(pass_tokens())) {
            const size_t request = order_[first_ + ready.prompt];
            for (Generated& result : results_[request]) result.cached_tokens = ready.cached_tokens;
            waiting_.push_back({request, 0, std::move(ready.computed)});
        }
        if (prefill_->is_done()) prefill_.reset();
        place_waiting();
    }

    void choose_prompts() {
        const auto rows = static_cast<int64_t>(free_rows_.size() + active_.size());
        if (free_rows_.empty() || next_ >= order_.size()) return;
        if (!active_.empty() && static_cast<int64_t>(free_rows_.size()) * 8 < rows) return;
        std::vector<const std::vector<int64_t>*> prompts;
        first_ = next_;
        int64_t tokens = 0, wanted = 0;
        for (; next_ < order_.size() && wanted < static_cast<int64_t>(free_rows_.size()); ++next_) {
            const GenerateRequest& request = requests_[order_[next_]];
            tokens += own_tokens(next_);
            if (!prompts.empty() && tokens > options_.prefill_tokens) break;
            prompts.push_back(&request.prompt);
            wanted += request.samples;
        }
        const bool is_last = next_ == order_.size();
        prefill_.emplace(std::move(prompts), *model_, &kept_, is_last ? nullptr : &requests_[order_[next_]].prompt);
    }

    void place_waiting() {
        while (!waiting_.empty() && !free_rows_.empty()) {  // again if some end with their first token
            std::vector<Sequence> begun;
            std::vector<Extended> prompts;  // of each of them
            while (!waiting_.empty() && begun.size() < free_rows_.size()) {
                Waiting& w = waiting_.front();
                const GenerateRequest& request = requests_[w.request];
                const uint64_t number = request.first_sample + w.next_sample;
                begun.push_back({w.request, w.next_sample, 0, token_limit(request, options_, model_->config()),
                                 Rng(options_.seed, options_.stage, request.item, number)});
                if (options_.grammar) begun.back().place = options_.grammar->begin();
                prompts.push_back(w.prompt);
                results_[w.request][w.next_sample].prompt_tokens = static_cast<int64_t>(request.prompt.size());
                if (++w.next_sample == static_cast<size_t>(request.samples)) waiting_.pop_front();
            }
            std::vector<at::Tensor> logits;
            for (const Extended& prompt : prompts) logits.push_back(prompt.logits);
            const std::vector<uint8_t> continues = take(begun, at::stack(logits));
            for (size_t i = 0; i < begun.size(); ++i) {
                if (continues[i] == 0) {
                    close(begun[i], prompts[i].history);
                    continue;
                }
                begun[i].row = free_rows_.back();
                free_rows_.pop_back();
                model_->begin_row(begun[i].row, prompts[i].history);
                active_.push_back(begun[i]);
            }
        }
    }

    void advance() {
        std::vector<int64_t> rows, tokens;
        for (const Sequence& s : active_) {
            rows.push_back(s.row);
            tokens.push_back(results_[s.request][s.sample].tokens.back());
        }
        const std::vector<uint8_t> continues = take(active_, model_->step(rows, tokens));
        std::vector<Sequence> still;
        for (size_t i = 0; i < active_.size(); ++i) {
            if (continues[i] != 0) {
                still.push_back(active_[i]);
                continue;
            }
            const int64_t row = active_[i].row;
            const bool is_kept = options_.keep_histories && model_->uses_kept_histories();
            std::shared_ptr<const History> history = is_kept ? model_->history_of(row) : nullptr;
            model_->end_row(row);
            if (is_kept) give_room();  // the row's is free
            close(active_[i], std::move(history));
            free_rows_.push_back(row);
        }
        active_ = std::move(still);
    }

    bool is_stop(const Sequence& sequence, int64_t token) const {
        const auto is_in = [&](const std::vector<int64_t>& ends) {
            return std::find(ends.begin(), ends.end(), token) != ends.end();
        };
        return is_in(options_.stop_tokens) || is_in(requests_[sequence.request].stop_tokens);
    }

    // The sequences' next tokens, each by its row of logits [sequences, vocab]; tells which of them continue.
    std::vector<uint8_t> take(std::vector<Sequence>& sequences, const at::Tensor& logits) {
        if (!logits.is_cpu() && (rules_.any() || options_.grammar))
            return take(sequences, logits.to(at::kCPU, at::kFloat).contiguous());
        std::vector<uint8_t> continues(sequences.size());
        if (!logits.is_cpu()) {
            std::vector<double> draws;
            if (options_.sampling.temperature > 0)
                for (Sequence& sequence : sequences) draws.push_back(sequence.rng.uniform());
            const std::vector<Choice> choices = choose_tokens(logits, options_.sampling, draws, options_.logprobs);
            for (size_t i = 0; i < sequences.size(); ++i) continues[i] = add(sequences[i], choices[i]) ? 1 : 0;
            return continues;
        }
        const int64_t vocabulary = logits.size(1);
        const float* const rows = logits.const_data_ptr<float>();
        at::parallel_for(0, logits.size(0), 4, [&](int64_t begin, int64_t end) {
            std::vector<float> scratch;
            LogitProcessor::Scratch ruled;
            for (int64_t row = begin; row < end; ++row) {
                Sequence& sequence = sequences[static_cast<size_t>(row)];
                const Choice choice = choose(rows + row * vocabulary, vocabulary, sequence, scratch, ruled);
                continues[static_cast<size_t>(row)] = add(sequence, choice) ? 1 : 0;
            }
        });
        return continues;
    }

    Choice choose(const float* logits, int64_t vocabulary, Sequence& sequence, std::vector<float>& scratch,
                  LogitProcessor::Scratch& ruled) const {
        const GenerateRequest& request = requests_[sequence.request];
        const float* allowed =
            rules_.apply(logits, vocabulary,
                         {answer_start_.empty() ? request.prompt : answer_start_,
                          results_[sequence.request][sequence.sample].tokens, sequence.limit, request.stop_tokens},
                         ruled);
        Choice choice;
        if (sequence.place) {
            if (allowed == logits) ruled.logits.assign(logits, logits + vocabulary);
            allowed = ruled.logits.data();
            const bool continues =
                options_.grammar->apply(ruled.logits, *sequence.place, {options_.stop_tokens, request.stop_tokens});
            if (!continues) return {.token = kStuck};
        }
        choice.token = options_.sampling.temperature == 0
                           ? greedy_token(allowed, vocabulary)
                           : sample_token(allowed, vocabulary, options_.sampling, sequence.rng, scratch);
        if (sequence.place && !is_stop(sequence, choice.token)) options_.grammar->advance(*sequence.place, choice.token);
        if (options_.logprobs) choice.logprob = token_logprob(logits, vocabulary, choice.token, scratch);
        return choice;
    }

    // The sequence's next token; true if it continues after it. Touches only this sequence's result.
    bool add(const Sequence& sequence, const Choice& choice) {
        Generated& result = results_[sequence.request][sequence.sample];
        result.stuck = choice.token == kStuck;
        if (result.stuck) return false;
        result.tokens.push_back(choice.token);
        if (options_.logprobs) result.logprob = result.logprob.value_or(0) + choice.logprob;
        result.finished = is_stop(sequence, choice.token) || (!stops_.empty() && stops_.ends_in(result.tokens, *tokenizer_));
        return !result.finished && static_cast<int64_t>(result.tokens.size()) < sequence.limit;
    }

    // `history`: of all its tokens but the last, which was never fed, where it is not stuck; null: not kept.
    void close(const Sequence& sequence, std::shared_ptr<const History> history) {
        Generated& result = results_[sequence.request][sequence.sample];
        if (options_.keep_histories && history) {
            std::vector<int64_t> tokens = requests_[sequence.request].prompt;
            tokens.insert(tokens.end(), result.tokens.begin(), result.tokens.end() - (result.stuck ? 0 : 1));
            kept_.keep(std::move(tokens), std::move(history));
        }
        result.new_tokens = static_cast<int64_t>(result.tokens.size());
        std::vector<int64_t> spoken = result.tokens;
        if (!spoken.empty() && is_stop(sequence, spoken.back())) spoken.pop_back();
        if (tokenizer_ != nullptr) result.text = stops_.cut(tokenizer_->decode(spoken, false));
        ++done_;
        if (--open_[sequence.request] == 0 && sink_) sink_(sequence.request, results_[sequence.request]);
    }

    struct Waiting {
        size_t request, next_sample;
        Extended prompt;
    };

    const std::vector<GenerateRequest>& requests_;
    const GenerateOptions& options_;
    const Tokenizer* tokenizer_;
    const GeneratedSink& sink_;
    StopStrings stops_;
    LogitProcessor rules_;
    StepSource& source_;
    HistoryStore& kept_;
    int64_t cache_bytes_;
    std::unique_ptr<Steps> model_;
    std::vector<int64_t> answer_start_;  // of an encoder-decoder: what rules take for the beginning of its text; else empty
    std::vector<std::vector<Generated>> results_;
    std::vector<int64_t> open_;  // samples of each request that are not done
    std::vector<Sequence> active_;
    std::deque<Waiting> waiting_;  // prompts computed, with samples that have no row yet
    std::vector<int64_t> free_rows_;
    std::vector<int64_t> kept_tokens_;  // of each request's prompt, when the call began
    std::vector<size_t> order_;         // of the requests' prompts
    size_t first_ = 0, next_ = 0;       // in that order: what prefill_ began with, and what comes next
    std::optional<Prefill> prefill_;    // of prompts under way
    int64_t done_ = 0, all_ = 0, turn_ = 0;
};

}  // namespace

std::vector<std::vector<Generated>> generate(StepSource& source, const Tokenizer* tokenizer,
                                             const std::vector<GenerateRequest>& requests, const GenerateOptions& options,
                                             const GeneratedSink& sink) {
    check(requests, options, tokenizer, source.config());
    if (requests.empty()) return {};
    StepSizes sizes;
    for (const GenerateRequest& request : requests) {
        const int64_t limit = token_limit(request, options, source.config());
        sizes.positions = std::max(sizes.positions, limit + static_cast<int64_t>(request.prompt.size()));
    }
    const int64_t cache_bytes = options.cache_bytes > 0 ? options.cache_bytes : source.default_cache_bytes();
    sizes.rows = row_count(requests, options, cache_bytes, source.row_bytes(sizes.positions));
    return Generation(source, tokenizer, requests, options, sizes, cache_bytes, sink).run();
}

std::vector<std::vector<Generated>> generate(const Decoder& decoder, const Tokenizer* tokenizer,
                                             const std::vector<GenerateRequest>& requests, const GenerateOptions& options,
                                             const GeneratedSink& sink) {
    StepSource source(decoder);
    return generate(source, tokenizer, requests, options, sink);
}

}  // namespace craft
