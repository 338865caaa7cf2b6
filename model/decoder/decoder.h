// A decoder, described by its config, on packed batches.
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
};

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
    // Dropout masks of the next forward passes, for all their tokens; none (the start) turns dropout off.
    void set_dropout(const std::vector<DropoutRows>& dropout) {
        dropout_keys_ = dropout.empty() ? at::Tensor() : dropout_keys(dropout, device());
    }
    // Activation checkpointing: of the first `count` layers only the inputs are kept for backward, which makes the rest
    // again. Changes no result. The decoder then has to stay where it is until backward is done.
    void set_recomputed_layers(int64_t count) { recomputed_layers_ = count; }
    // What is trained, by name, in a fixed order (leaf tensors that require gradients).
    std::vector<std::pair<std::string, at::Tensor>> trainable() const;

    // Final normed hidden states [T, hidden] of a packed batch; differentiable. Throws Error on ids outside the vocabulary,
    // positions beyond a learned table, and as rotary_table does.
    at::Tensor hidden(const PackedBatch& batch) const;
    // Parts of hidden(), for those that keep keys and values: [T, hidden] of tokens at positions; and one layer around its
    // attention, which maps qkv [T, (heads + 2 kv_heads) head_dim] to [T, heads * head_dim].
    at::Tensor embed(const at::Tensor& tokens, const at::Tensor& positions) const;
    at::Tensor layer(size_t index, const at::Tensor& x,
                     const std::function<at::Tensor(const at::Tensor& qkv)>& attention) const;
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
    DecoderConfig config_;
    std::optional<LoraOptions> adapter_;
    at::Tensor dropout_keys_;  // undefined: off
    int64_t recomputed_layers_ = 0;
    std::string base_name_;                    // what adapter_config.json names as its base: the folder that was loaded
    at::Tensor embedding_, head_, positions_;  // head_ is embedding_ when tied
    Projection embedding_lora_, head_lora_;
    // Weights that the adapter replaced, by their names in the model's files and in the adapter's: saved with it again.
    std::vector<std::pair<std::string, std::string>> replaced_;
    Norm final_norm_;
    std::vector<DecoderLayer> layers_;
    friend struct DecoderWeights;  // names of tensors in files
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
