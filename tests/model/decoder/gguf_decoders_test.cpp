// Decoders of GGUF files: what tests/parity/make_gguf.py made of the folders in tests/model/decoders, which are held against
// transformers elsewhere, loads as those do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include <algorithm>

#include "core/files.h"
#include "core/json.h"
#include "model/decoder/decoder_files.h"
#include "model/decoder/export.h"
#include "model/decoder/random_decoder.h"
#include "model/weights/gguf_tensors.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

namespace fs = std::filesystem;

const fs::path kFiles = CRAFT_TEST_SOURCE "/tests/model/gguf";
const fs::path kFolders = CRAFT_TEST_SOURCE "/tests/model/decoders";

at::Tensor logits_of(const Decoder& decoder) {
    const at::NoGradGuard guard;
    std::vector<int64_t> row;  // longer than windows and original lengths of the variants
    for (int64_t i = 0; i < 70; ++i) row.push_back((i * i + 7 * i) % decoder.config().vocab_size);
    return decoder.logits(decoder.hidden(pack({{row, {{{}, {}}}}}, at::kCPU)));
}

// The folder, with what GGUF cannot say of a Gemma 2 as its files mean it.
fs::path folder_of(const std::string& name, const TemporaryFolder& copies) {
    const fs::path folder = kFolders / name / "model";
    Json config = read_json_file(folder / "config.json");
    if (config["model_type"] != "gemma2") return folder;
    const fs::path copy = copies.path() / name;
    fs::copy(folder, copy);
    config["query_pre_attn_scalar"] = config["head_dim"];
    write_json_file(copy / "config.json", config);
    return copy;
}

class GgufDecoders : public testing::TestWithParam<std::string> {
protected:
    fs::path file() const { return kFiles / (GetParam() + ".gguf"); }
    TemporaryFolder folder_;
};

TEST_P(GgufDecoders, ComputeWhatTheirFoldersCompute) {
    const Decoder folder = Decoder::load(folder_of(GetParam(), folder_), at::kFloat, at::kCPU);
    const Decoder decoder = Decoder::load(file(), at::kFloat, at::kCPU);
    const at::Tensor expected = logits_of(folder), got = logits_of(decoder);
    ASSERT_GT(expected.std().item<double>(), 0.05) << "logits that tell something";
    // The same weights, but for Gemma's norms (a sum rounded to float32) and frequencies that were stored as float32.
    EXPECT_LT((got - expected).abs().max().item<double>(), 2e-5);
}

TEST_P(GgufDecoders, AreTheSameAsAnExportedFolder) {
    export_model(file(), at::kFloat, folder_.path() / "out");
    const Decoder exported = Decoder::load(folder_.path() / "out", at::kFloat, at::kCPU);
    EXPECT_TRUE(at::equal(logits_of(exported), logits_of(Decoder::load(file(), at::kFloat, at::kCPU))));
}

INSTANTIATE_TEST_SUITE_P(All, GgufDecoders,
                         testing::Values("llama", "llama-biases", "llama-linear", "llama3", "mistral", "mistral-whole",
                                         "qwen2", "qwen3", "phi3", "phi3-longrope", "phi3-partial", "gemma2",
                                         "gemma2-uncapped", "gpt2", "gpt2-wide"),
                         [](const auto& which) {
                             std::string name = which.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST(GgufDecoder, InFewBitsIsAFolderInFewBits) {
    const TemporaryFolder folder;
    const fs::path file = kFiles / "llama.gguf";
    export_model(file, at::kFloat, folder.path() / "out");
    for (const Quantization kind : {Quantization::int8, Quantization::nf4}) {
        const Decoder narrow = Decoder::load(file, at::kFloat, at::kCPU, kind);
        EXPECT_EQ(narrow.quantization(), kind);
        EXPECT_TRUE(
            at::equal(logits_of(narrow), logits_of(Decoder::load(folder.path() / "out", at::kFloat, at::kCPU, kind))));
    }
}

TEST(GgufDecoder, InBfloat16IsRoundedOnce) {
    const Decoder whole = Decoder::load(kFiles / "qwen3.gguf", at::kFloat, at::kCPU),
                  half = Decoder::load(kFiles / "qwen3.gguf", at::kBFloat16, at::kCPU);
    EXPECT_TRUE(at::equal(whole.embedding().to(at::kBFloat16), half.embedding()));
    EXPECT_TRUE(at::equal(whole.layer_weights()[1].qkv.weight.to(at::kBFloat16), half.layer_weights()[1].qkv.weight));
}

TEST(GgufDecoder, PartsOfATensorAreTheWhole) {
    const GgufTensors llama(kFiles / "llama.gguf");
    for (const std::string& name : llama.names()) {
        std::vector<at::Tensor> parts;
        int64_t next = 0;
        llama.for_each_part(name, [&](const at::Tensor& rows, int64_t first) {
            EXPECT_EQ(first, next);
            next += rows.size(0);
            parts.push_back(rows.clone());
        });
        EXPECT_TRUE(at::equal(at::cat(parts), llama.view(name))) << name;
    }
}

// What transformers computes on the real model (make_gguf.py real).
TEST(GgufDecoder, RealModelGivesTransformersLogProbabilities) {
    const fs::path model = CRAFT_TEST_SOURCE "/weights/smollm2-135m-instruct.gguf";
    if (!fs::exists(model)) GTEST_SKIP() << "no weights/smollm2-135m-instruct.gguf: scripts/setup.sh gets it";
    const SafetensorsFile expected(kFiles / "smollm2.safetensors");
    const at::Tensor tokens = expected.tensor("tokens");
    const std::vector<int64_t> row(tokens.const_data_ptr<int64_t>(), tokens.const_data_ptr<int64_t>() + tokens.numel());
    const at::NoGradGuard guard;
    const Decoder decoder = Decoder::load(model, at::kFloat, at::kCPU);
    TokenTree tree{{}, {{row, std::vector<uint8_t>(row.size(), 1)}}};
    tree.branches[0].counted[0] = 0;
    const at::Tensor got = target_logprobs(decoder, pack({tree}, at::kCPU));
    // Sums of some thousand float32 products in other orders, through 30 layers.
    EXPECT_LT((got.flatten() - expected.tensor("logprobs")).abs().max().item<double>(), 5e-4);
}

}  // namespace
}  // namespace craft
