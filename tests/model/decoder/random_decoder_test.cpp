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

}  // namespace
}  // namespace craft
