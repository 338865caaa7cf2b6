// The parts of a decoder behind an encoder: sources through the encoder, answers through the decoder that sees them.
#include <torch/types.h>

#include <array>
#include <map>

#include "core/error.h"
#include "model/decoder/decoder.h"
#include "model/kernels/distance_attention.h"
#include "model/kernels/threads.h"

namespace craft {

namespace {

DistanceBuckets buckets_of(const DecoderConfig& config, bool is_encoder) {
    return {config.position_buckets, config.bucket_distance, /*both_directions=*/is_encoder};
}

// Numbers by distance, once for all layers. One that learns is made again each time: where layers are recomputed, backward
// passes through each of its uses by itself.
class DistanceBiases {
public:
    DistanceBiases(const at::Tensor& table, const DistanceBuckets& buckets, bool causal)
        : table_(table), buckets_(buckets), causal_(causal) {}
    at::Tensor of(int64_t queries, int64_t keys, int64_t before) {
        const auto make = [&] { return distance_bias(table_, queries, keys, before, buckets_, causal_); };
        if (table_.requires_grad()) return make();
        at::Tensor& known = made_[{queries, keys, before}];
        if (!known.defined()) known = make();
        return known;
    }

private:
    at::Tensor table_;
    DistanceBuckets buckets_;
    bool causal_;
    std::map<std::array<int64_t, 3>, at::Tensor> made_;
};

struct Rows {
    int64_t begin = 0, size = 0;
    at::Tensor of(const at::Tensor& x) const { return x.narrow(0, begin, size); }
};

// Answers, or what several of them begin with: rows among those that the decoder reads, behind shared ones.
struct AnswerPart {
    Rows own, shared;
    size_t source = 0;
};

// What of a packed batch the encoder reads, and what the decoder.
struct AnswerPlan {
    std::vector<int64_t> source_rows, answer_rows;  // of the batch
    std::vector<Rows> sources;                      // among the former
    std::vector<int64_t> lengths;                   // of the sources
    std::vector<AnswerPart> parts;                  // among the latter

