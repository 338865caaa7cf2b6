#include "model/steps/step_decoder.h"

#include <ATen/Parallel.h>
#include <torch/types.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <unordered_set>

#include "core/error.h"
#include "core/signals.h"
#include "model/decoder/decoder_files.h"
#include "model/kernels/bfloat16_pages.h"
#include "model/kernels/bfloat16_products.h"
#include "model/kernels/rotary.h"
#include "model/kernels/threads.h"

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
constexpr int64_t kMaxCopied = int64_t{512} << 20;  // bytes

}  // namespace

StepWeights::StepWeights(Decoder decoder) {
    const at::NoGradGuard no_gradients;
    const bool may_copy = decoder.weight_bytes() <= kMaxCopied, rounds = decoder.dtype() == at::kBFloat16;
    for (DecoderLayer& layer : DecoderWeights::layers(decoder)) {
        throw_if_stopped();
        StepLayer& l = layers.emplace_back();
        l.qkv_bias = floats_if(layer.qkv.bias);
        l.o_bias = floats_if(layer.o.bias);
        l.gate_up_bias = floats_if(layer.gate_up.bias);
        l.down_bias = floats_if(layer.down.bias);
        l.before_attention = floats(layer.before_attention.weight);
        l.before_feed_forward = floats(layer.before_feed_forward.weight);
        l.q_norm = floats_if(layer.q_norm.weight);
        l.k_norm = floats_if(layer.k_norm.weight);
        l.qkv = StepLinear(std::move(layer.qkv), may_copy, rounds);
        l.o = StepLinear(std::move(layer.o), may_copy, rounds);
        l.gate_up = StepLinear(std::move(layer.gate_up), may_copy, rounds);
        l.down = StepLinear(std::move(layer.down), may_copy, rounds);
    }
    embedding = StepEmbedding(decoder.embedding(), decoder.embedding_adapter());
    final_norm = floats(decoder.final_norm().weight);
    head = StepLinear(std::move(DecoderWeights::head(decoder)), decoder.head_adapter(), may_copy);
    pool = std::make_shared<PagePool>(page_shape(decoder.config(), decoder.dtype()));
}

std::vector<std::pair<const void*, int64_t>> PagedHistory::parts() const {
    std::vector<std::pair<const void*, int64_t>> all;
    for (int64_t page = 0; page < pages.size(); ++page) all.emplace_back(pages.at(page), page_bytes);
    return all;
}

StepDecoder::StepDecoder(const DecoderConfig& config, std::shared_ptr<const StepWeights> weights, const StepSizes& sizes)
    : config_(config),
      positions_(sizes.positions),
      group_(config.heads / config.kv_heads),
      weights_(std::move(weights)),
      rows_(static_cast<size_t>(sizes.rows)) {
    const at::NoGradGuard no_gradients;
    const RotaryTable table =
        rotary_table(at::arange(sizes.positions), rotary_frequencies(config_, 1), config_.rope.attention_factor, at::kFloat);
    half_ = table.cos.size(1);
    cos_ = floats(table.cos);
    sin_ = floats(table.sin);
}

