// A decoder, described by its config, on packed batches. One behind an encoder (T5) reads a tree's prefix with that, and its
// branches, which begin with the start token, itself.
#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/rng.h"
#include "model/decoder/linear.h"
#include "model/kernels/ops.h"
#include "model/kernels/packed_batch.h"
#include "model/spec/decoder_config.h"
#include "model/spec/lora_options.h"

namespace craft {

struct DecoderLayer {
    Norm before_attention, after_attention;        // of attention's input and output: the latter often without a weight
    Norm before_feed_forward, after_feed_forward;  // likewise
    Norm q_norm, k_norm;                           // [head_dim], where the config has them
    Linear qkv, o, gate_up, down;                  // projections of the same input are one product
    Norm before_cross;                             // and cross attention: of layers that see an encoder's states
    Linear cross_q, cross_kv, cross_o;
};
inline constexpr Linear DecoderLayer::*kLayerLinears[] = {
    &DecoderLayer::qkv,     &DecoderLayer::o,       &DecoderLayer::cross_q, &DecoderLayer::cross_kv,
    &DecoderLayer::cross_o, &DecoderLayer::gate_up, &DecoderLayer::down};

// Attention of a layer: from queries, keys and values to [T, heads * head_dim].
using Attend = std::function<at::Tensor(const at::Tensor& projected)>;

class Decoder {
public:
    Decoder() = default;  // holds nothing; for members that are filled later
    // Loads config.json and model.safetensors (or the shards of model.safetensors.index.json), one tensor after the other.
    // Throws Error naming file and tensor (missing, misshaped, truncated, one too many) before it takes memory for any.
    // On the CPU, weights of the wanted dtype are the mapped files' own pages: a file in use may be replaced, not written
    // over. With `quantization` the layers' linear weights are held in few bits, not embeddings, head, norms and biases (as
    // transformers with bitsandbytes); what the folder stores in NF4 stays so without it, and cannot become int8.
    static Decoder load(const std::filesystem::path& folder, at::ScalarType dtype, const at::Device& device,
                        Quantization quantization = Quantization::none);
    // Fresh weights: normal with deviation 0.02, residual projections scaled by 1/sqrt(2 layers), norms that multiply by 1,
    // biases 0.
    static Decoder initialise(const DecoderConfig& config, Rng& rng);
    // config.json, generation_config.json and model.safetensors (bfloat16 or float32) as transformers reads them.
    void save(const std::filesystem::path& folder, at::ScalarType dtype) const;

    const DecoderConfig& config() const { return config_; }
    at::Device device() const;
    at::ScalarType dtype() const;  // of what is not quantised, and of the computation
    Quantization quantization() const;
    int64_t weight_bytes() const;  // without adapters

    // --full: every weight gets a gradient. LoRA: base weights never do. Throws Error with an adapter or quantised weights.
    void train_all_weights();
    void add_adapter(const LoraOptions& options, Rng& rng);  // A Kaiming uniform (a = sqrt 5), B zero
    // A PEFT folder; what it replaces (modules_to_save) is used in place of the base's. Throws Error naming file and key or
    // tensor: not supported, missing, misshaped, one too many; the decoder is then as before.
    void load_adapter(const std::filesystem::path& folder, bool trainable);
    void save_adapter(const std::filesystem::path& folder) const;  // PEFT folder, written as temporary files and renamed
    const std::optional<LoraOptions>& adapter() const { return adapter_; }
    // This decoder with the adapter that it trains switched off: the same weights, and those that the adapter replaced as
    // they were. Without one, a copy. Throws Error where the adapter is frozen: what it replaced is not kept.
    Decoder without_adapter() const;
    // Dropout masks of the next forward passes, for all their tokens; none (the start) turns dropout off.
    void set_dropout(const std::vector<DropoutRows>& dropout) {
        dropout_keys_ = dropout.empty() ? at::Tensor() : dropout_keys(dropout, device());
    }
    // Activation checkpointing: of the first `count` layers only the inputs are kept for backward, which makes the rest
    // again. Changes no result. The decoder then has to stay where it is until backward is done.
    void set_recomputed_layers(int64_t count) { recomputed_layers_ = count; }
    // What is trained, by name, in a fixed order (leaf tensors that require gradients).
    std::vector<std::pair<std::string, at::Tensor>> trainable() const;

