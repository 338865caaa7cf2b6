// Model folders whose weights bitsandbytes holds in NF4: what they load as, and what is said of broken ones.
#include <gtest/gtest.h>
#include <torch/types.h>

#include <cmath>
#include <cstring>

#include "core/error.h"
#include "model/kernels/quantizer.h"
#include "model/weights/quantized_files.h"
#include "model/weights/safetensors.h"
#include "tests/model/decoder/small_decoder.h"

namespace craft {
namespace {

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

TEST(Nf4Folders, HoldWhatLoadingInNf4Makes) {
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
