// A model folder whose weights are a hole in a file: it takes no room on the disk, and nobody may read it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace craft::test {

// A Llama with `bytes` of weights in its file (a little more), in `dtype` as safetensors call it: "F16", "BF16" or "F32".
inline void make_huge_model(const std::filesystem::path& folder, int64_t bytes, const std::string& dtype) {
    const int64_t element = dtype == "F32" ? 4 : 2, inner = bytes / element / (3 * 32);
    std::ofstream(folder / "config.json")
        << R"({"architectures":["LlamaForCausalLM"],"vocab_size":7,"hidden_size":32,"intermediate_size":)" << inner
        << R"(,"num_hidden_layers":1,"num_attention_heads":2,"num_key_value_heads":1,"tie_word_embeddings":true,)"
        << R"("max_position_embeddings":64,"dtype":")"
        << (dtype == "F32"   ? "float32"
            : dtype == "F16" ? "float16"
                             : "bfloat16")
        << "\"}";
    int64_t end = 0;
    std::string header = "{";
    const auto add = [&](const std::string& name, const std::vector<int64_t>& shape) {
        std::string sizes;
        int64_t size = element;
        for (const int64_t one : shape) {
            sizes += (sizes.empty() ? "" : ",") + std::to_string(one);
            size *= one;
        }
        header += (end > 0 ? ",\"" : "\"") + name + R"(":{"dtype":")" + dtype + R"(","shape":[)" + sizes +
                  R"(],"data_offsets":[)" + std::to_string(end) + "," + std::to_string(end + size) + "]}";
        end += size;
    };
    const std::string layer = "model.layers.0.";
    add("model.embed_tokens.weight", {7, 32});
    add("model.norm.weight", {32});
    add(layer + "input_layernorm.weight", {32});
    add(layer + "post_attention_layernorm.weight", {32});
    add(layer + "self_attn.q_proj.weight", {32, 32});
    add(layer + "self_attn.k_proj.weight", {16, 32});
    add(layer + "self_attn.v_proj.weight", {16, 32});
    add(layer + "self_attn.o_proj.weight", {32, 32});
    add(layer + "mlp.gate_proj.weight", {inner, 32});
    add(layer + "mlp.up_proj.weight", {inner, 32});
    add(layer + "mlp.down_proj.weight", {32, inner});
    header += "}";
    header.append((8 - header.size() % 8) % 8, ' ');  // tensors begin where their numbers may
    std::string length(8, '\0');
    for (size_t i = 0; i < 8; ++i) length[i] = static_cast<char>((header.size() >> (8 * i)) & 0xff);
    const std::filesystem::path file = folder / "model.safetensors";
    std::ofstream(file, std::ios::binary) << length << header;
    std::filesystem::resize_file(file, 8 + header.size() + static_cast<size_t>(end));
}

}  // namespace craft::test
