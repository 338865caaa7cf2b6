#include "model/quantized_files.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include <cmath>
#include <cstring>

#include "core/error.h"
#include "core/files.h"
#include "model/quantizer.h"
#include "tests/model/small_decoder.h"

namespace craft {
namespace {

const char* const kState = R"({"quant_type": "nf4", "blocksize": 64, "dtype": "float32", "shape": [32, 24],
    "nested_blocksize": 256, "nested_dtype": "float32", "nested_offset": 0.25})";

std::string state_with(const std::string& from, const std::string& to) {
    std::string text = kState;
    text.replace(text.find(from), from.size(), to);
    return text;
}

TEST(QuantizedFiles, StateIsRead) {
    const Nf4State state = parse_nf4_state(kState, "w");
    EXPECT_EQ(state.shape, (std::vector<int64_t>{32, 24}));
    EXPECT_EQ(state.block, 64);
    EXPECT_EQ(state.nested_block, 256);
    EXPECT_TRUE(state.is_nested);
    EXPECT_EQ(state.offset, 0.25F);
}

TEST(QuantizedFiles, StatesThatAreRefused) {
    const std::vector<std::string> bad = {
        "",
        "[]",
        "{",
        "{}",
        std::string("\0\xff", 2),
        std::string(70000, ' '),
        state_with("nf4", "fp4"),
        state_with("64", "63"),
        state_with("64", "-64"),
        state_with("64", "16"),
        state_with("64", "1e300"),
        state_with("[32, 24]", "[32]"),
        state_with("[32, 24]", "[32, -24]"),
        state_with("[32, 24]", "[4294967296, 4294967296]"),
        state_with("[32, 24]", "null"),
        state_with("256", "\"256\""),
        state_with("0.25", "1e300"),
        state_with("0.25", "null"),
    };
    for (const std::string& text : bad) EXPECT_THROW(parse_nf4_state(text, "w"), Error) << text.substr(0, 200);
}

std::string refusal_of(const Json& asked) {
    try {
        is_stored_in_nf4({{"quantization_config", asked}}, "config.json");
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(QuantizedFiles, OtherKindsOfQuantisationAreRefusedByName) {
    EXPECT_FALSE(is_stored_in_nf4(Json::object(), "config.json"));
    EXPECT_FALSE(is_stored_in_nf4({{"quantization_config", nullptr}}, "config.json"));
    const Json nf4 = {{"quant_method", "bitsandbytes"}, {"load_in_4bit", true}, {"bnb_4bit_quant_type", "nf4"}};
    EXPECT_TRUE(is_stored_in_nf4({{"quantization_config", nf4}}, "config.json"));
    for (const char* method : {"gptq", "awq", "fp8", "compressed-tensors", "hqq"})
        EXPECT_NE(refusal_of({{"quant_method", method}}).find(method), std::string::npos) << method;
    Json fp4 = nf4;
    fp4["bnb_4bit_quant_type"] = "fp4";
    EXPECT_NE(refusal_of(fp4).find("fp4"), std::string::npos);
    fp4.erase("bnb_4bit_quant_type");  // bitsandbytes' default
    EXPECT_NE(refusal_of(fp4).find("fp4"), std::string::npos);
    EXPECT_NE(refusal_of({{"quant_method", "bitsandbytes"}, {"load_in_8bit", true}}).find("LLM.int8"), std::string::npos);
}

// A folder whose weights are in NF4, as bitsandbytes writes it.
NamedTensors in_nf4(const std::filesystem::path& full) {
    const SafetensorsFile file(full / "model.safetensors");
    NamedTensors tensors;
    for (const std::string& name : file.names()) {
        if (name.find("_proj") == std::string::npos) {
            tensors.emplace_back(name, file.tensor(name));
            continue;
        }
        const QuantizedWeight q = quantize(file.tensor(name), Quantization::nf4, name);
        const std::string state = Json({{"quant_type", "nf4"},
                                        {"blocksize", 64},
                                        {"shape", {q.rows, q.columns}},
                                        {"nested_blocksize", 256},
                                        {"nested_offset", q.offset}})
                                      .dump();
        at::Tensor bytes = at::empty({static_cast<int64_t>(state.size())}, at::kByte);
        std::memcpy(bytes.mutable_data_ptr(), state.data(), state.size());
        tensors.emplace_back(name, q.codes.unsqueeze(1));
        tensors.emplace_back(name + ".absmax", q.scales);
        tensors.emplace_back(name + ".quant_map", at::tensor(at::ArrayRef<float>(kNf4Values)));
        tensors.emplace_back(name + ".nested_absmax", q.nested_scales);
        tensors.emplace_back(name + ".nested_quant_map", q.nested_map.clone());
        tensors.emplace_back(name + ".quant_state.bitsandbytes__nf4", bytes);
    }
    return tensors;
}

TEST(QuantizedFiles, FoldersInNf4) {
    const TemporaryFolder full, stored;
    test::lively_decoder(test::small_config(), at::kFloat).save(full.path(), at::kFloat);
    test::lively_decoder(test::small_config(), at::kFloat).save(stored.path(), at::kFloat);
    const NamedTensors tensors = in_nf4(full.path());
    write_safetensors(stored.path() / "model.safetensors", tensors);
    const Decoder ours = Decoder::load(full.path(), at::kFloat, at::kCPU, Quantization::nf4);
    for (const Quantization asked : {Quantization::none, Quantization::nf4}) {
        const Decoder decoder = Decoder::load(stored.path(), at::kFloat, at::kCPU, asked);
        for (size_t l = 0; l < 3; ++l)
            EXPECT_TRUE(at::equal(decoder.layer_weights()[l].qkv.base_weight(at::kFloat),
                                  ours.layer_weights()[l].qkv.base_weight(at::kFloat)));
    }
    EXPECT_THROW(Decoder::load(stored.path(), at::kFloat, at::kCPU, Quantization::int8), Error);

    // One tensor wrong at a time: an error that names it, before anything is computed with it.
    const std::string name = "model.layers.1.mlp.up_proj.weight";
    const std::vector<std::pair<std::string, at::Tensor>> wrong = {
        {"", at::zeros({7, 1}, at::kByte)},
        {".absmax", at::zeros({3}, at::kByte)},
        {".absmax", at::zeros({15}, at::kFloat)},
        {".quant_map", at::zeros({16}, at::kFloat)},
        {".quant_map", at::zeros({15}, at::kFloat)},
        {".nested_absmax", at::full({1}, NAN)},
        {".nested_quant_map", at::zeros({255}, at::kFloat)},
        {".quant_state.bitsandbytes__nf4", at::zeros({5}, at::kByte)},
        {".quant_state.bitsandbytes__nf4", at::zeros({5, 1}, at::kByte)},
        {".absmax", at::Tensor()},
    };
    for (const auto& [ending, tensor] : wrong) {
        NamedTensors changed;
        for (const auto& [key, value] : tensors) {
            if (key != name + ending)
                changed.emplace_back(key, value);
            else if (tensor.defined())
                changed.emplace_back(key, tensor);
        }
        write_safetensors(stored.path() / "model.safetensors", changed);
        try {
            Decoder::load(stored.path(), at::kFloat, at::kCPU);
            ADD_FAILURE() << "no error with another " << name + ending;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
        }
    }
}

}  // namespace
}  // namespace craft
