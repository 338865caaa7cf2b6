// An encoder (BERT, RoBERTa, or BART's): hidden states of token rows, and the number that a regression head gives them.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/spec/encoder_config.h"
#include "model/weights/device_memory.h"

namespace craft {

struct BlockStack;

struct EncoderRow {
    std::vector<int64_t> ids;
    std::vector<int64_t> mask = {};   // 1: the token is seen by the others, 0: it is not; empty: all are
    std::vector<int64_t> types = {};  // token_type_ids; empty: 0
};

// Throws Error(where, ...): no token, an id outside the vocabulary, more tokens than there are positions, a mask or types of
// another length or with other values, a mask that shows no token.
void check_row(const EncoderConfig& config, const EncoderRow& row, const std::string& where);

// What the weights of an encoder (of an encoder-decoder the encoder's own) take in `dtype`, by the headers of its files;
// absent where `folder` is none that load() takes.
std::optional<MemoryNeed> known_encoder_memory(const std::filesystem::path& folder, at::ScalarType dtype);

class Encoder {
public:
    // Loads config.json and model.safetensors (or its shards); heads besides the body and a regression head are left out,
    // which an info line says. Of an encoder-decoder the encoder is loaded. Throws Error naming file and key or tensor.
    static Encoder load(const std::filesystem::path& folder, at::ScalarType dtype, const at::Device& device);
    // Forgets all layers after the first `layers`, whose output is then the last one; with 0 that of the embeddings. A
    // regression head goes with them. Throws Error where the model has fewer.
    void keep_layers(int64_t layers);
    const EncoderConfig& config() const { return config_; }

    // The last layer of each row, [tokens, hidden] in the model's dtype, on its device; tokens that the mask hides have a
    // state too. Rows do not see each other and are not padded. Throws Error as check_row does, naming "row N" from 0. No
    // gradients.
    std::vector<at::Tensor> hidden(const std::vector<EncoderRow>& rows) const;
    // What the regression head gives for the states of each row: float32 [rows] on the CPU. Throws Error without such a
    // head.
    at::Tensor scores(const std::vector<at::Tensor>& hidden) const;

private:
    struct Head;
    EncoderConfig config_;
    std::shared_ptr<const BlockStack> stack_;
    std::shared_ptr<const Head> head_;  // null without a regression head
};

}  // namespace craft
