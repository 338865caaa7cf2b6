#include "model/decoder/loading_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include "core/error.h"
#include "core/machine.h"
#include "model/decoder/decoder_files.h"
#include "tests/core/temporary_folder.h"
#include "tests/model/decoder/small_decoder.h"

namespace craft {
namespace {

namespace fs = std::filesystem;

// A folder that holds bfloat16.
class LoadingMemoryOfAFolder : public testing::Test {
protected:
    LoadingMemoryOfAFolder() {
        Rng rng(1, "folder");
        Decoder::initialise(test::small_config(), rng).save(base(), at::kBFloat16);
    }
    const fs::path& base() const { return folder_.path(); }
    const TemporaryFolder folder_;
};

TEST_F(LoadingMemoryOfAFolder, IsWeightsAndTheFilesLargestTensorBesideThem) {
    const DecoderConfig config = read_decoder_config(base());
    for (const at::ScalarType dtype : {at::kFloat, at::kBFloat16})
        for (const Quantization kind : {Quantization::none, Quantization::int8, Quantization::nf4}) {
            const LoadingMemory memory = loading_memory(base(), config, dtype, at::kCPU, kind);
            EXPECT_EQ(memory.kept, Decoder::load(base(), dtype, at::kCPU, kind).weight_bytes());
            // The folder holds bfloat16: its last tensors are used where the file has them.
            const bool is_mapped = dtype == at::kBFloat16 && kind == Quantization::none;
            EXPECT_EQ(memory.peak > memory.kept, !is_mapped);
            EXPECT_EQ(loading_memory(base(), config, dtype, at::kCUDA, kind).peak, memory.kept);
        }
}

// By hand: a folder without weights whose config says float32. The last matrix is the head [7, 4]: 112 bytes of the file
// beside all that is kept in bfloat16.
TEST(LoadingMemory, GoesByTheConfigWithoutFiles) {
    const TemporaryFolder folder;
    folder.file("config.json", R"({"architectures":["LlamaForCausalLM"],"vocab_size":7,"hidden_size":4,"intermediate_size":5,
        "num_hidden_layers":1,"num_attention_heads":2,"num_key_value_heads":1,"tie_word_embeddings":false,"dtype":"float32"})");
    const DecoderConfig config = read_decoder_config(folder.path());
    const LoadingMemory memory = loading_memory(folder.path(), config, at::kBFloat16, at::kCPU);
    const int64_t layer = 4 * (4 + 2 + 2) + 4 * 4 + 3 * 4 * 5 + 2 * 4;  // qkv, o, gate, up and down, norms
    EXPECT_EQ(memory.kept, 2 * (2 * 7 * 4 + layer + 4));
    EXPECT_EQ(memory.peak, memory.kept + 4 * 7 * 4);
}

// A Llama whose weights are a hole in a file: 3 projections of 32 * 2^31 values in float16 are 412 GB, twice that in
// float32.
class HugeModel : public testing::Test {
protected:
    HugeModel() {
        folder_.file("config.json", R"({"architectures":["LlamaForCausalLM"],"vocab_size":7,"hidden_size":32,
            "intermediate_size":2147483648,"num_hidden_layers":1,"num_attention_heads":2,"num_key_value_heads":1,
            "tie_word_embeddings":true,"dtype":"float16"})");
        int64_t end = 0;
        std::string header = "{";
        const auto add = [&](const std::string& name, std::vector<int64_t> shape) {
            std::string sizes;
            int64_t bytes = 2;
            for (const int64_t size : shape) {
                sizes += (sizes.empty() ? "" : ",") + std::to_string(size);
                bytes *= size;
            }
            header += (end > 0 ? ",\"" : "\"") + name + R"(":{"dtype":"F16","shape":[)" + sizes + R"(],"data_offsets":[)" +
                      std::to_string(end) + "," + std::to_string(end + bytes) + "]}";
            end += bytes;
        };
        const int64_t inner = int64_t{1} << 31;
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
        std::string length(8, '\0');
        for (size_t i = 0; i < 8; ++i) length[i] = static_cast<char>((header.size() >> (8 * i)) & 0xff);
        folder_.file("model.safetensors", length + header);
        fs::resize_file(folder_.path() / "model.safetensors", 8 + header.size() + static_cast<size_t>(end));
    }
    const TemporaryFolder folder_;
};

TEST_F(HugeModel, IsRefusedBeforeAnythingIsAllocated) {
    // 3 * 32 * 2^31 * 4 bytes; what else there is makes no tenth.
    if (this_machine().memory_bytes > 824'600'000'000) GTEST_SKIP() << "this machine's memory holds the model";
    try {
        Decoder::load(folder_.path(), at::kFloat, at::kCPU);
        FAIL() << "was loaded";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(),
                    testing::AllOf(testing::HasSubstr("expected memory for 824.6 GB of weights in float32, got "),
                                   testing::HasSubstr(" GB in this machine (--dtype bfloat16, or --quantize)")));
    }
}

TEST(ExpectMemory, WarnsOfWhatIsNotFreeAndRefusesWhatCannotBe) {
    const Machine machine = this_machine();
    ASSERT_GT(machine.free_memory_bytes, 0);
    testing::internal::CaptureStderr();
    expect_memory("m", machine.free_memory_bytes / 2, at::kFloat, at::kCPU, Quantization::none);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    testing::internal::CaptureStderr();
    expect_memory("m", machine.memory_bytes, at::kBFloat16, at::kCPU, Quantization::nf4);
    EXPECT_THAT(testing::internal::GetCapturedStderr(), testing::HasSubstr("m: its weights take "));
    EXPECT_THROW(expect_memory("m", machine.memory_bytes + 1, at::kFloat, at::kCPU, Quantization::int8), Error);
}

}  // namespace
}  // namespace craft
