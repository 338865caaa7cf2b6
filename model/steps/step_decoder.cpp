#include "model/steps/step_decoder.h"

#include <ATen/Parallel.h>
#include <torch/types.h>

#include <algorithm>
#include <cstring>

#include "core/error.h"
#include "model/decoder/decoder_files.h"
#include "model/kernels/attention.h"
#include "model/kernels/threads.h"
#include "model/steps/prompt_groups.h"

namespace craft {

namespace {

std::vector<float> floats_if(const at::Tensor& tensor) {
    return tensor.defined() ? floats(tensor) : std::vector<float>{};
}

// Adds a bias, where there is one, to rows of its length.
void add_bias(std::vector<float>& rows, const std::vector<float>& bias) {
    if (bias.empty()) return;
    for (size_t at = 0; at < rows.size(); at += bias.size())
        for (size_t i = 0; i < bias.size(); ++i) rows[at + i] += bias[i];
}

// `count` heads beside each other at the start of a row, each by itself.
void normalise_heads(float* heads, int64_t count, const std::vector<float>& weight, double eps) {
    const auto n = static_cast<int64_t>(weight.size());
    for (int64_t i = 0; i < count; ++i)
        cpu_kernels().rms_norm(heads + i * n, weight.data(), n, static_cast<float>(eps), heads + i * n);
}

void normalise(const std::vector<float>& x, int64_t count, const std::vector<float>& weight, double eps,
               std::vector<float>& y) {
    const auto n = static_cast<int64_t>(weight.size());
    y.resize(static_cast<size_t>(count * n));
    at::parallel_for(0, count, 16, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i)
            cpu_kernels().rms_norm(x.data() + i * n, weight.data(), n, static_cast<float>(eps), y.data() + i * n);
    });
}

// Of bfloat16 weights that are packed, since the kernels multiply panels faster, for as much memory or twice as much beside
// them.
constexpr int64_t kMostCopied = int64_t{512} << 20;  // bytes

}  // namespace

StepWeights::StepWeights(Decoder decoder) {
    const at::NoGradGuard no_gradients;
    const bool may_copy = decoder.weight_bytes() <= kMostCopied;
    for (DecoderLayer& layer : DecoderWeights::layers(decoder)) {
        StepLayer& l = layers.emplace_back();
        l.qkv_bias = floats_if(layer.qkv.bias);
        l.o_bias = floats_if(layer.o.bias);
        l.gate_up_bias = floats_if(layer.gate_up.bias);
        l.down_bias = floats_if(layer.down.bias);
        l.before_attention = floats(layer.before_attention.weight);
        l.before_feed_forward = floats(layer.before_feed_forward.weight);
        l.q_norm = floats_if(layer.q_norm.weight);
        l.k_norm = floats_if(layer.k_norm.weight);
        l.qkv = StepLinear(std::move(layer.qkv), may_copy);
        l.o = StepLinear(std::move(layer.o), may_copy);
        l.gate_up = StepLinear(std::move(layer.gate_up), may_copy);
        l.down = StepLinear(std::move(layer.down), may_copy);
    }
    embedding = StepEmbedding(decoder.embedding(), decoder.embedding_adapter());
    final_norm = floats(decoder.final_norm().weight);
    head = StepLinear(std::move(DecoderWeights::head(decoder)), decoder.head_adapter(), may_copy);
}

StepDecoder::StepDecoder(const DecoderConfig& config, std::shared_ptr<const StepWeights> weights, const StepSizes& sizes)
    : config_(config),
      row_tokens_(padded(std::max<int64_t>(sizes.row_tokens, 1))),
      width_(padded(config_.head_dim)),
      weights_(std::move(weights)) {
    const at::NoGradGuard no_gradients;
    const RotaryTable table =
        rotary_table(at::arange(sizes.positions), rotary_frequencies(config_, 1), config_.rope.attention_factor, at::kFloat);
    half_ = table.cos.size(1);
    cos_ = floats(table.cos);
    sin_ = floats(table.sin);
    rows_.resize(static_cast<size_t>(sizes.rows));
    const auto places = static_cast<size_t>(config_.layers * sizes.rows * config_.kv_heads * row_tokens_);
    own_keys_.reset(new float[places * static_cast<size_t>(config_.head_dim)]);  // not filled: pages come as they are used
    own_values_.reset(new float[places * static_cast<size_t>(width_)]);
}

void StepDecoder::embed(const std::vector<int64_t>& tokens, std::vector<float>& x) const {
    const auto hidden = static_cast<size_t>(config_.hidden_size);
    x.resize(tokens.size() * hidden);
    for (size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i] < 0 || tokens[i] >= config_.vocab_size)
            throw Error("generation", "token ids below the vocabulary's " + std::to_string(config_.vocab_size),
                        std::to_string(tokens[i]), "the tokenizer and the model do not belong together");
        weights_->embedding.read(tokens[i], x.data() + i * hidden);
    }
}

