#include "model/files/gguf_architectures.h"

#include <algorithm>

#include "core/error.h"

namespace craft {

namespace {

using Names = std::vector<std::pair<std::string, std::string>>;

const Names kModelNames = {{"token_embd", "embed_tokens"}, {"output_norm", "norm"}};

Names layer_names(const Names& others) {
    Names names = {{"attn_norm", "input_layernorm"},
                   {"ffn_norm", "post_attention_layernorm"},
                   {"attn_output", "self_attn.o_proj"},
                   {"ffn_down", "mlp.down_proj"}};
    names.insert(names.begin(), others.begin(), others.end());  // those go before
    return names;
}

const Names kSeparate = {{"attn_q", "self_attn.q_proj"},
                         {"attn_k", "self_attn.k_proj"},
                         {"attn_v", "self_attn.v_proj"},
                         {"ffn_gate", "mlp.gate_proj"},
                         {"ffn_up", "mlp.up_proj"}};

Names separate_with(const Names& others) {
    Names names = kSeparate;
    names.insert(names.begin(), others.begin(), others.end());
    return layer_names(names);
}

const std::vector<GgufArchitecture>& gguf_architectures() {
    static const std::vector<GgufArchitecture> all = {
        // One entry an architecture.
        {.name = "llama",
         .huggingface = "LlamaForCausalLM",
         .model_type = "llama",
         .keys = {"attention.sliding_window", "tensor_data_layout"},
         .body = "model.",
         .layers = "layers",
         .model_names = kModelNames,
         .layer_names = separate_with({}),
         .interleaves = true},
        {.name = "qwen2",
         .huggingface = "Qwen2ForCausalLM",
         .model_type = "qwen2",
         .keys = {},
         .body = "model.",
         .layers = "layers",
         .model_names = kModelNames,
         .layer_names = separate_with({})},
        {.name = "qwen3",
         .huggingface = "Qwen3ForCausalLM",
         .model_type = "qwen3",
         .keys = {},
         .body = "model.",
         .layers = "layers",
         .model_names = kModelNames,
         .layer_names = separate_with({{"attn_q_norm", "self_attn.q_norm"}, {"attn_k_norm", "self_attn.k_norm"}})},
        {.name = "phi3",
         .huggingface = "Phi3ForCausalLM",
         .model_type = "phi3",
         .keys = {"attention.sliding_window"},
         .body = "model.",
         .layers = "layers",
         .model_names = kModelNames,
         .layer_names = layer_names({{"attn_qkv", "self_attn.qkv_proj"}, {"ffn_up", "mlp.gate_up_proj"}})},
        {.name = "gemma2",
         .huggingface = "Gemma2ForCausalLM",
         .model_type = "gemma2",
         .keys = {"attention.sliding_window", "attn_logit_softcapping", "final_logit_softcapping"},
         .body = "model.",
         .layers = "layers",
         .model_names = kModelNames,
         .layer_names = separate_with({{"post_attention_norm", "post_attention_layernorm"},
                                       {"ffn_norm", "pre_feedforward_layernorm"},
                                       {"post_ffw_norm", "post_feedforward_layernorm"}}),
         .adds_one = true},
        {.name = "gpt2",
         .huggingface = "GPT2LMHeadModel",
         .model_type = "gpt2",
         .keys = {"attention.layer_norm_epsilon"},
         .body = "transformer.",
         .layers = "h",
         .model_names = {{"token_embd", "wte"}, {"position_embd", "wpe"}, {"output_norm", "ln_f"}},
         .layer_names = {{"attn_norm", "ln_1"},
                         {"ffn_norm", "ln_2"},
                         {"attn_qkv", "attn.c_attn"},
                         {"attn_output", "attn.c_proj"},
                         {"ffn_up", "mlp.c_fc"},
                         {"ffn_down", "mlp.c_proj"}},
         .transposes = true},
    };
    return all;
}

}  // namespace

const GgufArchitecture& gguf_architecture(const GgufFile& file) {
    const std::string name = file.required_text("general.architecture");
    std::string names;
    for (const GgufArchitecture& one : gguf_architectures()) {
        if (one.name == name) return one;
        names += (names.empty() ? "" : ", ") + one.name;
    }
    file.fail("general.architecture", "one of " + names, "docs/models.md lists what can be loaded");
}

int64_t shared_size(const GgufFile& file, const std::string& key, std::optional<int64_t> absent) {
    const auto found = file.metadata().find(key);
    if (found == file.metadata().end() && absent) return *absent;
    int64_t value = 0;
    if (found != file.metadata().end() && found->second.is_list) {
        const std::vector<int64_t> all = *file.integers(key);
        if (all.empty() || std::any_of(all.begin(), all.end(), [&](int64_t one) { return one != all.front(); }))
            file.fail(key, "one size for all layers");
        value = all.front();
    } else {
        value = file.required_integer(key);
    }
    if (value < 1 || value > int64_t{1} << 31) file.fail(key, "a positive integer up to 2^31");
    return value;
}

}  // namespace craft
