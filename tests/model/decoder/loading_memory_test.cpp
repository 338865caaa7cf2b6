#include "model/decoder/loading_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include "core/error.h"
#include "core/machine.h"
#include "model/decoder/decoder_files.h"
#include "tests/core/temporary_folder.h"
#include "tests/model/decoder/small_decoder.h"
#include "tests/model/huge_model.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::string gigabytes(int64_t bytes) {
    const int64_t tenths = (bytes + 50'000'000) / 100'000'000;
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GB";
}

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

TEST(HugeModel, IsRefusedBeforeAnythingIsAllocated) {
    const TemporaryFolder folder;
    const int64_t memory = this_machine().memory_bytes;
    test::make_huge_model(folder.path(), 2 * memory, "F16");
    const auto refused = [&](at::ScalarType dtype, Quantization kind) {
        try {
            Decoder::load(folder.path(), dtype, at::kCPU, kind);
            return std::string("was loaded");
        } catch (const Error& error) {
            return std::string(error.what());
        }
    };
    EXPECT_THAT(refused(at::kFloat, Quantization::none),
                AllOf(HasSubstr(": expected memory for " + gigabytes(4 * memory) + " of weights in float32, got "),
                      EndsWith(" GB in this machine (--dtype bfloat16, or --quantize, or a smaller model)")));
    EXPECT_THAT(refused(at::kFloat, Quantization::int8),
                AllOf(HasSubstr(" GB of weights in int8, got "), EndsWith(" GB in this machine (a smaller model)")));
}

// The same where the mapped file would be used as it is: whoever computes reads all of it again and again.
TEST(HugeModel, IsRefusedWhereItsFileIsMapped) {
    const TemporaryFolder folder;
    const int64_t memory = this_machine().memory_bytes;
    test::make_huge_model(folder.path(), 2 * memory, "BF16");
    const DecoderConfig config = read_decoder_config(folder.path());
    EXPECT_LT(loading_memory(folder.path(), config, at::kBFloat16, at::kCPU).copied, memory) << "most of it is mapped";
    const std::string expected = "expected memory for " + gigabytes(2 * memory) + " of weights in bfloat16, got ";
    EXPECT_THAT([&] { Decoder::load(folder.path(), at::kBFloat16, at::kCPU); }, ThrowsMessage<Error>(HasSubstr(expected)));
    EXPECT_THAT([&] { refuse_beyond_memory(folder.path(), at::kBFloat16, at::kCPU, Quantization::none); },
                ThrowsMessage<Error>(HasSubstr(expected)));
    // Half a byte a weight and what belongs to it.
    refuse_beyond_memory(folder.path(), at::kBFloat16, at::kCPU, Quantization::nf4);
}

TEST(RefuseBeyondMemory, SaysNothingOfWhatIsNoDecoder) {
    const TemporaryFolder folder;
    folder.file("config.json", R"({"architectures":["NoModelForUs"]})");
    folder.file("data.jsonl", "{}\n");
    for (const fs::path& path : {folder.path(), folder.path() / "data.jsonl", folder.path() / "absent", fs::path("-")})
        refuse_beyond_memory(path, at::kFloat, at::kCPU, Quantization::none);
}

}  // namespace
}  // namespace craft