void StepDecoder::project(const StepLayer& layer, Buffers& b, int64_t count) const {
    normalise(b.x, count, layer.before_attention, config_.rms_norm_eps, b.normed);
    layer.qkv.product(b.normed, count, b.qkv, false);
    add_bias(b.qkv, layer.qkv_bias);
    if (layer.q_norm.empty()) return;
    for (int64_t i = 0; i < count; ++i) {
        float* const row = b.qkv.data() + i * layer.qkv.rows();
        normalise_heads(row, config_.heads, layer.q_norm, config_.rms_norm_eps);
        normalise_heads(row + config_.heads * config_.head_dim, config_.kv_heads, layer.k_norm, config_.rms_norm_eps);
    }
}

void StepDecoder::feed_forward(const StepLayer& layer, Buffers& b, int64_t count) const {
    normalise(b.x, count, layer.before_feed_forward, config_.rms_norm_eps, b.normed);
    layer.gate_up.product(b.normed, count, b.gate_up, false);
    add_bias(b.gate_up, layer.gate_up_bias);
    const int64_t n = config_.intermediate_size;
    b.gated.resize(static_cast<size_t>(count * n));
    at::parallel_for(0, count, 8, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i)
            cpu_kernels().swiglu(b.gate_up.data() + 2 * i * n, b.gate_up.data() + (2 * i + 1) * n, n,
                                 b.gated.data() + i * n);
    });
    layer.down.product(b.gated, count, b.x, true);
    add_bias(b.x, layer.down_bias);
}

void StepDecoder::store_prompt(const float* rotated, int64_t tokens, int64_t begin, CpuPromptCache& cache,
                               size_t layer) const {
    const int64_t dim = config_.head_dim, length = cache.own_length(), blocks = padded(length);
    cache.keys[layer].assign(static_cast<size_t>(config_.kv_heads * blocks * dim), 0);
    cache.values[layer].assign(static_cast<size_t>(config_.kv_heads * length * width_), 0);
    for (int64_t head = 0; head < config_.kv_heads; ++head) {
        const float* const k = rotated + ((config_.heads + head) * tokens + begin) * dim;
        const float* const v = rotated + ((config_.heads + config_.kv_heads + head) * tokens + begin) * dim;
        float* const keys = cache.keys[layer].data() + head * blocks * dim;
        float* const values = cache.values[layer].data() + head * length * width_;
        for (int64_t t = 0; t < length; ++t) {
            for (int64_t d = 0; d < dim; ++d) keys[(t / kLanes * dim + d) * kLanes + t % kLanes] = k[t * dim + d];
            std::memcpy(values + t * width_, v + t * dim, static_cast<size_t>(dim) * sizeof(float));
        }
    }
}

