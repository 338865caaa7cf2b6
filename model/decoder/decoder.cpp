#include "model/decoder/decoder.h"

#include <torch/autograd.h>
#include <torch/types.h>

#include <cmath>
#include <set>

#include "core/error.h"
#include "core/signals.h"
#include "model/decoder/decoder_files.h"
#include "model/decoder/recomputed.h"
#include "model/kernels/attention.h"
#include "model/kernels/cuda/ops.h"
#include "model/kernels/ops.h"
#include "model/kernels/threads.h"
#include "model/spec/architecture.h"

namespace craft {

namespace {

at::Tensor normal_tensor(const std::vector<int64_t>& shape, double deviation, Rng& rng) {
    at::Tensor tensor = at::empty(shape, at::kFloat);
    float* values = tensor.mutable_data_ptr<float>();
    for (int64_t i = 0; i < tensor.numel(); ++i) values[i] = static_cast<float>(rng.normal() * deviation);
    return tensor;
}

// An id outside its table would read foreign memory on some devices; on others the message names no token.
void check_ids(const at::Tensor& values, int64_t end, const std::string& what, const std::string& expected,
               const std::string& hint) {
    if (!values.is_cpu()) return;
    const int64_t* ids = values.const_data_ptr<int64_t>();
    for (int64_t i = 0; i < values.size(0); ++i)
        if (ids[i] < 0 || ids[i] >= end)
            throw Error(what + " " + std::to_string(i) + " of a batch", expected + std::to_string(end),
                        std::to_string(ids[i]), hint);
}

}  // namespace

Decoder Decoder::initialise(const DecoderConfig& config, Rng& rng) {
    Decoder decoder = DecoderWeights::empty(config);
    const double residual = 0.02 / std::sqrt(2.0 * static_cast<double>(config.layers));
    decoder.embedding_ = normal_tensor({config.vocab_size, config.hidden_size}, 0.02, rng);
    if (config.learned_positions)
        decoder.positions_ = normal_tensor({config.first_position + config.max_positions, config.hidden_size}, 0.02, rng);
    for (at::Tensor* bias : {&decoder.encoder_bias_, &decoder.position_bias_})
        if (config.position_buckets > 0) *bias = normal_tensor({config.position_buckets, config.heads}, 0.02, rng);
    for (size_t i = 0; i < decoder.layers_.size(); ++i) {
        for (const LinearGroup& group : linear_groups(config, i)) {
            Linear& linear = decoder.layers_[i].*group.member;
            const Projection& last = linear.projections.back();
            const bool is_residual = group.member == &DecoderLayer::o || group.member == &DecoderLayer::cross_o ||
                                     group.member == &DecoderLayer::down;
            linear.weight = normal_tensor({last.first + last.rows, group.columns}, is_residual ? residual : 0.02, rng);
        }
    }
    decoder.head_ =
        config.tied_embeddings ? decoder.embedding_ : normal_tensor({config.vocab_size, config.hidden_size}, 0.02, rng);
    for (const WeightSlot& slot : DecoderWeights::slots(decoder)) {
        if (slot.place->defined()) continue;
        const bool starts_at_one =
            slot.name.ends_with(".weight") && !config.norms_from_one;  // only norms and biases are left
        *slot.place = at::full(slot.whole, starts_at_one ? 1.0 : 0.0);
    }
    return decoder;
}

at::Device Decoder::device() const {
    return embedding_.device();
}
at::ScalarType Decoder::dtype() const {
    return embedding_.scalar_type();
}

Quantization Decoder::quantization() const {
    for (const DecoderLayer& layer : layers_)
        for (Linear DecoderLayer::*const member : kLayerLinears)
            for (const QuantizedWeight& part : (layer.*member).quantized)
                if (part.kind != Quantization::none) return part.kind;
    return Quantization::none;
}

int64_t Decoder::weight_bytes() const {
    Decoder views = *this;
    int64_t bytes = 0;
    std::set<const void*> counted;  // one tensor holds several slots; a tied head is none
    for (const WeightSlot& slot : DecoderWeights::slots(views))
        if (slot.place->defined() && counted.insert(slot.place).second) bytes += static_cast<int64_t>(slot.place->nbytes());
    for (const DecoderLayer& layer : layers_)
        for (Linear DecoderLayer::*const member : kLayerLinears)
            for (const QuantizedWeight& part : (layer.*member).quantized) bytes += part.bytes();
    return bytes;
}

void Decoder::train_all_weights() {
    if (quantization() != Quantization::none)
        throw Error("training all weights", "weights in full precision", "quantised ones", "train an adapter");
    if (adapter_) throw Error("training all weights", "a decoder without an adapter", "one with an adapter");
    for (const WeightSlot& slot : DecoderWeights::slots(*this)) slot.place->requires_grad_(true);
}

std::vector<std::pair<std::string, at::Tensor>> Decoder::trainable() const {
    std::vector<std::pair<std::string, at::Tensor>> leaves;
    const auto add = [&](const std::string& name, const at::Tensor& tensor) {
        if (tensor.defined() && tensor.requires_grad()) leaves.emplace_back(name, tensor);
    };
    const TensorNames& names = architecture_of(config_).names;
    const auto add_norm = [&](const std::string& name, const Norm& norm) {
        add(name + ".weight", norm.weight);
        add(name + ".bias", norm.bias);
    };
    add(names.prefix + names.embedding + ".weight", embedding_);
    add(names.prefix + names.positions + ".weight", positions_);
    add("base_model.model." + embedding_lora_.name + ".lora_embedding_A", embedding_lora_.lora_a);
    add("base_model.model." + embedding_lora_.name + ".lora_embedding_B", embedding_lora_.lora_b);
    for (size_t i = 0; i < layers_.size(); ++i) {
        const DecoderLayer& layer = layers_[i];
        const auto number = static_cast<int64_t>(i);
        const TensorNames& own = layer_names(config_, number);
        const std::string prefix = layer_prefix(config_, number);
        if (number == 0 && config_.is_encoder_decoder()) add(prefix + own.position_bias + ".weight", encoder_bias_);
        if (number == config_.encoder_layers) add(prefix + own.position_bias + ".weight", position_bias_);
        add_norm(prefix + own.before_attention, layer.before_attention);
        add_norm(prefix + own.after_attention, layer.after_attention);
        add_norm(prefix + own.before_cross, layer.before_cross);
        add_norm(prefix + own.before_feed_forward, layer.before_feed_forward);
        add_norm(prefix + own.after_feed_forward, layer.after_feed_forward);
        add_norm(prefix + own.q_norm, layer.q_norm);
        add_norm(prefix + own.k_norm, layer.k_norm);
        for (const LinearGroup& group : linear_groups(config_, i)) {
            const Linear& linear = layer.*group.member;
            std::string joined = prefix;  // "…self_attn.q_proj+self_attn.k_proj+…": one leaf holds them all
            for (const std::string& name : group.projections) joined += (joined == prefix ? "" : "+") + name;
            add(joined + ".weight", linear.weight);
            add(joined + ".bias", linear.bias);
            for (const Projection& part : linear.projections) {
                add("base_model.model." + part.name + ".lora_A.weight", part.lora_a);
                add("base_model.model." + part.name + ".lora_B.weight", part.lora_b);
            }
        }
    }
    if (const TensorNames& encoder = architecture_of(config_).encoder; config_.is_encoder_decoder())
        add_norm(encoder.prefix + encoder.final_norm, encoder_norm_);
    add_norm(names.prefix + names.final_norm, final_norm_);
    if (!config_.tied_embeddings) add(names.head + ".weight", head_);
    add("base_model.model." + head_lora_.name + ".lora_A.weight", head_lora_.lora_a);
    add("base_model.model." + head_lora_.name + ".lora_B.weight", head_lora_.lora_b);
    return leaves;
}

at::Tensor Decoder::embed(const at::Tensor& tokens, const at::Tensor& positions) const {
    check_ids(tokens, config_.vocab_size, "token", "an id below the vocabulary's ",
              "the tokenizer and the model do not belong together");
    at::Tensor x = at::embedding(embedding_, tokens);
    if (const Projection& lora = embedding_lora_; lora.lora_a.defined()) {
        const at::Tensor rows = at::embedding(lora.lora_a.t(), tokens);
        x = x + (at::mm(rows, lora.lora_b.t()) * lora.lora_scale).to(x.scalar_type());
    }
    // The factor in the model's dtype, as transformers has it.
    if (config_.embedding_scale != 1) x = x * at::scalar_tensor(config_.embedding_scale, x.options());
    if (!config_.learned_positions) return x;
    check_ids(positions, config_.max_positions, "the position of token", "one below the model's ",
              "the sequence is too long for this model");
    return x + at::embedding(positions_, config_.first_position == 0 ? positions : positions + config_.first_position);
}

at::Tensor Decoder::layer(size_t index, const at::Tensor& x, const Attend& attention, const Attend& cross) const {
    return run_layer(index, x, dropout_keys_, attention, cross);
}

at::Tensor Decoder::run_layer(size_t index, const at::Tensor& x, const at::Tensor& dropout, const Attend& attention,
                              const Attend& cross) const {
    const DecoderLayer& layer = layers_[index];
    at::Tensor qkv = layer.qkv.forward(normalise(x, layer.before_attention, config_), dropout);
    if (config_.qk_norms) {
        const int64_t tokens = x.size(0), dim = config_.head_dim, q = config_.heads, k = config_.kv_heads;
        const at::Tensor heads = qkv.view({tokens, q + 2 * k, dim});
        qkv =
            at::cat({rms_norm(heads.narrow(1, 0, q), layer.q_norm.weight, config_.rms_norm_eps),
                     rms_norm(heads.narrow(1, q, k), layer.k_norm.weight, config_.rms_norm_eps), heads.narrow(1, q + k, k)},
                    1)
                .view({tokens, -1});
    }
    const at::Tensor attended = layer.o.forward(attention(qkv), dropout);
    at::Tensor y = x + normalise(attended, layer.after_attention, config_);
    if (cross) {
        const at::Tensor queries = layer.cross_q.forward(normalise(y, layer.before_cross, config_), dropout);
        y = y + layer.cross_o.forward(cross(queries), dropout);
    }
    const at::Tensor normed = normalise(y, layer.before_feed_forward, config_);
    const at::Tensor inner = feed_forward_activation(layer.gate_up.forward(normed, dropout), config_);
    return y + normalise(layer.down.forward(inner, dropout), layer.after_feed_forward, config_);
}

namespace {

bool trains(const DecoderLayer& layer) {
    const auto asks = [](const at::Tensor& tensor) { return tensor.defined() && tensor.requires_grad(); };
    for (const Norm* norm : {&layer.before_attention, &layer.after_attention, &layer.before_cross,
                             &layer.before_feed_forward, &layer.after_feed_forward, &layer.q_norm, &layer.k_norm})
        if (asks(norm->weight) || asks(norm->bias)) return true;
    for (Linear DecoderLayer::*const member : kLayerLinears) {
        const Linear& linear = layer.*member;
        if (asks(linear.weight) || asks(linear.bias)) return true;
        for (const Projection& part : linear.projections)
            if (asks(part.lora_a) || asks(part.lora_b)) return true;
    }
    return false;
}

}  // namespace

// Below the first weight that is trained nothing is kept, so that nothing need be made again.
at::Tensor Decoder::run_recomputed(size_t index, const at::Tensor& x,
                                   const std::function<at::Tensor(const at::Tensor&)>& part) const {
    throw_if_stopped();  // a large batch takes minutes
    const bool in_graph = x.requires_grad() || trains(layers_[index]);
    const at::Tensor y = in_graph && static_cast<int64_t>(index) < recomputed_layers_ ? recomputed(x, part) : part(x);
    if (y.requires_grad()) y.register_hook([](const at::Tensor&) { throw_if_stopped(); });  // so does backward
    return y;
}

at::Tensor Decoder::hidden(const PackedBatch& batch) const {
    adapt_threads();
    if (config_.is_encoder_decoder()) return answer_hidden(batch);
    at::Tensor x = embed(batch.tokens, batch.positions);
    const RotaryTable table = rotary_table(config_, batch, dtype());
    for (size_t i = 0; i < layers_.size(); ++i) {
        const AttentionShape shape = attention_shape(config_, static_cast<int64_t>(i));
        // By value: in backward the batch is gone.
        const auto part = [this, i, table, shape, segments = batch.segments](const at::Tensor& input) {
            return layer(i, input, [&](const at::Tensor& qkv) { return packed_attention(qkv, table, shape, segments); });
        };
        x = run_recomputed(i, x, part);
    }
    return normalise(x, final_norm_, config_);
}

at::Tensor Decoder::logits(const at::Tensor& hidden_rows) const {
    // On a GPU the sums of bfloat16 products are not rounded on their way to float32, as in training (target_logprobs()).
    const bool takes_sums = cuda::applies(hidden_rows) && hidden_rows.scalar_type() == at::kBFloat16;
    at::Tensor product = takes_sums ? at::mm(hidden_rows, head_.t(), at::kFloat) : at::mm(hidden_rows, head_.t());
    if (dtype() != at::kDouble) product = product.to(at::kFloat);
    if (const Projection& lora = head_lora_; lora.lora_a.defined()) {
        const at::Tensor inner = at::mm(hidden_rows.to(lora.lora_a.scalar_type()), lora.lora_a.t());
        product = product + at::mm(inner, lora.lora_b.t()) * lora.lora_scale;
    }
    if (config_.logit_cap == 0) return product;
    return (product / config_.logit_cap).tanh() * config_.logit_cap;
}

namespace {

// Detached, in the weight's dtype.
at::Tensor with_product(const at::Tensor& weight, const Projection& lora, bool transposed) {
    if (!lora.lora_a.defined()) return weight.detach();
    const at::Tensor product = lora.lora_product().detach();
    return (weight.detach().to(product.scalar_type()) + (transposed ? product.t() : product)).to(weight.scalar_type());
}

}  // namespace

Decoder Decoder::merged() const {
    Decoder copy = *this;
    copy.adapter_.reset();
    copy.before_adapter_.reset();
    copy.replaced_.clear();
    for (Projection* lora : {&copy.embedding_lora_, &copy.head_lora_}) {
        if (!lora->lora_a.defined()) continue;
        if (config_.tied_embeddings) DecoderWeights::untie(copy);
        lora->lora_a = lora->lora_b = at::Tensor();
    }
    copy.embedding_ = with_product(embedding_, embedding_lora_, true);
    copy.head_ = copy.config_.tied_embeddings ? copy.embedding_ : with_product(head_, head_lora_, false);
    copy.dropout_keys_ = at::Tensor();
    for (size_t i = 0; i < copy.layers_.size(); ++i) {
        for (const LinearGroup& group : linear_groups(config_, i)) {
            Linear& linear = copy.layers_[i].*group.member;
            linear.weight = linear.merged_weight(dtype());
            linear.quantized.clear();
            for (Projection& part : linear.projections) part.lora_a = part.lora_b = at::Tensor();
        }
    }
    return copy;
}

}  // namespace craft
