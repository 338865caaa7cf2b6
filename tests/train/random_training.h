// Random decoders, adapters, trees and losses for the property tests of training. Every draw comes from the generator.
#pragma once

#include <torch/types.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "core/rng.h"
#include "losses/losses.h"
#include "model/decoder/decoder.h"
#include "model/decoder/decoder_files.h"

namespace craft::test {

inline bool chance(Rng& rng, double share) {
    return rng.uniform() < share;
}

inline double real_between(Rng& rng, double low, double high) {
    return low + (high - low) * rng.uniform();
}

inline RopeConfig random_rope(Rng& rng, int64_t head_dim) {
    RopeConfig rope;
    const std::vector<RopeKind> kinds = {RopeKind::plain,  RopeKind::plain, RopeKind::plain,   RopeKind::linear,
                                         RopeKind::llama3, RopeKind::yarn,  RopeKind::dynamic, RopeKind::longrope};
    rope.kind = rng.pick(kinds);
    if (head_dim >= 8 && chance(rng, 0.2)) rope.dims = head_dim / 2;
    rope.factor = real_between(rng, 1.5, 8);
    rope.original_positions = rng.between(10, 60);
    if (rope.kind == RopeKind::yarn || rope.kind == RopeKind::longrope) rope.attention_factor = real_between(rng, 1, 1.3);
    if (rope.kind != RopeKind::longrope) return rope;
    for (int64_t i = 0; i < (rope.dims > 0 ? rope.dims : head_dim) / 2; ++i) {
        rope.short_factors.push_back(real_between(rng, 1, 1.5));
        rope.long_factors.push_back(real_between(rng, 1, 20));
    }
    return rope;
}

inline void set_windows(Rng& rng, DecoderConfig& c) {
    for (int64_t i = 0; i < c.layers; ++i) c.windows.push_back(chance(rng, 0.6) ? rng.between(1, 40) : 0);
}

inline DecoderConfig random_config(Rng& rng) {
    const std::vector<std::string> kinds = {"Llama", "Mistral", "Qwen2", "Qwen3", "Phi3", "GPT2LMHeadModel", "Gemma2"};
    const std::string kind = rng.pick(kinds);
    const std::vector<int64_t> head_dims = {4, 8, 12, 16, 16, 32};
    DecoderConfig c;
    c.architecture = kind == "GPT2LMHeadModel" ? kind : kind + "ForCausalLM";
    c.layers = rng.between(1, 3);
    c.head_dim = rng.pick(head_dims);
    c.kv_heads = rng.between(1, 3);
    c.heads = c.kv_heads * rng.between(1, 3);
    c.hidden_size = rng.between(5, 40);
    c.intermediate_size = rng.between(3, 50);
    c.vocab_size = chance(rng, 0.3) ? rng.between(500, 1400) : rng.between(7, 90);
    c.max_positions = 512;
    c.tied_embeddings = chance(rng, 0.5);
    c.rms_norm_eps = chance(rng, 0.5) ? 1e-6 : 1e-5;
    c.rope = random_rope(rng, c.head_dim);
    const std::vector<Activation> activations = {Activation::silu, Activation::gelu, Activation::gelu_tanh,
                                                 Activation::relu};
    if (chance(rng, 0.3)) c.activation = rng.pick(activations);
    if (kind == "Llama") {
        c.qkv_bias = c.o_bias = chance(rng, 0.3);
        c.mlp_bias = chance(rng, 0.3);
    } else if (kind == "Qwen2") {
        c.qkv_bias = true;
    } else if (kind == "Qwen3") {
        c.qk_norms = true;
    } else if (kind == "GPT2LMHeadModel") {
        c.rope = {};
        c.rope.kind = RopeKind::none;
        c.kv_heads = c.heads;
        c.hidden_size = c.heads * c.head_dim;
        c.learned_positions = c.layer_norms = true;
        c.qkv_bias = c.o_bias = c.mlp_bias = true;
        c.gated = false;
        c.activation = Activation::gelu_tanh;
    } else if (kind == "Gemma2") {
        c.norms_from_one = c.output_norms = true;
        c.embedding_scale = std::sqrt(static_cast<double>(c.hidden_size));
        c.attention_scale = real_between(rng, 0.1, 0.6);
        c.attention_cap = chance(rng, 0.7) ? real_between(rng, 2, 50) : 0;
        c.logit_cap = chance(rng, 0.7) ? real_between(rng, 4, 30) : 0;
        c.activation = Activation::gelu_tanh;
    }
    if (kind != "Llama" && kind != "GPT2LMHeadModel" && chance(rng, 0.6)) set_windows(rng, c);
    return c;
}

// Weights of a size at which attention, gates and the softmax matter.
inline Decoder random_decoder(const DecoderConfig& config, at::ScalarType dtype, Rng& rng) {
    Decoder decoder = DecoderWeights::empty(config);
    auto generator = at::make_generator<at::CPUGeneratorImpl>(rng.next());
    std::set<at::Tensor*> filled;
    for (const WeightSlot& slot : DecoderWeights::slots(decoder)) {
        if (!filled.insert(slot.place).second) continue;
        at::Tensor values = at::empty(slot.whole, at::kDouble).normal_(0, 1, generator);
        if (slot.linear != nullptr)
            values.mul_(1.3 / std::sqrt(static_cast<double>(slot.whole[1])));
        else if (slot.whole.size() == 2)
            values.mul_(2 / std::sqrt(static_cast<double>(config.hidden_size)));
        else
            values.mul_(0.3).add_(slot.name.ends_with(".weight") && !config.norms_from_one ? 1 : 0);
        *slot.place = values.to(dtype);
    }
    if (config.tied_embeddings) DecoderWeights::head(decoder) = decoder.embedding();
    return decoder;
}

// On some of the projections (sometimes embedding and head, too), of some of the layers.
inline LoraOptions random_lora(Rng& rng, const DecoderConfig& c) {
    LoraOptions lora;
    lora.rank = rng.between(1, 6);
    lora.alpha = real_between(rng, 1, 8);
    lora.rslora = chance(rng, 0.3);
    std::vector<std::string> names;
    for (const LinearGroup& group : linear_groups(c, 0))
        for (const std::string& name : group.projections) names.push_back(name.substr(name.find('.') + 1));
    rng.shuffle(names);
    names.resize(static_cast<size_t>(rng.between(1, static_cast<int64_t>(names.size()))));
    // GPT-2 has two projections called c_proj.
    lora.targets = chance(rng, 0.2) ? std::vector<std::string>{"all-linear"} : names;
    if (chance(rng, 0.3)) {
        lora.layers = {rng.between(0, c.layers - 1)};
    } else if (lora.targets.front() != "all-linear") {
        if (chance(rng, 0.25)) lora.targets.push_back("lm_head");
        if (chance(rng, 0.25)) lora.targets.push_back(c.learned_positions ? "wte" : "embed_tokens");
    }
    return lora;
}

// Every weight, or an adapter whose A and B are both far from zero; in words.
inline std::string make_random_trainable(Decoder& decoder, Rng& rng) {
    if (chance(rng, 0.25)) {
        decoder.train_all_weights();
        return "every weight";
    }
    const LoraOptions lora = random_lora(rng, decoder.config());
    decoder.add_adapter(lora, rng);
    auto generator = at::make_generator<at::CPUGeneratorImpl>(rng.next());
    for (const auto& [name, leaf] : decoder.trainable()) {
        const double size = name.find("_A") == std::string::npos ? 0.3 : 1 / std::sqrt(static_cast<double>(leaf.size(1)));
        leaf.detach().normal_(0, size, generator);
    }
    std::string words = "rank " + std::to_string(lora.rank) + " on";
    for (const std::string& target : lora.targets) words += " " + target;
    if (!lora.layers.empty()) words += " of layer " + std::to_string(lora.layers.front());
    return words;
}

// Mostly short, now and then beyond the blocks that kernels work in.
inline int64_t random_length(Rng& rng, int64_t shortest) {
    return chance(rng, 0.15) ? rng.between(shortest, 140) : rng.between(shortest, 14);
}

inline MaskedTokens random_branch(Rng& rng, int64_t vocabulary, bool has_prefix) {
    MaskedTokens branch;
    const int64_t first = has_prefix ? 0 : 1, length = random_length(rng, first + 1);
    for (int64_t i = 0; i < length; ++i) {
        branch.tokens.push_back(rng.between(0, vocabulary - 1));
        branch.counted.push_back(i >= first && chance(rng, 0.7) ? 1 : 0);
    }
    branch.counted[static_cast<size_t>(rng.between(first, length - 1))] = 1;
    return branch;
}

inline TokenTree random_tree(Rng& rng, int64_t vocabulary, int64_t branches) {
    TokenTree tree;
    for (int64_t n = chance(rng, 0.15) ? 0 : random_length(rng, 1); n > 0; --n)
        tree.prefix.push_back(rng.between(0, vocabulary - 1));
    const bool begin_alike = chance(rng, 0.5);
    for (int64_t i = 0; i < branches; ++i) {
        MaskedTokens branch = random_branch(rng, vocabulary, !tree.prefix.empty());
        if (i > 0 && begin_alike) {
            const std::vector<int64_t>& first = tree.branches[0].tokens;
            const auto most = static_cast<int64_t>(std::min(first.size(), branch.tokens.size()));
            std::copy_n(first.begin(), rng.between(0, most), branch.tokens.begin());
        }
        tree.branches.push_back(std::move(branch));
    }
    return tree;
}

inline LossOptions random_loss(Rng& rng) {
    LossOptions o = default_loss_options(rng.pick(loss_names()).second);
    if (chance(rng, 0.5)) o.beta = real_between(rng, 0.05, 3);
    if (chance(rng, 0.5)) o.gamma = real_between(rng, -1, 2);
    if (chance(rng, 0.5)) o.alpha = real_between(rng, 0, 2);
    if (chance(rng, 0.5)) o.label_smoothing = real_between(rng, 0, 0.49);
    if (chance(rng, 0.5)) o.eta1 = real_between(rng, 0.1, 1.5);
    if (chance(rng, 0.5)) o.eta2 = real_between(rng, 0, 1);
    o.detach_tau = chance(rng, 0.3);
    const std::vector<CpoForm> forms = {CpoForm::sigmoid, CpoForm::hinge, CpoForm::ipo};
    o.form = rng.pick(forms);
    o.nll_normalisation = chance(rng, 0.5) ? NllNormalisation::sum : NllNormalisation::mean;
    return o;
}

}  // namespace craft::test
