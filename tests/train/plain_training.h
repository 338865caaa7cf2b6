// A training step computed the plain way, to hold the packed one against: each response a row of its own with its whole
// prompt before it, rows padded to one length, a dense mask, logits of all positions, the losses as they are defined, and
// LibTorch's autograd, in float64 whatever the decoder's dtype (or in float32, to see what rounding does to a case). Of the
// code under test it takes the weights, and the frequencies of rotary positions, which are float32 by definition
// (tests/model/decoder/rotary_test.cpp).
#pragma once

#include <torch/types.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "losses/losses.h"
#include "model/decoder/decoder.h"
#include "model/kernels/rotary.h"

namespace craft::test {

// The paths of trees, in the order of their branches.
struct PaddedRows {
    at::Tensor tokens;  // [rows, longest] int64, 0 after a row's end
    std::vector<int64_t> lengths;
    // Of each counted token, in order: its row, the position before it, and itself.
    std::vector<int64_t> row, before, target;
    std::vector<int64_t> counted;  // by row
};

inline PaddedRows padded_rows(const std::vector<TokenTree>& trees) {
    PaddedRows rows;
    std::vector<std::vector<int64_t>> paths;
    for (const TokenTree& tree : trees)
        for (const MaskedTokens& branch : tree.branches) {
            std::vector<int64_t> path = tree.prefix;
            rows.counted.push_back(0);
            for (size_t i = 0; i < branch.tokens.size(); ++i) {
                path.push_back(branch.tokens[i]);
                if (branch.counted[i] == 0) continue;
                rows.row.push_back(static_cast<int64_t>(paths.size()));
                rows.before.push_back(static_cast<int64_t>(path.size()) - 2);
                rows.target.push_back(branch.tokens[i]);
                ++rows.counted.back();
            }
            rows.lengths.push_back(static_cast<int64_t>(path.size()));
            paths.push_back(std::move(path));
        }
    const int64_t longest = std::max<int64_t>(1, *std::max_element(rows.lengths.begin(), rows.lengths.end()));
    rows.tokens = at::zeros({static_cast<int64_t>(paths.size()), longest}, at::kLong);
    for (size_t i = 0; i < paths.size(); ++i)
        if (!paths[i].empty())
            rows.tokens[static_cast<int64_t>(i)].narrow(0, 0, rows.lengths[i]).copy_(at::tensor(paths[i], at::kLong));
    return rows;
}

// What the plain computation computes in.
inline at::ScalarType& plain_dtype() {
    static at::ScalarType dtype = at::kDouble;
    return dtype;
}

inline at::Tensor wide(const at::Tensor& weight) {
    return weight.to(plain_dtype());
}

// scale * (x A^T) B^T of x [..., in].
inline at::Tensor plain_lora(const at::Tensor& x, const Projection& part) {
    return at::matmul(at::matmul(x, wide(part.lora_a).t()), wide(part.lora_b).t()) * part.lora_scale;
}

inline at::Tensor plain_linear(const at::Tensor& x, const Linear& linear) {
    const at::Tensor base = at::matmul(x, wide(linear.weight).t());
    std::vector<at::Tensor> parts;
    for (const Projection& part : linear.projections) {
        at::Tensor y = base.narrow(-1, part.first, part.rows);
        if (part.lora_a.defined()) y = y + plain_lora(x, part);
        parts.push_back(y);
    }
    const at::Tensor y = at::cat(parts, -1);
    return linear.bias.defined() ? y + wide(linear.bias) : y;
}

inline at::Tensor plain_norm(const at::Tensor& x, const Norm& norm, const DecoderConfig& c) {
    if (!norm.weight.defined()) return x;
    if (c.layer_norms) {
        const at::Tensor centred = x - x.mean(-1, true);
        const at::Tensor deviation = (centred.square().mean(-1, true) + c.rms_norm_eps).sqrt();
        return centred / deviation * wide(norm.weight) + wide(norm.bias);
    }
    return x / (x.square().mean(-1, true) + c.rms_norm_eps).sqrt() * (wide(norm.weight) + (c.norms_from_one ? 1.0 : 0.0));
}

inline at::Tensor plain_activation(const at::Tensor& x, Activation activation) {
    switch (activation) {
        case Activation::silu:
            return x * x.sigmoid();
        case Activation::gelu:
            return x * 0.5 * (1 + (x / std::sqrt(2.0)).erf());
        case Activation::gelu_tanh:
            return x * 0.5 * (1 + (std::sqrt(2 / 3.14159265358979323846) * (x + 0.044715 * x * x * x)).tanh());
        case Activation::relu:
            return x.clamp_min(0);
    }
    return x;
}

// cos and sin [rows, longest, half] at positions from 0, each row with the frequencies of its own length.
inline RotaryTable plain_rotary(const DecoderConfig& c, const PaddedRows& rows) {
    std::vector<at::Tensor> cos, sin;
    const at::Tensor positions = at::arange(rows.tokens.size(1), at::kLong);
    for (const int64_t length : rows.lengths) {
        const RotaryTable table =
            rotary_table(positions, rotary_frequencies(c, length), c.rope.attention_factor, plain_dtype());
        cos.push_back(table.cos);
        sin.push_back(table.sin);
    }
    return {at::stack(cos), at::stack(sin)};
}

// qkv [rows, n, (heads + 2 kv_heads) head_dim] -> [rows, n, heads * head_dim].
inline at::Tensor plain_attention(const at::Tensor& qkv, const RotaryTable& table, const DecoderConfig& c, int64_t layer) {
    const int64_t n = qkv.size(1), half = table.cos.size(-1), group = c.heads / c.kv_heads;
    const at::Tensor heads = qkv.view({qkv.size(0), n, -1, c.head_dim}).transpose(1, 2);  // [rows, heads + ..., n, dim]
    const auto turned = [&](const at::Tensor& x) {
        if (half == 0) return x;
        const at::Tensor a = x.narrow(-1, 0, half), b = x.narrow(-1, half, half), cos = table.cos.unsqueeze(1),
                         sin = table.sin.unsqueeze(1);
        return at::cat({a * cos - b * sin, b * cos + a * sin, x.narrow(-1, 2 * half, c.head_dim - 2 * half)}, -1);
    };
    const at::Tensor q = turned(heads.narrow(1, 0, c.heads));
    const at::Tensor k = turned(heads.narrow(1, c.heads, c.kv_heads)).repeat_interleave(group, 1);
    const at::Tensor v = heads.narrow(1, c.heads + c.kv_heads, c.kv_heads).repeat_interleave(group, 1);
    const double scale = c.attention_scale > 0 ? c.attention_scale : 1 / std::sqrt(static_cast<double>(c.head_dim));
    at::Tensor scores = at::matmul(q, k.transpose(-1, -2)) * scale;
    if (c.attention_cap > 0) scores = (scores / c.attention_cap).tanh() * c.attention_cap;
    const at::Tensor at = at::arange(n), distance = at.unsqueeze(1) - at;
    at::Tensor unseen = distance < 0;
    if (c.window(layer) > 0) unseen = unseen.logical_or(distance >= c.window(layer));
    const at::Tensor weights = scores.masked_fill(unseen, -INFINITY).softmax(-1);
    return at::matmul(weights, v).transpose(1, 2).reshape({qkv.size(0), n, -1});
}

inline at::Tensor plain_qkv(const at::Tensor& x, const DecoderLayer& layer, const DecoderConfig& c) {
    const at::Tensor qkv = plain_linear(plain_norm(x, layer.before_attention, c), layer.qkv);
    if (!c.qk_norms) return qkv;
    const at::Tensor heads = qkv.view({x.size(0), x.size(1), -1, c.head_dim});
    return at::cat({plain_norm(heads.narrow(2, 0, c.heads), layer.q_norm, c),
                    plain_norm(heads.narrow(2, c.heads, c.kv_heads), layer.k_norm, c),
                    heads.narrow(2, c.heads + c.kv_heads, c.kv_heads)},
                   2)
        .view(qkv.sizes());
}

inline at::Tensor plain_embeddings(const Decoder& d, const at::Tensor& tokens) {
    const DecoderConfig& c = d.config();
    at::Tensor x = wide(d.embedding()).index({tokens});
    if (const Projection& lora = d.embedding_adapter(); lora.lora_a.defined())
        x = x + at::matmul(wide(lora.lora_a).t().index({tokens}), wide(lora.lora_b).t()) * lora.lora_scale;
    x = x * c.embedding_scale;
    return c.learned_positions ? x + wide(d.positions()).narrow(0, 0, tokens.size(1)) : x;
}

// [rows, longest, vocabulary].
inline at::Tensor plain_logits(const Decoder& d, const PaddedRows& rows) {
    const DecoderConfig& c = d.config();
    const RotaryTable table = plain_rotary(c, rows);
    at::Tensor x = plain_embeddings(d, rows.tokens);
    for (int64_t i = 0; i < c.layers; ++i) {
        const DecoderLayer& layer = d.layer_weights()[static_cast<size_t>(i)];
        const at::Tensor attended = plain_linear(plain_attention(plain_qkv(x, layer, c), table, c, i), layer.o);
        x = x + plain_norm(attended, layer.after_attention, c);
        at::Tensor inner = plain_linear(plain_norm(x, layer.before_feed_forward, c), layer.gate_up);
        if (c.gated) {
            const auto halves = inner.chunk(2, -1);
            inner = plain_activation(halves[0], c.activation) * halves[1];
        } else {
            inner = plain_activation(inner, c.activation);
        }
        x = x + plain_norm(plain_linear(inner, layer.down), layer.after_feed_forward, c);
    }
    x = plain_norm(x, d.final_norm(), c);
    at::Tensor logits = at::matmul(x, wide(d.head()).t());
    if (d.head_adapter().lora_a.defined()) logits = logits + plain_lora(x, d.head_adapter());
    return c.logit_cap > 0 ? (logits / c.logit_cap).tanh() * c.logit_cap : logits;
}

// Log-probabilities of all tokens where a counted one stands, in order: [R, vocabulary].
inline at::Tensor plain_distributions(const Decoder& d, const PaddedRows& rows) {
    return plain_logits(d, rows).log_softmax(-1).index(
        {at::tensor(rows.row, at::kLong), at::tensor(rows.before, at::kLong)});
}

// Of the counted tokens: [R].
inline at::Tensor plain_logprobs(const at::Tensor& distributions, const PaddedRows& rows) {
    return distributions.gather(1, at::tensor(rows.target, at::kLong).unsqueeze(1)).squeeze(1);
}
inline at::Tensor plain_logprobs(const Decoder& d, const PaddedRows& rows) {
    return plain_logprobs(plain_distributions(d, rows), rows);
}

// A step's loss and the figures that metrics.jsonl has, of those that apply.
struct PlainStep {
    at::Tensor loss, preference, nll;
    double chosen_logp = 0, rejected_logp = 0, margin = 0, accuracy = 0;
    double smallest_margin = INFINITY;  // by size: where it is next to 0 rounding decides the accuracy
    double entropy = 0, token_accuracy = 0;
    double smallest_lead = INFINITY;  // of a likeliest token, in log-probability: likewise
    std::vector<double> branch_sums;
};

inline at::Tensor minus_log_sigmoid(const at::Tensor& x) {
    return at::logaddexp(at::zeros_like(x), -x);
}

// One pair's preference part and its margin, of sums w, l over n_w, n_l tokens.
struct PlainPair {
    at::Tensor loss, margin;
};

inline LossTerms own_terms(const LossOptions& o, const at::Tensor& w, double n_w, const at::Tensor& l, double n_l) {
    return preference_loss(o, {w.view({1}), at::full({1}, n_w, w.options()), l.view({1}), at::full({1}, n_l, l.options())});
}

inline PlainPair plain_pair(const LossOptions& o, const at::Tensor& w, double n_w, const at::Tensor& l, double n_l,
                            const ReferenceSums& reference) {
    const at::Tensor gap = w / n_w - l / n_l;
    const auto tau = [&] {
        const at::Tensor t = o.eta1 * (o.eta2 * gap.abs()).exp() - 1;
        const at::Tensor clamped = t.item<double>() < 1 ? t : at::ones_like(t);
        return o.detach_tau ? clamped.detach() : clamped;
    };
    const auto smoothed = [&](const at::Tensor& x) {
        return (1 - o.label_smoothing) * minus_log_sigmoid(x) + o.label_smoothing * minus_log_sigmoid(-x);
    };
    switch (o.name) {
        case LossName::simpo:
        case LossName::craft:
        case LossName::cpo_simpo:
            return {smoothed(o.beta * gap - o.gamma), o.beta * gap};
        case LossName::cpo: {
            const at::Tensor margin = o.beta * (w - l);
            if (o.form == CpoForm::hinge) return {(1 - margin).clamp_min(0), margin};
            if (o.form == CpoForm::ipo) return {(gap - 1 / (2 * o.beta)).square(), margin};
            return {smoothed(margin), margin};
        }
        case LossName::arpo: {
            const at::Tensor margin = o.beta * (w - tau() * l);
            return {smoothed(margin), margin};
        }
        case LossName::arpo_simpo: {
            const at::Tensor margin = o.beta * (w / n_w - tau() * (l / n_l));
            return {smoothed(margin - o.gamma), margin};
        }
        case LossName::dpo: {
            const at::Tensor margin = o.beta * ((w - reference.chosen) - (l - reference.rejected));
            return {smoothed(margin), margin};
        }
        case LossName::sft:
            return {};
        default: {  // a loss that has no plain form here: its own, of these sums
            const LossTerms terms = own_terms(o, w, n_w, l, n_l);
            return {terms.preference_sum, at::scalar_tensor(terms.metrics.margin, at::kDouble)};
        }
    }
}

// None where the loss has no likelihood part.
inline std::optional<double> nll_weight(const LossOptions& o) {
    switch (o.name) {
        case LossName::simpo:
            return std::nullopt;
        case LossName::sft:
        case LossName::craft:
            return 1;
        case LossName::cpo:
        case LossName::cpo_simpo:
        case LossName::arpo:
        case LossName::arpo_simpo:
        case LossName::dpo:
            return o.alpha;
        default: {
            const at::Tensor minus_one = -at::ones({}, at::kDouble);
            const LossTerms terms = own_terms(o, minus_one, 1, minus_one, 1);
            return terms.metrics.nll ? std::optional(terms.nll_sum.item<double>()) : std::nullopt;
        }
    }
}

// Of each stride-th branch from the first on.
inline void add_statistics(PlainStep& step, const at::Tensor& distributions, const PaddedRows& rows, size_t stride) {
    const at::Tensor all = distributions.detach(), entropy = -(all.exp() * all).sum(1);
    const auto [values, tokens] = all.topk(2, 1);
    const at::Tensor right = tokens.select(1, 0).eq(at::tensor(rows.target, at::kLong)).to(at::kDouble);
    step.smallest_lead = (values.select(1, 0) - values.select(1, 1)).min().item<double>();
    const auto entropies = entropy.split_with_sizes(rows.counted), rights = right.split_with_sizes(rows.counted);
    double tokens_counted = 0;
    for (size_t i = 0; i < rows.counted.size(); i += stride) {
        step.entropy += entropies[i].sum().item<double>();
        step.token_accuracy += rights[i].sum().item<double>();
        tokens_counted += static_cast<double>(rows.counted[i]);
    }
    step.entropy /= tokens_counted;
    step.token_accuracy /= tokens_counted;
}

// `references`: of each pair, where the loss needs them.
inline PlainStep plain_step(const Decoder& d, const std::vector<TokenTree>& trees, const LossOptions& o,
                            const std::vector<ReferenceSums>& references) {
    const PaddedRows rows = padded_rows(trees);
    std::vector<at::Tensor> sums;
    const at::Tensor distributions = plain_distributions(d, rows);
    const std::vector<at::Tensor> branches = plain_logprobs(distributions, rows).split_with_sizes(rows.counted);
    PlainStep step;
    add_statistics(step, distributions, rows, needs_pairs(o.name) ? 2 : 1);
    for (const at::Tensor& branch : branches) {
        sums.push_back(branch.sum());
        step.branch_sums.push_back(sums.back().item<double>());
    }
    const size_t stride = needs_pairs(o.name) ? 2 : 1;
    const double examples = static_cast<double>(trees.size());
    double chosen_tokens = 0;
    step.preference = at::zeros({}, at::kDouble);
    step.nll = at::zeros({}, at::kDouble);
    for (size_t i = 0; i < sums.size(); i += stride) {
        const auto n_w = static_cast<double>(rows.counted[i]);
        chosen_tokens += n_w;
        step.nll = step.nll - sums[i];
        if (stride == 1) continue;
        const auto n_l = static_cast<double>(rows.counted[i + 1]);
        const PlainPair pair =
            plain_pair(o, sums[i], n_w, sums[i + 1], n_l, needs_reference(o.name) ? references.at(i / 2) : ReferenceSums{});
        const double margin = pair.margin.item<double>();
        step.preference = step.preference + pair.loss / examples;
        step.chosen_logp += step.branch_sums[i] / n_w / examples;
        step.rejected_logp += step.branch_sums[i + 1] / n_l / examples;
        step.margin += margin / examples;
        step.accuracy += (margin > 0 ? 1 : 0) / examples;
        step.smallest_margin = std::min(step.smallest_margin, std::abs(margin));
    }
    const bool by_pairs = takes_coefficient(o, "nll_normalisation") && o.nll_normalisation == NllNormalisation::sum;
    step.nll = step.nll / (by_pairs ? examples : chosen_tokens);
    step.loss = step.preference + nll_weight(o).value_or(0) * step.nll;
    return step;
}

}  // namespace craft::test
