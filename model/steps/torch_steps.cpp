#include "model/steps/torch_steps.h"

#include <torch/types.h>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "core/error.h"
#include "core/signals.h"
#include "model/kernels/composed_attention.h"
#include "model/kernels/cuda/ops.h"
#include "model/kernels/threads.h"

namespace craft {

namespace {

void check_tokens(const std::vector<int64_t>& tokens, int64_t vocabulary) {
    for (const int64_t id : tokens)
        if (id < 0 || id >= vocabulary)
            throw Error("generation", "token ids below the vocabulary's " + std::to_string(vocabulary), std::to_string(id),
                        "the tokenizer and the model do not belong together");
}

at::Tensor float_logits(const Decoder& decoder, const at::Tensor& hidden) {
    return decoder.logits(hidden).to(at::kFloat).contiguous();
}

constexpr int64_t kQueriesAtOnce = 512;  // of compute_after

// Rows that a recorded step of `rows` rows computes.
size_t recorded_rows(size_t rows) {
    return rows <= 4 ? std::bit_ceil(rows) : (rows + 7) / 8 * 8;
}

}  // namespace

std::vector<std::pair<const void*, int64_t>> TensorHistory::parts() const {
    std::vector<std::pair<const void*, int64_t>> all;
    for (const at::Tensor& layer : keys_values)
        all.emplace_back(layer.storage().data(), static_cast<int64_t>(layer.storage().nbytes()));
    return all;
}

TorchSteps::TorchSteps(const Decoder& decoder, const StepSizes& sizes)
    : decoder_(decoder),
      cache_(decoder.config(), sizes.rows + (decoder.device().is_cuda() ? 1 : 0), sizes.positions, decoder.dtype(),
             decoder.device()),
      rows_(static_cast<size_t>(sizes.rows)) {
    decoder_.set_dropout({});
}

TorchSteps::Computed TorchSteps::compute(const PackedBatch& batch, const RotaryTable& table) const {
    const DecoderConfig& c = decoder_.config();
    Computed out;
    at::Tensor x = decoder_.embed(batch.tokens, batch.positions);
    for (int64_t i = 0; i < c.layers; ++i) {
        throw_if_stopped();
        at::Tensor rotated;
        x = decoder_.layer(static_cast<size_t>(i), x, [&](const at::Tensor& qkv) {
            return packed_attention(qkv, table, attention_shape(c, i), batch.segments, &rotated);
        });
        const at::Tensor kept = rotated.narrow(0, c.heads, 2 * c.kv_heads);
        out.keys_values.push_back(kept.unflatten(0, {2, c.kv_heads}).transpose(1, 2));
    }
    out.hidden = normalise(x, decoder_.final_norm(), c);
    return out;
}

// [prompts, vocab], each of its prompt's last token.
at::Tensor TorchSteps::prompt_logits(const at::Tensor& hidden, const std::vector<Segment>& prompts) const {
    std::vector<at::Tensor> rows;
    for (const Segment& s : prompts) rows.push_back(hidden.narrow(0, s.end - 1, 1));
    if (!hidden.is_cpu()) return float_logits(decoder_, at::cat(rows));  // the head is read once
    // By itself a row keeps its last bits whatever is beside it.
    for (at::Tensor& row : rows) row = float_logits(decoder_, row);
    return at::cat(rows);
}

std::vector<Extended> TorchSteps::compute_whole(const std::vector<std::vector<int64_t>>& sequences) const {
    std::vector<TokenTree> trees;
    for (const std::vector<int64_t>& tokens : sequences)
        trees.push_back({{}, {{tokens, std::vector<uint8_t>(tokens.size(), 0)}}});
    const PackedBatch batch = pack(trees, decoder_.device());
    const Computed computed = compute(batch, rotary_table(config(), batch, decoder_.dtype()));
    const at::Tensor logits = prompt_logits(computed.hidden, batch.segments);
    std::vector<Extended> out;
    for (size_t p = 0; p < sequences.size(); ++p) {
        const Segment& s = batch.segments[p];
        auto history = new_history(sequences[p]);
        for (const at::Tensor& layer : computed.keys_values)
            history->keys_values.push_back(layer.narrow(1, s.begin, history->length).clone());
        out.push_back({std::move(history), logits[static_cast<int64_t>(p)]});
    }
    return out;
}

Extended TorchSteps::compute_after(const TensorHistory& history, const std::vector<int64_t>& tokens) {
    const DecoderConfig& c = config();
    const auto count = static_cast<int64_t>(tokens.size()), all = history.length + count;
    std::vector<int64_t> sequence = history.tokens;
    sequence.insert(sequence.end(), tokens.begin(), tokens.end());
    auto longer = new_history(std::move(sequence));
    const at::Tensor positions =
        at::arange(history.length, all, at::TensorOptions().dtype(at::kLong).device(decoder_.device()));
    const RotaryTable table = rotary_table(positions, frequencies(all), c.rope.attention_factor, decoder_.dtype());
    const at::Tensor keys = at::arange(all, positions.options());
    at::Tensor x = decoder_.embed(at::tensor(tokens, at::kLong).to(decoder_.device()), positions);
    for (int64_t i = 0; i < c.layers; ++i) {
        throw_if_stopped();
        const AttentionShape shape = attention_shape(c, i);
        x = decoder_.layer(static_cast<size_t>(i), x, [&](const at::Tensor& qkv) {
            const at::Tensor heads = turned_heads(qkv, table, shape);  // [heads + 2 kv_heads, count, head_dim]
            const at::Tensor own = heads.narrow(0, c.heads, 2 * c.kv_heads).unflatten(0, {2, c.kv_heads}).transpose(1, 2);
            const at::Tensor kept = at::cat({history.keys_values[static_cast<size_t>(i)], own}, 1);
            longer->keys_values.push_back(kept);
            const auto held = [&](int64_t kind) { return kept.select(0, kind).transpose(0, 1).unsqueeze(1); };
            const at::Tensor queries =
                heads.narrow(0, 0, c.heads).reshape({c.kv_heads, c.heads / c.kv_heads, count, c.head_dim});
            // Some queries at a time: masks and scores grow with their number times all keys.
            std::vector<at::Tensor> parts;
            for (int64_t first = 0; first < count; first += kQueriesAtOnce) {
                const int64_t some = std::min(kQueriesAtOnce, count - first);
                const at::Tensor distance = positions.narrow(0, first, some).unsqueeze(1) - keys;
                at::Tensor mask = distance >= 0;
                if (shape.window > 0) mask = mask.logical_and(distance < shape.window);
                parts.push_back(attend_masked(queries.narrow(2, first, some), held(0), held(1), mask, shape));
            }
            return at::cat(parts, 2)
                .reshape({c.heads, count, c.head_dim})
                .transpose(0, 1)
                .reshape({count, c.heads * c.head_dim});
        });
    }
    const at::Tensor hidden = normalise(x.narrow(0, count - 1, 1), decoder_.final_norm(), c);
    return {std::move(longer), float_logits(decoder_, hidden)[0]};
}

std::shared_ptr<TensorHistory> TorchSteps::new_history(std::vector<int64_t> tokens) const {
    auto history = std::make_shared<TensorHistory>();
    history->length = static_cast<int64_t>(tokens.size());
    history->regime = rotary_regime(config(), history->length);
    history->tokens = std::move(tokens);
    return history;
}

std::vector<Extended> TorchSteps::extend(const std::vector<Extension>& extensions) {
    const at::NoGradGuard no_gradients;
    std::vector<Extended> out(extensions.size());
    std::vector<std::vector<int64_t>> whole;
    std::vector<size_t> places;
    for (size_t i = 0; i < extensions.size(); ++i) {
        const std::vector<int64_t>& tokens = extensions[i].tokens;
        if (tokens.empty()) throw Error("generation", "a prompt of at least one token", "an empty one");
        if (extensions[i].follows >= 0) throw std::logic_error("TorchSteps: extensions follow histories alone");
        check_tokens(tokens, config().vocab_size);
        const auto* const before = dynamic_cast<const TensorHistory*>(extensions[i].before.get());
        if (before == nullptr && extensions[i].before)
            throw std::logic_error("TorchSteps: a history of another kind of Steps");
        const int64_t length = static_cast<int64_t>(tokens.size()) + (before != nullptr ? before->length : 0);
        if (length > cache_.positions())
            throw Error("generation", "at most " + std::to_string(cache_.positions()) + " tokens in a row",
                        std::to_string(length));
        if (before != nullptr && before->regime == rotary_regime(config(), length)) {
            out[i] = compute_after(*before, tokens);
            computed_tokens_ += static_cast<int64_t>(tokens.size());
            continue;
        }
        std::vector<int64_t>& sequence = whole.emplace_back(before != nullptr ? before->tokens : std::vector<int64_t>{});
        sequence.insert(sequence.end(), tokens.begin(), tokens.end());
        computed_tokens_ += length;
        places.push_back(i);
    }
    if (whole.empty()) return out;
    std::vector<Extended> computed = compute_whole(whole);
    for (size_t i = 0; i < places.size(); ++i) out[places[i]] = std::move(computed[i]);
    return out;
}

std::shared_ptr<const History> TorchSteps::beginning(const std::shared_ptr<const History>& history, int64_t length,
                                                     int64_t whole) const {
    const auto* const held = dynamic_cast<const TensorHistory*>(history.get());
    if (held == nullptr || held->regime != rotary_regime(config(), whole)) return nullptr;
    if (length == history->length) return history;
    auto shorter = new_history({held->tokens.begin(), held->tokens.begin() + length});
    shorter->regime = held->regime;
    for (const at::Tensor& layer : held->keys_values) shorter->keys_values.push_back(layer.narrow(1, 0, length));
    return shorter;
}

void TorchSteps::begin_row(int64_t row, const std::shared_ptr<const History>& history) {
    const at::NoGradGuard no_gradients;
    const auto& held = dynamic_cast<const TensorHistory&>(*history);
    rows_.at(static_cast<size_t>(row)) = held.tokens;
    for (size_t i = 0; i < held.keys_values.size(); ++i) cache_.fill(static_cast<int64_t>(i), row, held.keys_values[i]);
}

std::shared_ptr<const History> TorchSteps::history_of(int64_t row) const {
    const at::NoGradGuard no_gradients;
    auto history = new_history(rows_.at(static_cast<size_t>(row)));
    for (int64_t i = 0; i < config().layers; ++i)
        history->keys_values.push_back(cache_.held(i, row, history->length).clone());
    return history;
}

void TorchSteps::end_row(int64_t row) {
    rows_.at(static_cast<size_t>(row)).clear();
}

// longrope turns the whole sequence otherwise once it is longer than the original length: all keys are made again.
void TorchSteps::turn_again(int64_t row) {
    const std::vector<int64_t>& tokens = rows_[static_cast<size_t>(row)];
    const PackedBatch batch = pack({{{}, {{tokens, std::vector<uint8_t>(tokens.size(), 0)}}}}, decoder_.device());
    const RotaryTable table = rotary_table(batch.positions, frequencies(static_cast<int64_t>(tokens.size()) + 1),
                                           config().rope.attention_factor, decoder_.dtype());
    const Computed computed = compute(batch, table);
    for (size_t i = 0; i < computed.keys_values.size(); ++i)
        cache_.fill(static_cast<int64_t>(i), row, computed.keys_values[i]);
}

// Of a sequence of `length` tokens, where the decoder is.
at::Tensor TorchSteps::frequencies(int64_t length) {
    const int64_t regime = rotary_regime(config(), length);
    if (const auto found = frequencies_.find(regime); found != frequencies_.end()) return found->second;
    const at::Tensor made = rotary_frequencies(config(), length).to(decoder_.device());
    const bool comes_again = config().rope.kind != RopeKind::dynamic || regime == rotary_regime(config(), 1);
    if (comes_again) frequencies_[regime] = made;
    return made;
}

bool TorchSteps::turns_as_one(const std::vector<int64_t>& lengths) const {
    return std::all_of(lengths.begin(), lengths.end(),
                       [&](int64_t length) { return rotary_regime(config(), length) == rotary_regime(config(), 1); });
}

// Each row's new token turns by the frequencies of its row's length, the token counted.
RotaryTable TorchSteps::step_table(const at::Tensor& positions, const std::vector<int64_t>& lengths) {
    const double factor = config().rope.attention_factor;
    if (turns_as_one(lengths)) return rotary_table(positions, frequencies(1), factor, decoder_.dtype());
    std::vector<at::Tensor> cos, sin;
    for (size_t r = 0; r < lengths.size(); ++r) {
        const at::Tensor position = positions.narrow(0, static_cast<int64_t>(r), 1);
        const RotaryTable one = rotary_table(position, frequencies(lengths[r]), factor, decoder_.dtype());
        cos.push_back(one.cos);
        sin.push_back(one.sin);
    }
    return {at::cat(cos), at::cat(sin)};
}

at::Tensor TorchSteps::step(const std::vector<int64_t>& rows, const std::vector<int64_t>& tokens) {
    adapt_threads();
    const at::NoGradGuard no_gradients;
    const DecoderConfig& c = config();
    check_tokens(tokens, c.vocab_size);
    std::vector<int64_t> positions, lengths;
    for (const int64_t row : rows) {
        positions.push_back(static_cast<int64_t>(rows_.at(static_cast<size_t>(row)).size()));
        lengths.push_back(positions.back() + 1);
        if (lengths.back() > cache_.positions())
            throw Error("generation", "at most " + std::to_string(cache_.positions()) + " tokens in a row", "one more");
        if (c.rope.kind == RopeKind::longrope && rotary_regime(c, positions.back()) != rotary_regime(c, lengths.back()))
            turn_again(row);
    }
    at::Tensor logits;
    if (cuda::kBuilt && cache_.is_flash() && turns_as_one(lengths)) {
        logits = play_step(rows, positions, tokens);
    } else {
        const CacheStep step = cache_.begin_step(rows, positions, tokens);
        logits = compute_step(step, step_table(step.positions, lengths));
    }
    for (size_t r = 0; r < rows.size(); ++r) rows_[static_cast<size_t>(rows[r])].push_back(tokens[r]);
    computed_tokens_ += static_cast<int64_t>(rows.size());
    return logits;
}

at::Tensor TorchSteps::compute_step(const CacheStep& step, const RotaryTable& table) {
    const DecoderConfig& c = config();
    at::Tensor x = decoder_.embed(step.tokens, step.positions);
    for (int64_t i = 0; i < c.layers; ++i) {
        x = decoder_.layer(static_cast<size_t>(i), x, [&](const at::Tensor& qkv) {
            return cache_.attend(i, turned_heads(qkv, table, attention_shape(c, i)).transpose(0, 1), step);
        });
    }
    return float_logits(decoder_, normalise(x, decoder_.final_norm(), c));
}

// As a recording of a few sizes: rows that are missing to one are computed in the spare row, and left out.
at::Tensor TorchSteps::play_step(std::vector<int64_t> rows, std::vector<int64_t> positions, std::vector<int64_t> tokens) {
    const auto n = static_cast<int64_t>(rows.size());
    const size_t size = recorded_rows(rows.size());
    rows.resize(size, static_cast<int64_t>(rows_.size()));
    positions.resize(size, 0);
    tokens.resize(size, 0);
    const at::Tensor numbers = cache_.step_numbers(rows, positions, tokens);
    const auto compute = [&](const at::Tensor& there) {
        const CacheStep step = cache_.step_of(there, cache_.positions());
        return compute_step(step, step_table(step.positions, {1}));
    };
    RecordedStep& recorded = recorded_[size];
    if (!recorded.numbers.defined()) {
        recorded.numbers = numbers.to(decoder_.device(), /*non_blocking=*/true);
        return compute(recorded.numbers).narrow(0, 0, n);
    }
    recorded.numbers.copy_(numbers, /*non_blocking=*/true);
    if constexpr (cuda::kBuilt) {
        if (!pool_) pool_ = cuda::recording_pool(decoder_.device());
        if (!recorded.recording) recorded.recording = pool_->record([&] { return compute(recorded.numbers); });
    }
    return recorded.recording->play().narrow(0, 0, n);
}

}  // namespace craft