StepDecoder::~StepDecoder() {
    rows_.clear();
    weights_->pool->trim();
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

void StepDecoder::check_room(int64_t positions) const {
    if (positions > positions_)
        throw Error("generation", "at most " + std::to_string(positions_) + " tokens in a row", std::to_string(positions));
}

// A position's key and value into the block of its page. `is_last`: nothing else is written after it in this pass.
void StepDecoder::write(const float* k, const float* v, int64_t position, bool is_last, float* block) const {
    const PageShape& shape = weights_->pool->shape();
    const int64_t dim = shape.head_dim, width = shape.value_width(), place = position % kLanes;
    if (!shape.is_narrow) {
        float* const value = block + kLanes * dim + place * width;
        for (int64_t d = 0; d < dim; ++d) block[d * kLanes + place] = k[d];
        std::memcpy(value, v, static_cast<size_t>(dim) * sizeof(float));
        std::fill(value + dim, value + width, 0.0F);
        return;
    }
    constexpr int64_t kMax = 64;  // dimensions rounded at a time
    auto *const keys = reinterpret_cast<uint16_t*>(block), *const values = keys + kLanes * dim;
    uint16_t key[kMax], value[kMax];
    for (int64_t first = 0; first < dim; first += kMax) {
        const int64_t count = std::min(kMax, dim - first);
        round_bfloat16(k + first, count, key);
        round_bfloat16(v + first, count, value);
        for (int64_t i = 0; i < count; ++i) {
            const int64_t d = first + i;
            keys[(d / 2 * kLanes + place) * 2 + d % 2] = key[i];
            uint16_t* const pair = values + ((d / kLanes * kLanes / 2 + place / 2) * kLanes + d % kLanes) * 2;
            pair[place % 2] = value[i];
            if (is_last && place % 2 == 0) pair[1] = 0;  // it is read with weight 0 and must be finite
        }
    }
}

// Turns queries and keys in place and writes keys and values into the pages; lengths stay as they are.
void StepDecoder::store(const std::vector<const Run*>& run_of, size_t layer, std::vector<float>& qkv) const {
    const PageShape& shape = weights_->pool->shape();
    const int64_t dim = config_.head_dim, half = half_, stride = weights_->layers[layer].qkv.rows();
    at::parallel_for(0, static_cast<int64_t>(run_of.size()), 8, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
            const Run& run = *run_of[static_cast<size_t>(i)];
            const int64_t position = run.position(i);
            float* const line = qkv.data() + i * stride;
            const float *const cos = cos_.data() + position * half, *const sin = sin_.data() + position * half;
            for (int64_t head = 0; head < config_.heads + config_.kv_heads; ++head)
                cpu_kernels().turn_head(line + head * dim, cos, sin, 1.0F, half, dim, line + head * dim);
            float* const page = run.sequence->pages.at(position / kLanes);
            for (int64_t head = 0; head < config_.kv_heads; ++head) {
                const float* const k = line + (config_.heads + head) * dim;
                write(k, k + config_.kv_heads * dim, position, i + 1 == run.end,
                      page + shape.block(static_cast<int64_t>(layer), head));
            }
        }
    });
}

// Neighbours whose pages begin alike read them together, as do the tokens of one run; with all their queries of a kv head
// they hold at most kMaxQueries.
std::vector<StepDecoder::Cut> StepDecoder::cuts_of(const std::vector<const Run*>& run_of) const {
    const int64_t most = std::max<int64_t>(1, kMaxQueries / group_), count = static_cast<int64_t>(run_of.size());
    const auto pages = [&](int64_t token) -> const KeyValuePages& {
        return run_of[static_cast<size_t>(token)]->sequence->pages;
    };
    std::vector<Cut> cuts;
    for (int64_t token = 0; token < count; ++token) {
        const Run* const run = run_of[static_cast<size_t>(token)];
        const int64_t seen = run->position(token) / kLanes + 1;
        if (!cuts.empty() && token - cuts.back().begin < most) {
            Cut& last = cuts.back();
            const bool same_run = run == run_of[static_cast<size_t>(last.begin)];
            int64_t shared = 0;
            if (same_run) {
                shared = seen;
            } else if (run->end - run->begin == 1) {
                const Page *const a = pages(last.begin).read(), *const b = pages(token).read();
                const int64_t both = std::min(last.shared, run->position(token) / kLanes);
                while (shared < both && a[shared] == b[shared]) ++shared;
            }
            // The new row gains what it shares; the rows before lose what they share beyond it.
            if (same_run || (shared > 0 && shared >= (last.shared - shared) * (last.end - last.begin - 1))) {
                last.end = token + 1;
                last.shared = shared;
                continue;
            }
        }
        const bool is_single = run->end - run->begin == 1;
        cuts.push_back({token, token + 1, is_single ? run->position(token) / kLanes : seen});
    }
    return cuts;
}

