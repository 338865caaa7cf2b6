// Decoders of GGUF files: what tests/parity/make_gguf.py made of the folders in tests/model/decoders, which are held against
// transformers elsewhere, loads as those do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include <algorithm>

#include "core/files.h"
#include "core/json.h"
#include "core/rng.h"
#include "model/decoder/decoder_files.h"
#include "model/decoder/export.h"
#include "model/decoder/random_decoder.h"
#include "model/kernels/quantizer.h"
#include "model/weights/gguf_tensors.h"
#include "tests/core/temporary_folder.h"
#include "tests/model/files/gguf_writer.h"
#include "tests/source.h"

namespace craft {
namespace {

namespace fs = std::filesystem;

const fs::path kFiles = test_source("/tests/model/gguf");
const fs::path kFolders = test_source("/tests/model/decoders");

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
                         testing::Values("llama", "llama-biases", "llama-linear", "llama-yarn", "llama3", "mistral",
                                         "mistral-whole", "qwen2", "qwen2-yarn", "qwen3", "phi3", "phi3-longrope",
                                         "phi3-partial", "gemma2", "gemma2-uncapped", "gpt2", "gpt2-wide"),
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

// One layer whose matrices are of as many types as there are, in blocks of random bytes; q, k and v lie in one product.
std::string llama_in_blocks() {
    const std::vector<std::pair<std::string, uint64_t>> matrices = {{"attn_q", 256},      {"attn_k", 128},   {"attn_v", 128},
                                                                    {"attn_output", 256}, {"ffn_gate", 256}, {"ffn_up", 256},
                                                                    {"ffn_down", 256}};
    const std::vector<GgufType> types = {GgufType::q4_1, GgufType::q4_0, GgufType::q8_0, GgufType::q5_1,
                                         GgufType::q6_k, GgufType::q3_k, GgufType::f16};
    test::GgufWriter writer;
    writer.u32("llama.block_count", 1).u32("llama.context_length", 64).u32("llama.embedding_length", 256);
    writer.u32("llama.feed_forward_length", 256)
        .u32("llama.attention.head_count", 4)
        .u32("llama.attention.head_count_kv", 2);
    writer.f32("llama.attention.layer_norm_rms_epsilon", 1e-5F);
    writer.text("tokenizer.ggml.model", "llama").texts("tokenizer.ggml.tokens", std::vector<std::string>(11, "a"));
    Rng rng(3, "blocks");
    std::vector<float> embedding(256 * 11);
    for (float& value : embedding) value = static_cast<float>(rng.below(1000)) / 500 - 1;
    writer.floats("token_embd.weight", {256, 11}, embedding);
    for (const char* norm : {"output_norm", "blk.0.attn_norm", "blk.0.ffn_norm"})
        writer.floats(std::string(norm) + ".weight", {256}, std::vector<float>(256, 1));
    for (size_t i = 0; i < matrices.size(); ++i) {
        const GgufTypeInfo& info = info_of(types[i]);
        std::string bytes(matrices[i].second * 256 / info.values * info.bytes, '\0');
        for (char& byte : bytes) byte = static_cast<char>(rng.below(256));
        for (size_t block = 0; block < bytes.size(); block += info.bytes)  // scales, halves, of at most 2^-7
            for (const size_t at : {size_t{0}, size_t{2}, info.bytes - 2})
                if (at + 2 <= info.bytes) bytes[block + at + 1] = static_cast<char>(rng.below(0x20));
        writer.tensor("blk.0." + matrices[i].first + ".weight", {256, matrices[i].second}, static_cast<uint32_t>(types[i]),
                      bytes);
    }
    return writer.bytes();
}

TEST(GgufDecoder, KeepsTheFilesOwnBlocks) {
    const TemporaryFolder folder;
    const fs::path file = folder.file("blocks.gguf", llama_in_blocks());
    for (const at::ScalarType dtype : {at::kFloat, at::kBFloat16}) {
        const Decoder kept = Decoder::load(file, dtype, at::kCPU, Quantization::blocks),
                      values = Decoder::load(file, dtype, at::kCPU);
        EXPECT_EQ(kept.quantization(), Quantization::blocks);
        EXPECT_LT(kept.weight_bytes(), values.weight_bytes() * 3 / 4);
        const auto &in_blocks = kept.layer_weights()[0], &in_values = values.layer_weights()[0];
        EXPECT_EQ(in_blocks.qkv.quantized.at(0).codes.numel(), 256 * 256 / 32 * 20);  // Q4_1: 20 bytes for 32 values
        // Bit for bit, whether all of a weight or a piece of a row is read.
        EXPECT_TRUE(at::equal(in_blocks.qkv.base_weight(dtype), in_values.qkv.weight));
        EXPECT_TRUE(at::equal(in_blocks.o.base_weight(dtype), in_values.o.weight));
        EXPECT_TRUE(at::equal(in_blocks.gate_up.base_weight(dtype), in_values.gate_up.weight));
        EXPECT_TRUE(at::equal(in_blocks.down.base_weight(dtype), in_values.down.weight)) << "F16 is no block";
        const QuantizedWeight& q = in_blocks.qkv.quantized[0];
        EXPECT_TRUE(at::equal(q.composed_values(dtype), q.values(dtype)));
        std::vector<float> piece(70);
        WeightRows(q).read(5, 19, 70, piece.data());
        EXPECT_TRUE(at::equal(at::tensor(piece), q.values(at::kFloat)[5].narrow(0, 19, 70)));
        EXPECT_TRUE(at::equal(logits_of(kept), logits_of(values)));
    }
    EXPECT_THAT(message_of([] { Decoder::load(kFolders / "llama" / "model", at::kFloat, at::kCPU, Quantization::blocks); }),
                testing::HasSubstr("--quantize: expected a GGUF file with weights in blocks, got a model without any"));
    EXPECT_THAT(message_of([&] {
                    quantize(at::ones({2, 32}), Quantization::blocks, "w");
                }),
                testing::HasSubstr("w: expected blocks that a file has"));
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
    const fs::path model = test_source("/weights/smollm2-135m-instruct.gguf");
    if (!fs::exists(model)) GTEST_SKIP() << "no weights/smollm2-135m-instruct.gguf: scripts/setup.sh installs it";
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
