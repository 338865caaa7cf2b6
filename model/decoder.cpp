#include "model/decoder.h"

#include <torch/autograd.h>
#include <torch/types.h>

#include <cmath>

#include "core/error.h"
#include "model/attention.h"
#include "model/decoder_files.h"
#include "model/ops.h"

namespace craft {

namespace {

at::Tensor normal_tensor(std::vector<int64_t> shape, double deviation, Rng& rng) {
    at::Tensor tensor = at::empty(shape, at::kFloat);
    float* values = tensor.mutable_data_ptr<float>();
    for (int64_t i = 0; i < tensor.numel(); ++i) values[i] = static_cast<float>(rng.normal() * deviation);
    return tensor;
}

// An id outside the vocabulary would read foreign memory on some devices; on others the message names no token.
void check_tokens(const at::Tensor& tokens, int64_t vocab_size) {
    if (!tokens.is_cpu()) return;
    const int64_t* ids = tokens.const_data_ptr<int64_t>();
    for (int64_t i = 0; i < tokens.size(0); ++i)
        if (ids[i] < 0 || ids[i] >= vocab_size)
            throw Error("token " + std::to_string(i) + " of a batch",
                        "an id below the vocabulary's " + std::to_string(vocab_size), std::to_string(ids[i]),
                        "the tokenizer and the model do not belong together");
}

}  // namespace

Decoder Decoder::initialise(const DecoderConfig& config, Rng& rng) {
    Decoder decoder = DecoderWeights::empty(config);
    const double residual = 0.02 / std::sqrt(2.0 * static_cast<double>(config.layers));
    decoder.embedding_ = normal_tensor({config.vocab_size, config.hidden_size}, 0.02, rng);
    for (DecoderLayer& layer : decoder.layers_) {
        layer.input_norm = at::ones({config.hidden_size});
        layer.post_attention_norm = at::ones({config.hidden_size});
        for (const LinearGroup& group : linear_groups()) {
            Linear& linear = layer.*group.member;
            const Projection& last = linear.projections.back();
            const bool is_residual = group.member == &DecoderLayer::o || group.member == &DecoderLayer::down;
            linear.weight = normal_tensor({last.first + last.rows, projection_columns(config, group.projections.front())},
                                          is_residual ? residual : 0.02, rng);
        }
    }
    decoder.final_norm_ = at::ones({config.hidden_size});
    decoder.head_ =
        config.tied_embeddings ? decoder.embedding_ : normal_tensor({config.vocab_size, config.hidden_size}, 0.02, rng);
    return decoder;
}

at::Device Decoder::device() const {
    return embedding_.device();
}
at::ScalarType Decoder::dtype() const {
    return embedding_.scalar_type();
}

void Decoder::train_all_weights() {
    if (adapter_) throw Error("training all weights", "a decoder without an adapter", "one with an adapter");
    embedding_.requires_grad_(true);
    head_.requires_grad_(true);
    final_norm_.requires_grad_(true);
    for (DecoderLayer& layer : layers_) {
        layer.input_norm.requires_grad_(true);
        layer.post_attention_norm.requires_grad_(true);
        for (const LinearGroup& group : linear_groups()) (layer.*group.member).weight.requires_grad_(true);
    }
}

std::vector<std::pair<std::string, at::Tensor>> Decoder::trainable() const {
    std::vector<std::pair<std::string, at::Tensor>> leaves;
    const auto add = [&](const std::string& name, const at::Tensor& tensor) {
        if (tensor.defined() && tensor.requires_grad()) leaves.emplace_back(name, tensor);
    };
    add("model.embed_tokens.weight", embedding_);
    for (size_t i = 0; i < layers_.size(); ++i) {
        const std::string prefix = "model.layers." + std::to_string(i) + ".";
        add(prefix + "input_layernorm.weight", layers_[i].input_norm);
        add(prefix + "post_attention_layernorm.weight", layers_[i].post_attention_norm);
        for (const LinearGroup& group : linear_groups()) {
            const Linear& linear = layers_[i].*group.member;
            std::string joined = prefix;  // "…self_attn.q_proj+self_attn.k_proj+…": one leaf holds them all
            for (const std::string& name : group.projections) joined += (joined == prefix ? "" : "+") + name;
            add(joined + ".weight", linear.weight);
            for (const Projection& part : linear.projections) {
                add("base_model.model." + part.name + ".lora_A.weight", part.lora_a);
                add("base_model.model." + part.name + ".lora_B.weight", part.lora_b);
            }
        }
    }
    add("model.norm.weight", final_norm_);
    if (!config_.tied_embeddings) add("lm_head.weight", head_);
    return leaves;
}

at::Tensor Decoder::hidden(const PackedBatch& batch) const {
    check_tokens(batch.tokens, config_.vocab_size);
    const AttentionShape shape{config_.heads, config_.kv_heads, config_.head_dim};
    const RotaryTable table = rotary_table(batch.positions, config_.head_dim, config_.rope_theta, dtype());
    at::Tensor x = at::embedding(embedding_, batch.tokens);
    for (const DecoderLayer& layer : layers_) {
        const at::Tensor qkv = layer.qkv.forward(rms_norm(x, layer.input_norm, config_.rms_norm_eps), dropout_);
        const at::Tensor attended = packed_attention(qkv, table, shape, batch.segments);
        x = x + layer.o.forward(attended, dropout_);
        const at::Tensor normed = rms_norm(x, layer.post_attention_norm, config_.rms_norm_eps);
        x = x + layer.down.forward(swiglu(layer.gate_up.forward(normed, dropout_)), dropout_);
    }
    return rms_norm(x, final_norm_, config_.rms_norm_eps);
}

at::Tensor Decoder::logits(const at::Tensor& hidden_rows) const {
    const at::Tensor product = at::mm(hidden_rows, head_.t());
    return dtype() == at::kDouble ? product : product.to(at::kFloat);
}

Decoder Decoder::merged() const {
    Decoder copy = *this;
    copy.adapter_.reset();
    copy.dropout_.clear();
    for (DecoderLayer& layer : copy.layers_) {
        for (const LinearGroup& group : linear_groups()) {
            Linear& linear = layer.*group.member;
            linear.weight = linear.merged_weight();
            for (Projection& part : linear.projections) part.lora_a = part.lora_b = at::Tensor();
        }
    }
    return copy;
}

}  // namespace craft
