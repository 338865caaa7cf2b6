// The decoder architectures that can be loaded: what config.json means in each and how its tensors are named. One file an
// architecture (architecture_<name>.cpp) and one line in known_architectures(). Inside model/ only.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "model/spec/config_reader.h"
#include "model/spec/decoder_config.h"

namespace craft {

// Names of tensors, without ".weight" and ".bias"; those of a layer come after "<prefix><layers>.<number>.".
struct TensorNames {
    std::string prefix = "model.";  // of all but the head; files without it are read too
    std::string embedding = "embed_tokens", positions = "", layers = "layers", final_norm = "norm", head = "lm_head";
    std::string before_attention = "input_layernorm", after_attention = "";
    std::string before_feed_forward = "post_attention_layernorm", after_feed_forward = "";
    std::string q_norm = "self_attn.q_norm", k_norm = "self_attn.k_norm";
    // Projections of one input, in the order of their rows: q k v, and gate up.
    std::vector<std::string> qkv = {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"};
    std::vector<std::string> o = {"self_attn.o_proj"};
    std::vector<std::string> gate_up = {"mlp.gate_proj", "mlp.up_proj"};
    std::vector<std::string> down = {"mlp.down_proj"};
    std::vector<std::string> ungated_up = {};  // in place of gate_up where the config has no gate; empty: gate_up is it
    // Of layers that see an encoder's states: the norm before cross attention, and its projections, keys and values as one.
    std::string before_cross = "";
    std::vector<std::string> cross_q = {}, cross_kv = {}, cross_o = {};
    std::string position_bias = "";        // of distances, in the first layer; empty: none
    std::vector<std::string> copies = {};  // what files call the embedding where it has not its own name
    bool transposed = false;               // projections stand as [in, out] in files (GPT-2's Conv1D)
    std::vector<std::string> ignored = {"rotary_emb.inv_freq"};  // endings of constants that old exports keep
};

struct Architecture {
    std::string name;        // in "architectures"
    std::string model_type;  // in "model_type"
    // Fills in what read_decoder_config has not read yet. Throws Error on what this architecture does not have.
    void (*read)(const ConfigReader& reader, DecoderConfig& config);
    TensorNames names;
    // LoRA targets that people name for any model, where this one has other names for them.
    std::vector<std::pair<std::string, std::string>> target_names = {};
    TensorNames encoder = {};      // of an encoder-decoder: what is called otherwise in the encoder
    std::string former_name = "";  // in "architectures" of old folders
};

// Of an encoder-decoder the encoder's layers come first. What the projections of one input are called in a layer, in the
// order of their use; those that it does not have are empty.
const TensorNames& layer_names(const DecoderConfig& config, int64_t layer);
std::string layer_prefix(const DecoderConfig& config, int64_t layer);  // "model.layers.0."
const std::vector<std::string>& up_names(const TensorNames& names, bool gated);

const std::vector<const Architecture*>& known_architectures();
std::string architecture_names();  // of all, in a row
// What config.json names by `architectures`, else `model_type`; nullptr if that is none of them.
const Architecture* find_architecture(const ConfigReader& reader);
// read_decoder_config() of files that were read; `generation` may be null.
DecoderConfig parse_decoder_config(const ConfigReader& reader, const ConfigReader* generation);
// config.json and generation_config.json of a folder whose weights are saved in `dtype` ("float32", "bfloat16"): as they
// were read, or those of a plain Llama for a config made by hand.
void write_decoder_config(const std::filesystem::path& folder, const DecoderConfig& config, const std::string& dtype);
const Architecture& architecture_of(const DecoderConfig& config);

// Parts of `read` that several share.
struct SizeDefaults {
    int64_t kv_heads = 0;  // 0: as many as heads
    int64_t head_dim = 0;  // 0: hidden_size / heads
    int64_t max_positions = 2048;
    double norm_eps = 1e-6;
    bool tied = false;
};
// vocab_size to head_dim, positions, epsilon and tying under the names that all but GPT-2 use.
void read_llama_sizes(const ConfigReader& reader, const SizeDefaults& defaults, DecoderConfig& config);
// The scalings of most architectures: plain, linear, dynamic, llama3, yarn.
const std::vector<RopeKind>& usual_ropes();
// rope_theta, rope_scaling and rope_parameters; `kinds` are those that the architecture has.
void read_rope(const ConfigReader& reader, const std::vector<RopeKind>& kinds, DecoderConfig& config);
Activation activation_named(const ConfigReader& reader, const std::string& key, const std::string& absent);
void read_activation(const ConfigReader& reader, const std::string& key, const std::string& absent, DecoderConfig& config);
// "sliding_attention" and "full_attention" by layer; without a list, what `slides` says of each layer.
void read_windows(const ConfigReader& reader, int64_t window, bool (*slides)(const ConfigReader&, int64_t),
                  DecoderConfig& config);

// One line an architecture, each in its file.
extern const Architecture kLlama, kMistral, kQwen2, kQwen3, kPhi3, kGpt2, kGemma2, kOpt, kT5;

}  // namespace craft