    // Final normed hidden states [T, hidden] of a packed batch; differentiable. Of an encoder-decoder those of the branches'
    // tokens, as the head sees them (head_scale); rows of prefixes are zero. Throws Error on ids outside the vocabulary,
    // positions beyond a learned table, branches of an encoder-decoder without a prefix, and as rotary_table does.
    at::Tensor hidden(const PackedBatch& batch) const;
    // Parts of hidden(), for those that keep keys and values: [T, hidden] of tokens at positions; and one layer around its
    // attention, which maps qkv [T, (heads + 2 kv_heads) head_dim] to [T, heads * head_dim]. `cross` maps the queries [T,
    // heads * head_dim] of cross attention likewise; layers of encoder-decoders are numbered with the encoder's first.
    at::Tensor embed(const at::Tensor& tokens, const at::Tensor& positions) const;
    at::Tensor layer(size_t index, const at::Tensor& x, const Attend& attention, const Attend& cross = nullptr) const;
    // Parts of an encoder-decoder's: [total, hidden] of sources that follow one another with these lengths; their keys and
    // values in a layer of the decoder, [total, 2 heads * head_dim]; a head's numbers by distance, [heads, queries, keys] of
    // queries that stand `before` tokens behind the first key, -infinity where a query does not see a key; and from the last
    // layer's output to what the head sees.
    at::Tensor encode(const at::Tensor& tokens, const std::vector<int64_t>& lengths) const;
    at::Tensor memory(size_t index, const at::Tensor& encoded) const;
    at::Tensor position_bias(int64_t queries, int64_t keys, int64_t before) const;
    at::Tensor answer_states(const at::Tensor& x) const;
    // Logits [rows, vocab] float32 of some hidden states.
    at::Tensor logits(const at::Tensor& hidden_rows) const;
    // This decoder with the adapter's product added to the base weights; without one, the same weights.
    Decoder merged() const;
    const std::vector<DecoderLayer>& layer_weights() const { return layers_; }
    const at::Tensor& embedding() const { return embedding_; }  // [vocab, hidden]
    const at::Tensor& head() const { return head_; }            // [vocab, hidden]; the embedding when tied
    // Adapters of these, their lora_a undefined without one. The embedding's A is [rank, vocab] and its B [hidden, rank].
    const Projection& embedding_adapter() const { return embedding_lora_; }
    const Projection& head_adapter() const { return head_lora_; }
    const at::Tensor& positions() const { return positions_; }  // [max_positions, hidden], undefined where not learned
    const Norm& final_norm() const { return final_norm_; }      // [hidden]

private:
    // layer() with the dropout of some rows.
    at::Tensor run_layer(size_t index, const at::Tensor& x, const at::Tensor& dropout, const Attend& attention,
                         const Attend& cross) const;
    at::Tensor run_recomputed(size_t index, const at::Tensor& x,
                              const std::function<at::Tensor(const at::Tensor&)>& part) const;
    at::Tensor encoder_states(const at::Tensor& tokens, const std::vector<int64_t>& lengths,
                              const at::Tensor& dropout) const;
    at::Tensor answer_hidden(const PackedBatch& batch) const;
    DecoderConfig config_;
    std::optional<LoraOptions> adapter_;
    std::shared_ptr<const Decoder> before_adapter_;  // one that is trained; shares all tensors that it did not replace
    at::Tensor dropout_keys_;                        // undefined: off
    int64_t recomputed_layers_ = 0;
    std::string base_name_;                    // what adapter_config.json names as its base: the folder that was loaded
    at::Tensor embedding_, head_, positions_;  // head_ is embedding_ when tied
    Projection embedding_lora_, head_lora_;
    // Weights that the adapter replaced, by their names in the model's files and in the adapter's: saved with it again.
    std::vector<std::pair<std::string, std::string>> replaced_;
    Norm final_norm_, encoder_norm_;
    at::Tensor position_bias_, encoder_bias_;  // [buckets, heads], where distances are told apart so
    std::vector<DecoderLayer> layers_;         // of an encoder-decoder the encoder's first
    friend struct DecoderWeights;              // names of tensors in files
};

// Of the distributions that the batch's targets are drawn from; without gradients.
struct TargetStatistics {
    at::Tensor entropy;  // [R] as the log-probabilities, nats
    at::Tensor top1;     // [R] bool: no token has a higher logit than the target (on a GPU, of equals the first is the one)
};

// Log-probabilities [R] float32 of the batch's targets: the head runs on the target rows only. Differentiable.
at::Tensor target_logprobs(const Decoder& decoder, const PackedBatch& batch, TargetStatistics* statistics = nullptr);
// The head's part: rows [R, hidden] of hidden(), each with its target [R] int64.
at::Tensor target_logprobs(const Decoder& decoder, const at::Tensor& rows, const at::Tensor& targets,
                           TargetStatistics* statistics = nullptr);

}  // namespace craft
