// Folders that are unusual and yet what transformers and PEFT read, and what `inspect` counts in them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include "core/error.h"
#include "core/files.h"
#include "core/json.h"
#include "model/decoder/describe.h"
#include "model/decoder/export.h"
#include "model/kernels/quantizer.h"
#include "model/spec/encoder_config.h"
#include "model/weights/safetensors.h"
#include "tests/model/decoder/small_decoder.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using test::lively_decoder;
using test::small_config;
using testing::HasSubstr;

const std::string kEmbedding = "model.embed_tokens.weight", kHead = "lm_head.weight";

NamedTensors tensors_of(const fs::path& file) {
    const SafetensorsFile from(file);
    NamedTensors tensors;
    for (const std::string& name : from.names()) tensors.emplace_back(name, from.tensor(name));
    return tensors;
}

// The embedding's matrix stands under the head's name alone.
void move_embedding_to_head(const fs::path& folder) {
    NamedTensors tensors = tensors_of(folder / "model.safetensors");
    for (auto& [name, tensor] : tensors)
        if (name == kEmbedding) name = kHead;
    write_safetensors(folder / "model.safetensors", tensors);
}

at::Tensor logprobs(const Decoder& decoder) {
    const at::NoGradGuard guard;
    Rng rng(1, "folders");
    return target_logprobs(
        decoder, pack({{test::random_tokens(rng, 9, 61), {{test::random_tokens(rng, 5, 61), {1, 1, 1, 1, 1}}}}}, at::kCPU));
}

std::string failure(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(ModelFolders, ATiedMatrixUnderTheHeadsNameAlone) {
    const TemporaryFolder folder;
    lively_decoder(small_config(), at::kFloat).save(folder.path(), at::kFloat);
    const Decoder plain = Decoder::load(folder.path(), at::kFloat, at::kCPU);
    move_embedding_to_head(folder.path());
    const Decoder moved = Decoder::load(folder.path(), at::kFloat, at::kCPU);
    EXPECT_TRUE(moved.config().tied_embeddings);
    EXPECT_TRUE(at::equal(logprobs(plain), logprobs(moved)));
    EXPECT_EQ(describe_decoder(folder.path())["tied_embeddings"], true);
}

TEST(ModelFolders, AnUntiedHeadIsNoEmbedding) {
    const TemporaryFolder folder;
    lively_decoder(small_config(false), at::kFloat).save(folder.path(), at::kFloat);
    NamedTensors tensors = tensors_of(folder.path() / "model.safetensors");
    std::erase_if(tensors, [](const auto& pair) { return pair.first == kEmbedding; });
    write_safetensors(folder.path() / "model.safetensors", tensors);
    EXPECT_THAT(failure([&] { Decoder::load(folder.path(), at::kFloat, at::kCPU); }), HasSubstr(kEmbedding));
}

// Merged adapters of such folders: the matrices stay one, or become two under both names.
TEST(ModelFolders, MergingIntoATiedMatrixUnderTheHeadsNameAlone) {
    for (const std::string target : {"q_proj", "embed_tokens", "lm_head"}) {
        const TemporaryFolder folder;
        const fs::path model = folder.path() / "model", adapter = folder.path() / "adapter", out = folder.path() / "out";
        lively_decoder(small_config(), at::kFloat).save(model, at::kFloat);
        move_embedding_to_head(model);
        Decoder decoder = Decoder::load(model, at::kFloat, at::kCPU);
        Rng rng(2, "lora");
        decoder.add_adapter({.rank = 2, .alpha = 4, .targets = {target}}, rng);
        for (const auto& [name, leaf] : decoder.trainable()) {
            at::Tensor values = leaf.detach();
            values.copy_(at::linspace(-0.2, 0.3, values.numel()).view(values.sizes()));
        }
        decoder.save_adapter(adapter);
        export_merged(model, adapter, out);
        const Decoder merged = Decoder::load(out, at::kFloat, at::kCPU);
        EXPECT_EQ(merged.config().tied_embeddings, target == "q_proj") << target;
        EXPECT_LT((logprobs(merged) - logprobs(decoder)).abs().max().item<double>(), 1e-4) << target;
        EXPECT_GT((logprobs(merged) - logprobs(Decoder::load(model, at::kFloat, at::kCPU))).abs().max().item<double>(),
                  1e-2);
    }
}

TEST(ModelFolders, AnUnknownClassIsAnErrorThatListsAllKinds) {
    const TemporaryFolder folder;
    fs::create_directories(folder.path());
    for (const Json& config :
         {Json{{"architectures", {"DebertaV2Model"}}, {"model_type", "deberta-v2"}}, Json{{"model_type", "deberta-v2"}}}) {
        write_json_file(folder.path() / "config.json", config);
        const std::string line = failure([&] { model_kind(folder.path()); });
        for (const char* known :
             {"LlamaForCausalLM", "Gemma2ForCausalLM", "BertModel", "RobertaModel", "BartForConditionalGeneration"})
            EXPECT_THAT(line, HasSubstr(known));
    }
}

// A weight [rows, columns] in 4 bits has rows * columns parameters; its scales and maps are none, their bytes count.
TEST(ModelFolders, WeightsInFourBitsAreCountedAsParameters) {
    const TemporaryFolder folder;
    const std::string weight = "model.layers.0.mlp.up_proj.weight";
    const QuantizedWeight q = quantize(at::ones({32, 24}), Quantization::nf4, "w");
    const std::string state = R"({"quant_type": "nf4", "blocksize": 64, "dtype": "float32", "shape": [32, 24],
        "nested_blocksize": 256, "nested_dtype": "float32", "nested_offset": 0.25})";
    at::Tensor state_bytes = at::empty({static_cast<int64_t>(state.size())}, at::kByte);
    std::copy(state.begin(), state.end(), state_bytes.mutable_data_ptr<uint8_t>());
    const NamedTensors tensors = {{weight, q.codes.view({-1, 1})},
                                  {weight + ".absmax", q.scales},
                                  {weight + ".quant_map", at::tensor(at::ArrayRef<float>(kNf4Values))},
                                  {weight + ".nested_absmax", q.nested_scales},
                                  {weight + ".nested_quant_map", q.nested_map},
                                  {weight + ".quant_state.bitsandbytes__nf4", state_bytes},
                                  {"model.norm.weight", at::ones({24})}};
    write_safetensors(folder.path() / "model.safetensors", tensors);
    for (const Json& counted :
         {describe_safetensors(folder.path() / "model.safetensors"), describe_weights(folder.path())}) {
        EXPECT_EQ(counted["parameters"], 32 * 24 + 24);
        EXPECT_EQ(counted["dtypes"], (Json{{"F32", 24}, {"NF4", 32 * 24}}));
        EXPECT_EQ(counted["tensors"], 7);
        EXPECT_EQ(counted["largest"][0], weight + ": 32 x 24 NF4");
        EXPECT_EQ(counted["bytes"], 32 * 24 / 2 + 12 + 64 + 4 + 1024 + state.size() + 96);
    }
    state_bytes.fill_(' ');
    write_safetensors(folder.path() / "model.safetensors", tensors);
    EXPECT_THAT(failure([&] { describe_weights(folder.path()); }), HasSubstr(weight + ".quant_state"));
}

}  // namespace
}  // namespace craft
