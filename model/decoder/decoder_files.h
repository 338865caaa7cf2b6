// What the files of a model folder hold: inside model/ only.
#pragma once

#include <string>
#include <vector>

#include "model/decoder/decoder.h"
#include "model/spec/architecture.h"
#include "model/weights/safetensors.h"

namespace craft {

// The linear groups of a layer (an encoder's first) in the order of their use, with the projections that each holds.
struct LinearGroup {
    Linear DecoderLayer::*member;
    std::vector<std::string> projections;  // "self_attn.q_proj"
    std::vector<int64_t> rows;             // of each projection
    int64_t columns = 0;
    bool has_bias = false;
};
std::vector<LinearGroup> linear_groups(const DecoderConfig& config, size_t layer);

// A tensor of the files and where it lies in a decoder: rows [first, first + shape[0]) of *place, whose shape is `whole`.
struct WeightSlot {
    std::string name;  // "model.layers.0.self_attn.q_proj.weight"
    std::vector<int64_t> shape;
    at::Tensor* place = nullptr;
    int64_t first = 0;
    std::vector<int64_t> whole;
    bool transposed = false;   // the file holds the transpose
    Linear* linear = nullptr;  // of a linear weight, which may be held in few bits instead of *place
};

class WeightFiles;
// The config of a folder; a head beside tied embeddings that is another matrix unties them, with a warning.
DecoderConfig settled_config(const std::filesystem::path& folder, const WeightFiles& files);
// What the files call a slot's tensor: files of a bare body leave the prefix out, and a tied matrix may be there under the
// head's name alone.
std::string name_in(const WeightFiles& files, const WeightSlot& slot, const DecoderConfig& config);
// The tensors of which *place is made, if Decoder::load uses them where the files have them: on the CPU, of the wanted
// dtype, and one after the other. Otherwise, as mostly for queries, keys and values, none.
std::vector<std::string> mapped_names(const WeightFiles& files, const std::vector<WeightSlot>& slots,
                                      const at::Tensor* place, const DecoderConfig& config, at::ScalarType dtype,
                                      const at::Device& device);
// Throws Error naming file and tensor unless the files hold these, and nothing else but what the architecture ignores.
void expect_slots(WeightFiles& files, const DecoderConfig& config, const std::vector<WeightSlot>& slots);

// Access to a decoder's parts for the code that builds, reads and writes them.
struct DecoderWeights {
    static Decoder empty(const DecoderConfig& config);       // projections named, no tensors yet
    static std::vector<WeightSlot> slots(Decoder& decoder);  // every tensor, the head only where it is not tied
    static NamedTensors named(const Decoder& decoder);       // transformers' names; views, detached
    static std::vector<DecoderLayer>& layers(Decoder& decoder) { return decoder.layers_; }
    static void forget(Decoder& decoder);  // the layers' linear weights and the head; a tied one stays as the embedding
    static void untie(Decoder& decoder);   // the head and the embedding are two matrices from now on, in config.json too
    static Projection& embedding_lora(Decoder& decoder) { return decoder.embedding_lora_; }
    static Projection& head_lora(Decoder& decoder) { return decoder.head_lora_; }
    static at::Tensor& head(Decoder& decoder) { return decoder.head_; }
};

}  // namespace craft
