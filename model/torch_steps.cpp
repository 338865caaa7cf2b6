#include "model/torch_steps.h"

#include <torch/types.h>

#include <algorithm>

#include "core/error.h"
#include "model/composed_attention.h"

namespace craft {

namespace {

struct TorchPromptCache : PromptCache {
    std::vector<int64_t> tokens;
    std::vector<at::Tensor> keys, values;  // per layer [kv_heads, length, head_dim]
};

void check_tokens(const std::vector<int64_t>& tokens, int64_t vocabulary) {
    for (const int64_t id : tokens)
        if (id < 0 || id >= vocabulary)
            throw Error("generation", "token ids below the vocabulary's " + std::to_string(vocabulary), std::to_string(id),
                        "the tokenizer and the model do not belong together");
}

}  // namespace

TorchSteps::TorchSteps(const Decoder& decoder, const StepSizes& sizes)
    : decoder_(decoder), positions_(sizes.positions), rows_(static_cast<size_t>(sizes.rows)) {
    decoder_.set_dropout({});
    const DecoderConfig& c = decoder_.config();
    const auto options = at::TensorOptions().dtype(decoder_.dtype()).device(decoder_.device());
    for (int64_t i = 0; i < c.layers; ++i)
        for (auto* caches : {&keys_, &values_})
            // Zeros: attention multiplies what its mask hides by 0, which leaves a NaN a NaN.
            caches->push_back(at::zeros({sizes.rows, c.kv_heads, positions_, c.head_dim}, options));
}

TorchSteps::Computed TorchSteps::compute(const PackedBatch& batch, const RotaryTable& table) const {
    const DecoderConfig& c = decoder_.config();
    Computed out;
    at::Tensor x = decoder_.embed(batch.tokens, batch.positions);
    for (int64_t i = 0; i < c.layers; ++i) {
        at::Tensor rotated;
        x = decoder_.layer(static_cast<size_t>(i), x, [&](const at::Tensor& qkv) {
            return packed_attention(qkv, table, attention_shape(c, i), batch.segments, &rotated);
        });
        out.keys.push_back(rotated.narrow(0, c.heads, c.kv_heads));
        out.values.push_back(rotated.narrow(0, c.heads + c.kv_heads, c.kv_heads));
    }
    out.hidden = normalise(x, decoder_.final_norm(), c);
    return out;
}

std::vector<float> TorchSteps::logits_of(const at::Tensor& hidden) const {
    const at::Tensor logits = decoder_.logits(hidden).to(at::kCPU, at::kFloat).contiguous();
    return {logits.const_data_ptr<float>(), logits.const_data_ptr<float>() + logits.numel()};
}

std::vector<PrefilledPrompt> TorchSteps::prefill(const std::vector<std::vector<int64_t>>& prompts) const {
    const at::NoGradGuard no_gradients;
    std::vector<TokenTree> trees;
    for (const std::vector<int64_t>& prompt : prompts) {
        if (prompt.empty()) throw Error("generation", "a prompt of at least one token", "an empty one");
        check_tokens(prompt, config().vocab_size);
        trees.push_back({{}, {{prompt, std::vector<uint8_t>(prompt.size(), 0)}}});
    }
    const PackedBatch batch = pack(trees, decoder_.device());
    const Computed computed = compute(batch, rotary_table(config(), batch, decoder_.dtype()));
    std::vector<PrefilledPrompt> out;
    for (size_t p = 0; p < prompts.size(); ++p) {
        const Segment& s = batch.segments[p];
        auto cache = std::make_shared<TorchPromptCache>();
        cache->length = s.end - s.begin;
        cache->tokens = prompts[p];
        for (size_t i = 0; i < computed.keys.size(); ++i) {
            cache->keys.push_back(computed.keys[i].narrow(1, s.begin, cache->length).clone());
            cache->values.push_back(computed.values[i].narrow(1, s.begin, cache->length).clone());
        }
        out.push_back({std::move(cache), logits_of(computed.hidden.narrow(0, s.end - 1, 1))});
    }
    return out;
}

void TorchSteps::begin_row(int64_t row, std::shared_ptr<const PromptCache> prompt) {
    const at::NoGradGuard no_gradients;
    const auto& cache = dynamic_cast<const TorchPromptCache&>(*prompt);
    rows_.at(static_cast<size_t>(row)).tokens = cache.tokens;
    for (size_t i = 0; i < keys_.size(); ++i) {
        keys_[i][row].narrow(1, 0, cache.length).copy_(cache.keys[i]);
        values_[i][row].narrow(1, 0, cache.length).copy_(cache.values[i]);
    }
}

// longrope turns the whole sequence otherwise once it is longer than the original length: all keys are made again.
void TorchSteps::turn_again(int64_t row) {
    const std::vector<int64_t>& tokens = rows_[static_cast<size_t>(row)].tokens;
    const auto length = static_cast<int64_t>(tokens.size());
    const PackedBatch batch = pack({{{}, {{tokens, std::vector<uint8_t>(tokens.size(), 0)}}}}, decoder_.device());
    const RotaryTable table = rotary_table(batch.positions, rotary_frequencies(config(), length + 1),
                                           config().rope.attention_factor, decoder_.dtype());
    const Computed computed = compute(batch, table);
    for (size_t i = 0; i < keys_.size(); ++i) {
        keys_[i][row].narrow(1, 0, length).copy_(computed.keys[i]);
        values_[i][row].narrow(1, 0, length).copy_(computed.values[i]);
    }
}

// Each row's new token turns by the frequencies of its row's length.
RotaryTable TorchSteps::step_table(const std::vector<int64_t>& rows, const at::Tensor& positions) const {
    const double factor = config().rope.attention_factor;
    const bool one_for_all = std::all_of(rows.begin(), rows.end(), [&](int64_t row) {
        const auto length = static_cast<int64_t>(rows_[static_cast<size_t>(row)].tokens.size());
        return rotary_regime(config(), length + 1) == rotary_regime(config(), 1);
    });
    if (one_for_all) return rotary_table(positions, rotary_frequencies(config(), 1), factor, decoder_.dtype());
    std::vector<at::Tensor> cos, sin;
    for (size_t r = 0; r < rows.size(); ++r) {
        const auto length = static_cast<int64_t>(rows_[static_cast<size_t>(rows[r])].tokens.size());
        const RotaryTable one = rotary_table(positions.narrow(0, static_cast<int64_t>(r), 1),
                                             rotary_frequencies(config(), length + 1), factor, decoder_.dtype());
        cos.push_back(one.cos);
        sin.push_back(one.sin);
    }
    return {at::cat(cos), at::cat(sin)};
}

const float* TorchSteps::step(const std::vector<int64_t>& rows, const std::vector<int64_t>& tokens) {
    const at::NoGradGuard no_gradients;
    const DecoderConfig& c = config();
    check_tokens(tokens, c.vocab_size);
    std::vector<int64_t> lengths;
    for (const int64_t row : rows) {
        lengths.push_back(static_cast<int64_t>(rows_.at(static_cast<size_t>(row)).tokens.size()));
        if (lengths.back() >= positions_)
            throw Error("generation", "at most " + std::to_string(positions_) + " tokens in a row", "one more");
        if (c.rope.kind == RopeKind::longrope && rotary_regime(c, lengths.back()) != rotary_regime(c, lengths.back() + 1))
            turn_again(row);
    }
    const auto on_device = [&](const std::vector<int64_t>& v) { return at::tensor(v, at::kLong).to(decoder_.device()); };
    const int64_t count = static_cast<int64_t>(rows.size()), longest = *std::max_element(lengths.begin(), lengths.end()) + 1;
    const at::Tensor places = on_device(lengths), row_ids = on_device(rows);
    const RotaryTable table = step_table(rows, places);
    const at::Tensor distance = places.unsqueeze(1) - at::arange(longest, places.options());  // [rows, positions]
    const bool all = count == static_cast<int64_t>(rows_.size()) && std::is_sorted(rows.begin(), rows.end());
    at::Tensor x = decoder_.embed(on_device(tokens), places);
    for (int64_t i = 0; i < c.layers; ++i) {
        const AttentionShape shape = attention_shape(c, i);
        at::Tensor seen = distance >= 0;
        if (shape.window > 0) seen = seen.logical_and(distance < shape.window);
        at::Tensor &keys = keys_[static_cast<size_t>(i)], &values = values_[static_cast<size_t>(i)];
        x = decoder_.layer(static_cast<size_t>(i), x, [&](const at::Tensor& qkv) {
            const at::Tensor heads =
                turned_heads(qkv, table, shape).transpose(0, 1);  // [rows, heads + 2 kv_heads, head_dim]
            using at::indexing::Slice;
            keys.index_put_({row_ids, Slice(), places}, heads.narrow(1, c.heads, c.kv_heads));
            values.index_put_({row_ids, Slice(), places}, heads.narrow(1, c.heads + c.kv_heads, c.kv_heads));
            const auto held = [&](const at::Tensor& cache) {
                const at::Tensor begun = cache.narrow(2, 0, longest);
                return all ? begun : begun.index_select(0, row_ids);
            };
            // The heads that share keys stand as queries beside each other.
            const at::Tensor q = heads.narrow(1, 0, c.heads).reshape({count, c.kv_heads, c.heads / c.kv_heads, c.head_dim});
            return attend_masked(q, held(keys), held(values), seen.unsqueeze(1).unsqueeze(1), shape)
                .reshape({count, c.heads * c.head_dim});
        });
    }
    for (size_t r = 0; r < rows.size(); ++r) rows_[static_cast<size_t>(rows[r])].tokens.push_back(tokens[r]);
    logits_ = logits_of(normalise(x, decoder_.final_norm(), c));
    return logits_.data();
}

}  // namespace craft
