#include "model/decoder/random_decoder.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include "model/decoder/decoder_files.h"
#include "tests/core/temporary_folder.h"
#include "tests/model/decoder/small_decoder.h"

namespace craft {
namespace {

// A folder that holds bfloat16.
class RandomDecoder : public testing::Test {
protected:
    RandomDecoder() {
        Rng rng(1, "folder");
        Decoder::initialise(test::small_config(), rng).save(base(), at::kBFloat16);
    }
    const std::filesystem::path& base() const { return folder_.path(); }
    const TemporaryFolder folder_;
};
using LoadingMemoryOfAFolder = RandomDecoder;

PackedBatch batch() {
    return pack({{{1, 2, 3}, {{{4, 5, 6}, {1, 1, 1}}}}}, at::kCPU);
}

TEST_F(RandomDecoder, HasTheTensorsOfTheModel) {
    const Decoder loaded = Decoder::load(base(), at::kFloat, at::kCPU),
                  made = random_decoder(loaded.config(), at::kFloat, at::kCPU);
    const NamedTensors wanted = DecoderWeights::named(loaded), got = DecoderWeights::named(made);
    ASSERT_EQ(got.size(), wanted.size());
    for (size_t i = 0; i < got.size(); ++i) {
        EXPECT_EQ(got[i].first, wanted[i].first);
        EXPECT_EQ(got[i].second.sizes(), wanted[i].second.sizes()) << got[i].first;
    }
    EXPECT_EQ(made.weight_bytes(), loaded.weight_bytes());
    EXPECT_TRUE(at::isfinite(target_logprobs(made, batch())).all().item<bool>());
}

TEST_F(RandomDecoder, ComesInEveryForm) {
    const DecoderConfig config = read_decoder_config(base());
    EXPECT_EQ(random_decoder(config, at::kBFloat16, at::kCPU).dtype(), at::kBFloat16);
    for (const Quantization kind : {Quantization::int8, Quantization::nf4}) {
        const Decoder loaded = Decoder::load(base(), at::kFloat, at::kCPU, kind);
        const Decoder made = random_decoder(config, at::kFloat, at::kCPU, kind);
        EXPECT_EQ(made.quantization(), kind);
        EXPECT_EQ(made.weight_bytes(), loaded.weight_bytes());
        EXPECT_TRUE(at::isfinite(target_logprobs(made, batch())).all().item<bool>());
    }
}

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

}  // namespace
}  // namespace craft