std::vector<PrefilledPrompt> StepDecoder::prefill(const std::vector<std::vector<int64_t>>& prompts) const {
    const at::NoGradGuard no_gradients;
    const std::vector<StepLayer>& layers = weights_->layers;
    std::vector<const std::vector<int64_t>*> all;
    for (const std::vector<int64_t>& prompt : prompts) {
        if (prompt.empty()) throw Error("generation", "a prompt of at least one token", "an empty one");
        all.push_back(&prompt);
    }
    // Each cache has the segment of its tokens: what a group shares, and what is left of each prompt.
    std::vector<int64_t> tokens, positions;
    std::vector<Segment> segments;
    std::vector<std::shared_ptr<CpuPromptCache>> caches;
    const auto add = [&](const std::vector<int64_t>& prompt, int64_t from, int64_t to, const Segment& before) {
        const auto begin = static_cast<int64_t>(tokens.size());
        segments.push_back({begin, begin + to - from, before.begin, before.end});
        tokens.insert(tokens.end(), prompt.begin() + from, prompt.begin() + to);
        for (int64_t i = from; i < to; ++i) positions.push_back(i);
        caches.push_back(std::make_shared<CpuPromptCache>());
        caches.back()->length = to;
        caches.back()->keys.resize(layers.size());
        caches.back()->values.resize(layers.size());
    };
    std::vector<size_t> places;  // of the prompts among the segments
    std::vector<PromptGroup> groups;
    if (shares_beginnings())
        groups = prompt_groups(all);
    else
        for (size_t p = 0; p < prompts.size(); ++p) groups.push_back({p});
    for (const PromptGroup& group : groups) {
        std::shared_ptr<const CpuPromptCache> prefix;
        Segment before{0, 0, 0, 0};
        if (group.shared > 0) {
            add(prompts[group.first], 0, group.shared, before);
            before = segments.back();
            prefix = caches.back();
        }
        for (size_t p = group.first; p < group.first + group.count; ++p) {
            places.push_back(segments.size());
            add(prompts[p], group.shared, static_cast<int64_t>(prompts[p].size()), before);
            caches.back()->prefix = prefix;
        }
    }
    const auto count = static_cast<int64_t>(tokens.size());
    const AttentionShape shape{config_.heads, config_.kv_heads, config_.head_dim};
    const RotaryTable table =
        rotary_table(at::tensor(positions), rotary_frequencies(config_, 1), config_.rope.attention_factor, at::kFloat);
    Buffers b;
    embed(tokens, b.x);
    for (size_t l = 0; l < layers.size(); ++l) {
        project(layers[l], b, count);
        at::Tensor rotated;
        const at::Tensor projected = at::from_blob(b.qkv.data(), {count, layers[l].qkv.rows()}, at::kFloat);
        b.attended = floats(packed_attention(projected, table, shape, segments, &rotated));
        for (size_t p = 0; p < caches.size(); ++p)
            store_prompt(rotated.const_data_ptr<float>(), count, segments[p].begin, *caches[p], l);
        layers[l].o.product(b.attended, count, b.x, true);
        add_bias(b.x, layers[l].o_bias);
        feed_forward(layers[l], b, count);
    }
    std::vector<float> last, logits;
    const int64_t hidden = config_.hidden_size;
    for (const size_t place : places) {
        const auto end = b.x.begin() + segments[place].end * hidden;
        last.insert(last.end(), end - hidden, end);
    }
    normalise(last, static_cast<int64_t>(prompts.size()), weights_->final_norm, config_.rms_norm_eps, b.normed);
    weights_->head.product(b.normed, static_cast<int64_t>(prompts.size()), logits, false);
    const at::Tensor rows =
        at::from_blob(logits.data(), {static_cast<int64_t>(prompts.size()), config_.vocab_size}, at::kFloat).clone();
    std::vector<PrefilledPrompt> out;
    for (size_t p = 0; p < prompts.size(); ++p) out.push_back({caches[places[p]], rows[static_cast<int64_t>(p)]});
    return out;
}

void StepDecoder::begin_row(int64_t row, std::shared_ptr<const PromptCache> prompt) {
    rows_.at(static_cast<size_t>(row)) = {std::dynamic_pointer_cast<const CpuPromptCache>(std::move(prompt)), 0};
}

KeyValueRange StepDecoder::own(int64_t row, size_t layer, int64_t kv_head) const {
    const auto place =
        ((static_cast<int64_t>(layer) * static_cast<int64_t>(rows_.size()) + row) * config_.kv_heads + kv_head) *
        row_tokens_;
    return {own_keys_.get() + place * config_.head_dim, own_values_.get() + place * width_,
            rows_[static_cast<size_t>(row)].length};
}

KeyValueRange StepDecoder::kept(const CpuPromptCache& prompt, size_t layer, int64_t kv_head) const {
    const int64_t length = prompt.own_length();
    return {prompt.keys[layer].data() + kv_head * padded(length) * config_.head_dim,
            prompt.values[layer].data() + kv_head * length * width_, length};
}

// Rotates queries and keys in place and writes keys and values behind what the rows hold; lengths stay as they are.
void StepDecoder::append(const std::vector<int64_t>& rows, size_t layer, std::vector<float>& qkv) {
    const int64_t dim = config_.head_dim, half = half_, stride = weights_->layers[layer].qkv.rows();
    at::parallel_for(0, static_cast<int64_t>(rows.size()), 8, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
            const Row& row = rows_[static_cast<size_t>(rows[static_cast<size_t>(i)])];
            const int64_t at = row.length, position = row.prompt->length + at;
            float* const line = qkv.data() + i * stride;
            const float *const cos = cos_.data() + position * half, *const sin = sin_.data() + position * half;
            for (int64_t head = 0; head < config_.heads + config_.kv_heads; ++head) {
                float* const h = line + head * dim;
                for (int64_t d = 0; d < half; ++d) {
                    const float a = h[d], b = h[d + half];
                    h[d] = a * cos[d] - b * sin[d];
                    h[d + half] = b * cos[d] + a * sin[d];
                }
            }
            for (int64_t head = 0; head < config_.kv_heads; ++head) {
                const KeyValueRange range = own(rows[static_cast<size_t>(i)], layer, head);
                float* const keys = own_keys_.get() + (range.keys - own_keys_.get());
                float* const values = own_values_.get() + (range.values - own_values_.get());
                const float* const k = line + (config_.heads + head) * dim;
                for (int64_t d = 0; d < dim; ++d) keys[(at / kLanes * dim + d) * kLanes + at % kLanes] = k[d];
                std::memcpy(values + at * width_, k + config_.kv_heads * dim, static_cast<size_t>(dim) * sizeof(float));
            }
        }
    });
}