    explicit AnswerPlan(const std::vector<Segment>& segments, const std::string& architecture) {
        std::map<int64_t, std::pair<size_t, Rows>> trees;  // by a prefix's begin: its source, and what its branches share
        for (const Segment& segment : segments) {
            const bool is_prefix = segment.branch < 0;
            const int64_t begin = is_prefix ? segment.begin : segment.prefix_begin;
            if (segment.source_end <= begin)
                throw Error("an example of " + architecture, "a prompt, which the encoder reads", "an answer alone",
                            "give rows with a prompt and a completion");
            if (is_prefix) {
                trees[begin] = {sources.size(), Rows{}};
                sources.push_back(append(source_rows, begin, segment.source_end));
                lengths.push_back(sources.back().size);
            }
            auto& [source, shared] = trees.at(begin);
            const int64_t first = is_prefix ? segment.source_end : segment.begin;
            if (first == segment.end) continue;
            parts.push_back({append(answer_rows, first, segment.end), is_prefix ? Rows{} : shared, source});
            if (is_prefix) shared = parts.back().own;
        }
    }

private:
    static Rows append(std::vector<int64_t>& rows, int64_t begin, int64_t end) {
        const Rows added{std::ssize(rows), end - begin};
        for (int64_t row = begin; row < end; ++row) rows.push_back(row);
        return added;
    }
};

at::Tensor selected(const at::Tensor& keys, const at::Tensor& rows) {
    return keys.defined() ? keys.index_select(0, rows) : at::Tensor();
}

}  // namespace

at::Tensor Decoder::position_bias(int64_t queries, int64_t keys, int64_t before) const {
    return distance_bias(position_bias_, queries, keys, before, buckets_of(config_, false), /*causal=*/true);
}

at::Tensor Decoder::answer_states(const at::Tensor& x) const {
    const at::Tensor states = normalise(x, final_norm_, config_);
    return config_.head_scale == 1 ? states : states * config_.head_scale;
}

at::Tensor Decoder::encode(const at::Tensor& tokens, const std::vector<int64_t>& lengths) const {
    adapt_threads();
    return encoder_states(tokens, lengths, {});
}

at::Tensor Decoder::memory(size_t index, const at::Tensor& encoded) const {
    return layers_[index].cross_kv.forward(encoded);
}

at::Tensor Decoder::encoder_states(const at::Tensor& tokens, const std::vector<int64_t>& lengths,
                                   const at::Tensor& dropout) const {
    const int64_t width = config_.heads * config_.head_dim;
    const auto biases = std::make_shared<DistanceBiases>(encoder_bias_, buckets_of(config_, true), /*causal=*/false);
    at::Tensor x = embed(tokens, {});
    for (size_t i = 0; i < static_cast<size_t>(config_.encoder_layers); ++i) {
        const auto attention = [this, width, biases, lengths](const at::Tensor& qkv) {
            std::vector<at::Tensor> attended;
            int64_t begin = 0;
            for (const int64_t length : lengths) {
                const at::Tensor own = qkv.narrow(0, begin, length);
                attended.push_back(biased_attention(own.narrow(1, 0, width), own.narrow(1, width, width),
                                                    own.narrow(1, 2 * width, width), biases->of(length, length, 0),
                                                    config_.heads, config_.attention_scale));
                begin += length;
            }
            return at::cat(attended);
        };
        x = run_recomputed(i, x, [this, i, dropout, attention](const at::Tensor& input) {
            return run_layer(i, input, dropout, attention, nullptr);
        });
    }
    return normalise(x, encoder_norm_, config_);
}

at::Tensor Decoder::answer_hidden(const PackedBatch& batch) const {
    const AnswerPlan plan(batch.segments, config_.architecture);
    const int64_t width = config_.heads * config_.head_dim;
    const auto rows = [&](const std::vector<int64_t>& list) { return at::tensor(list, at::kLong).to(device()); };
    const at::Tensor source_rows = rows(plan.source_rows), answer_rows = rows(plan.answer_rows);
    const at::Tensor source_dropout = selected(dropout_keys_, source_rows),
                     answer_dropout = selected(dropout_keys_, answer_rows);
    const at::Tensor encoded = encoder_states(batch.tokens.index_select(0, source_rows), plan.lengths, source_dropout);
    const int64_t encoded_rows = encoded.size(0);
    const auto biases = std::make_shared<DistanceBiases>(position_bias_, buckets_of(config_, false), /*causal=*/true);
    at::Tensor x = embed(batch.tokens.index_select(0, answer_rows), {});
    for (size_t i = static_cast<size_t>(config_.encoder_layers); i < layers_.size(); ++i) {
        const auto attention = [this, width, biases, parts = plan.parts](const at::Tensor& qkv) {
            std::vector<at::Tensor> attended;
            for (const AnswerPart& part : parts) {
                at::Tensor kv = part.own.of(qkv).narrow(1, width, 2 * width);
                if (part.shared.size > 0) kv = at::cat({part.shared.of(qkv).narrow(1, width, 2 * width), kv});
                attended.push_back(biased_attention(
                    part.own.of(qkv).narrow(1, 0, width), kv.narrow(1, 0, width), kv.narrow(1, width, width),
                    biases->of(part.own.size, kv.size(0), part.shared.size), config_.heads, config_.attention_scale));
            }
            return at::cat(attended);
        };
        // Where the layer is recomputed its input is one tensor: sources, then answers.
        x = run_recomputed(i, at::cat({encoded, x}), [=, this, plan = plan](const at::Tensor& input) {
            const at::Tensor kv = layers_[i].cross_kv.forward(input.narrow(0, 0, encoded_rows), source_dropout);
            const auto cross = [&](const at::Tensor& queries) {
                std::vector<at::Tensor> attended;
                for (const AnswerPart& part : plan.parts) {
                    const at::Tensor seen = plan.sources[part.source].of(kv);
                    attended.push_back(biased_attention(part.own.of(queries), seen.narrow(1, 0, width),
                                                        seen.narrow(1, width, width), {}, config_.heads,
                                                        config_.attention_scale));
                }
                return at::cat(attended);
            };
            return run_layer(i, input.narrow(0, encoded_rows, input.size(0) - encoded_rows), answer_dropout, attention,
                             cross);
        });
    }
    const at::Tensor states = answer_states(x);
    return at::zeros({batch.token_count(), config_.hidden_size}, states.options()).index_copy(0, answer_rows, states);
}

}  // namespace craft