void StepDecoder::attend(const std::vector<const Run*>& run_of, const std::vector<Cut>& cuts, size_t layer,
                         const std::vector<float>& qkv, std::vector<float>& out) const {
    const PageShape& shape = weights_->pool->shape();
    const int64_t dim = config_.head_dim, stride = weights_->layers[layer].qkv.rows(), wide = config_.heads * dim;
    const int64_t at_once = std::min(group_, kMaxQueries);
    out.resize(run_of.size() * static_cast<size_t>(wide));
    const int64_t count = static_cast<int64_t>(cuts.size()) * config_.kv_heads;
    at::parallel_for(0, count, 4, [&](int64_t begin, int64_t end) {
        std::vector<float> scratch;
        AttentionTask task;
        task.head_dim = dim;
        for (int64_t t = begin; t < end; ++t) {
            // Later cuts of a long run see more: from both ends, so that threads have as much to do.
            const int64_t place = t % 2 == 0 ? t / 2 : count - 1 - t / 2;
            const Cut& cut = cuts[static_cast<size_t>(place / config_.kv_heads)];
            const int64_t kv_head = place % config_.kv_heads;
            task.pages = run_of[static_cast<size_t>(cut.begin)]->sequence->pages.read();
            task.page_count = cut.shared;
            task.block = shape.block(static_cast<int64_t>(layer), kv_head);
            for (int64_t first = 0; first < group_; first += at_once) {
                task.group = std::min(at_once, group_ - first);
                task.rows.clear();
                for (int64_t i = cut.begin; i < cut.end; ++i) {
                    const Run& run = *run_of[static_cast<size_t>(i)];
                    const int64_t head = kv_head * group_ + first;
                    task.rows.push_back({qkv.data() + i * stride + head * dim, out.data() + i * wide + head * dim,
                                         run.sequence->pages.read() + cut.shared, run.position(i) + 1});
                }
                (shape.is_narrow ? attend_bfloat16 : cpu_kernels().attend)(task, scratch);
            }
        }
    });
}

void StepDecoder::compute(const std::vector<int64_t>& tokens, const std::vector<Run>& runs, Buffers& b) const {
    const auto count = static_cast<int64_t>(tokens.size());
    std::vector<const Run*> run_of;
    for (const Run& run : runs) run_of.insert(run_of.end(), static_cast<size_t>(run.end - run.begin), &run);
    const std::vector<Cut> cuts = cuts_of(run_of);
    embed(tokens, b.x);
    for (size_t l = 0; l < weights_->layers.size(); ++l) {
        throw_if_stopped();  // of a long prompt each takes a while
        const StepLayer& layer = weights_->layers[l];
        project(layer, b, count);
        store(run_of, l, b.qkv);
        attend(run_of, cuts, l, b.qkv, b.attended);
        layer.o.product(b.attended, count, b.x, true);
        add_bias(b.x, layer.o_bias);
        feed_forward(layer, b, count);
    }
}

std::vector<Extended> StepDecoder::extend(const std::vector<Extension>& extensions) {
    adapt_threads();
    const at::NoGradGuard no_gradients;
    PagePool& pool = *weights_->pool;
    std::vector<Sequence> sequences(extensions.size());
    std::vector<Run> runs;
    std::vector<int64_t> tokens;
    for (size_t i = 0; i < extensions.size(); ++i) {
        const Extension& e = extensions[i];
        if (e.tokens.empty()) throw Error("generation", "a prompt of at least one token", "an empty one");
        Sequence& sequence = sequences[i];
        if (e.before) {
            const auto& history = dynamic_cast<const PagedHistory&>(*e.before);
            sequence = {history.pages, history.length};
        } else if (e.follows >= 0) {
            const auto earlier = static_cast<size_t>(e.follows);
            if (earlier >= i) throw std::logic_error("StepDecoder: an extension that follows a later one");
            sequence.length = sequences[earlier].length + static_cast<int64_t>(extensions[earlier].tokens.size());
            if (sequence.length % kLanes != 0)
                throw std::logic_error("StepDecoder: an extension that follows part of a page");
            sequence.pages.share_first(sequences[earlier].pages, sequence.length / kLanes);
        }
        const auto begin = static_cast<int64_t>(tokens.size()), own = static_cast<int64_t>(e.tokens.size());
        check_room(sequence.length + own);
        sequence.pages.reserve(pool, sequence.length, sequence.length + own);
        runs.push_back({&sequence, begin, begin + own});
        tokens.insert(tokens.end(), e.tokens.begin(), e.tokens.end());
    }
    Buffers b;
    compute(tokens, runs, b);
    computed_tokens_ += static_cast<int64_t>(tokens.size());
    std::vector<float> last, logits;
    const int64_t hidden = config_.hidden_size;
    int64_t wanted = 0;
    for (size_t i = 0; i < extensions.size(); ++i) {
        if (!extensions[i].wants_logits) continue;
        const auto end = b.x.begin() + runs[i].end * hidden;
        last.insert(last.end(), end - hidden, end);
        ++wanted;
    }
    at::Tensor rows;
    if (wanted > 0) {
        normalise(last, wanted, weights_->final_norm, config_.rms_norm_eps, b.normed);
        weights_->head.product(b.normed, wanted, logits, false);
        rows = at::from_blob(logits.data(), {wanted, config_.vocab_size}, at::kFloat).clone();
    }
    std::vector<Extended> out;
    for (size_t i = 0, next = 0; i < extensions.size(); ++i) {
        sequences[i].length += static_cast<int64_t>(extensions[i].tokens.size());
        out.push_back({history_of(sequences[i]), {}});
        if (extensions[i].wants_logits) out.back().logits = rows[static_cast<int64_t>(next++)];
    }
    return out;
}

