// What the files of a model folder hold: inside model/ only.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "model/decoder.h"
#include "model/safetensors.h"

namespace craft {

void write_decoder_config(const std::filesystem::path& folder, const DecoderConfig& config, at::ScalarType dtype);

// The linear groups of a layer in the order of their use, with the projections that each holds.
struct LinearGroup {
    Linear DecoderLayer::*member;
    std::vector<std::string> projections;  // "self_attn.q_proj"
};
const std::array<LinearGroup, 4>& linear_groups();
// Rows of a projection's weight, and the length of each row.
int64_t projection_rows(const DecoderConfig& config, const std::string& projection);
int64_t projection_columns(const DecoderConfig& config, const std::string& projection);

// Access to a decoder's parts for the code that builds, reads and writes them.
struct DecoderWeights {
    static Decoder empty(const DecoderConfig& config);  // projections named, no tensors yet
    static NamedTensors named(const Decoder& decoder);  // transformers' names; views, detached
    static std::vector<DecoderLayer>& layers(Decoder& decoder) { return decoder.layers_; }
    static at::Tensor& embedding(Decoder& decoder) { return decoder.embedding_; }
    static at::Tensor& head(Decoder& decoder) { return decoder.head_; }
    static at::Tensor& final_norm(Decoder& decoder) { return decoder.final_norm_; }
};

}  // namespace craft