void StepDecoder::attend(const std::vector<int64_t>& rows, size_t layer, const std::vector<float>& qkv,
                         std::vector<float>& out) const {
    // Cuts of rows that share a prompt, or what their prompts begin with, and of a kv head's queries, so that a task holds
    // at most kMostQueries.
    const int64_t heads_per_kv = config_.heads / config_.kv_heads, group = std::min(heads_per_kv, kMostQueries);
    const int64_t most_rows = std::max<int64_t>(1, kMostQueries / group), dim = config_.head_dim,
                  stride = weights_->layers[layer].qkv.rows();
    struct Cut {
        size_t first, count;
    };
    const auto prompt_of = [&](int64_t row) { return rows_[static_cast<size_t>(row)].prompt.get(); };
    const auto shared_by = [&](int64_t row) {
        const CpuPromptCache* const prompt = prompt_of(row);
        return prompt->prefix ? prompt->prefix.get() : prompt;
    };
    std::vector<Cut> cuts;
    for (size_t i = 0; i < rows.size(); ++i) {
        const bool joins = !cuts.empty() && shared_by(rows[cuts.back().first]) == shared_by(rows[i]) &&
                           cuts.back().count < static_cast<size_t>(most_rows);
        if (joins)
            ++cuts.back().count;
        else
            cuts.push_back({i, 1});
    }
    out.resize(rows.size() * static_cast<size_t>(config_.heads * dim));
    at::parallel_for(0, static_cast<int64_t>(cuts.size()) * config_.kv_heads, 4, [&](int64_t begin, int64_t end) {
        std::vector<float> scratch;
        AttentionTask task;
        task.head_dim = dim;
        for (int64_t t = begin; t < end; ++t) {
            const Cut& cut = cuts[static_cast<size_t>(t / config_.kv_heads)];
            const int64_t kv_head = t % config_.kv_heads;
            task.shared = kept(*shared_by(rows[cut.first]), layer, kv_head);
            task.rest.clear();
            if (prompt_of(rows[cut.first])->prefix)
                for (size_t i = cut.first; i < cut.first + cut.count; ++i)
                    task.rest.push_back(kept(*prompt_of(rows[i]), layer, kv_head));
            for (int64_t first = 0; first < heads_per_kv; first += group) {
                task.group = std::min(group, heads_per_kv - first);
                task.queries.clear();
                task.outputs.clear();
                task.own.clear();
                for (size_t i = cut.first; i < cut.first + cut.count; ++i) {
                    task.own.push_back(own(rows[i], layer, kv_head));
                    ++task.own.back().length;  // the token that append() just wrote
                    for (int64_t g = first; g < first + task.group; ++g) {
                        const int64_t head = kv_head * heads_per_kv + g;
                        task.queries.push_back(qkv.data() + static_cast<int64_t>(i) * stride + head * dim);
                        task.outputs.push_back(out.data() + (static_cast<int64_t>(i) * config_.heads + head) * dim);
                    }
                }
                cpu_kernels().attend(task, scratch);
            }
        }
    });
}

at::Tensor StepDecoder::step(const std::vector<int64_t>& rows, const std::vector<int64_t>& tokens) {
    adapt_threads();
    for (const int64_t row : rows)
        if (rows_.at(static_cast<size_t>(row)).length >= row_tokens_)
            throw Error("generation", "at most " + std::to_string(row_tokens_) + " new tokens in a row", "one more");
    const auto count = static_cast<int64_t>(rows.size());
    Buffers& b = buffers_;
    const std::vector<StepLayer>& layers = weights_->layers;
    embed(tokens, b.x);
    for (size_t l = 0; l < layers.size(); ++l) {
        project(layers[l], b, count);
        append(rows, l, b.qkv);
        attend(rows, l, b.qkv, b.attended);
        layers[l].o.product(b.attended, count, b.x, true);
        add_bias(b.x, layers[l].o_bias);
        feed_forward(layers[l], b, count);
    }
    for (const int64_t row : rows) ++rows_[static_cast<size_t>(row)].length;
    normalise(b.x, count, weights_->final_norm, config_.rms_norm_eps, b.normed);
    weights_->head.product(b.normed, count, logits_, false);
    return at::from_blob(logits_.data(), {count, config_.vocab_size}, at::kFloat);
}

}  // namespace craft