std::shared_ptr<const History> StepDecoder::history_of(const Sequence& sequence) const {
    auto history = std::make_shared<PagedHistory>();
    history->length = sequence.length;
    history->pages = sequence.pages;
    history->page_bytes = weights_->pool->shape().floats() * static_cast<int64_t>(sizeof(float));
    return history;
}

std::shared_ptr<const History> StepDecoder::beginning(const std::shared_ptr<const History>& history, int64_t length,
                                                      int64_t /*whole*/) const {
    const auto* const held = dynamic_cast<const PagedHistory*>(history.get());
    if (held == nullptr) return nullptr;
    if (length == history->length) return history;
    Sequence sequence;
    sequence.length = length;
    sequence.pages.share_first(held->pages, padded(length) / kLanes);
    return history_of(sequence);
}

void StepDecoder::begin_row(int64_t row, const std::shared_ptr<const History>& history) {
    rows_.at(static_cast<size_t>(row)) = {dynamic_cast<const PagedHistory&>(*history).pages, history->length};
}

std::shared_ptr<const History> StepDecoder::history_of(int64_t row) const {
    return history_of(rows_.at(static_cast<size_t>(row)));
}

void StepDecoder::end_row(int64_t row) {
    rows_.at(static_cast<size_t>(row)) = {};
}

int64_t StepDecoder::bytes_held() const {
    std::unordered_set<const float*> pages;
    for (const Sequence& row : rows_)
        for (int64_t page = 0; page < row.pages.size(); ++page) pages.insert(row.pages.at(page));
    return std::ssize(pages) * weights_->pool->shape().floats() * static_cast<int64_t>(sizeof(float));
}

at::Tensor StepDecoder::step(const std::vector<int64_t>& rows, const std::vector<int64_t>& tokens) {
    adapt_threads();
    const auto count = static_cast<int64_t>(rows.size());
    std::vector<Run> runs;
    for (const int64_t row : rows) {
        Sequence& sequence = rows_.at(static_cast<size_t>(row));
        check_room(sequence.length + 1);
        sequence.pages.reserve(*weights_->pool, sequence.length, sequence.length + 1);
        const auto at = static_cast<int64_t>(runs.size());
        runs.push_back({&sequence, at, at + 1});
    }
    Buffers& b = buffers_;
    compute(tokens, runs, b);
    computed_tokens_ += count;
    for (const int64_t row : rows) ++rows_[static_cast<size_t>(row)].length;
    normalise(b.x, count, weights_->final_norm, config_.rms_norm_eps, b.normed);
    weights_->head.product(b.normed, count, logits_, false);
    return at::from_blob(logits_.data(), {count, config_.vocab_size}, at::kFloat);
}

}  // namespace craft
