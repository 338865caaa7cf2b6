#include "model/kernels/rotary.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include "core/error.h"
#include "core/files.h"
#include "core/json.h"
#include "tests/model/decoder/small_decoder.h"

namespace craft {
namespace {

std::vector<int64_t> whole_numbers(const at::Tensor& tensor) {
    return {tensor.const_data_ptr<int64_t>(), tensor.const_data_ptr<int64_t>() + tensor.numel()};
}

// Two tokens of prompt; branches of one token (3 in all, within the 4 before scaling, nothing counted) and of five (7 in
// all, beyond it, its first token counted: predicted at the prompt's end).
TEST(SeparateBranches, TargetsGoWithTheirOwnBranch) {
    DecoderConfig config = test::small_config();
    config.rope.kind = RopeKind::longrope;
    config.rope.original_positions = 4;
    const TokenTree tree{{10, 11}, {{{20}, {0}}, {{30, 31, 32, 33, 34}, {1, 0, 0, 0, 1}}}};
    const PackedBatch apart = separate_branches(config, pack({tree}, at::kCPU));
    EXPECT_EQ(whole_numbers(apart.tokens), (std::vector<int64_t>{10, 11, 20, 10, 11, 30, 31, 32, 33, 34}));
    EXPECT_EQ(whole_numbers(apart.positions), (std::vector<int64_t>{0, 1, 2, 0, 1, 2, 3, 4, 5, 6}));
    // The second prompt's last token (row 4), and the token before the last (row 8).
    EXPECT_EQ(whole_numbers(apart.target_rows), (std::vector<int64_t>{4, 8}));
    EXPECT_EQ(whole_numbers(apart.target_branch), (std::vector<int64_t>{1, 1}));
}

class ConfigFolder {
public:
    DecoderConfig read(const Json& more) const {
        Json config = {{"architectures", {"LlamaForCausalLM"}},
                       {"vocab_size", 61},
                       {"hidden_size", 16},
                       {"intermediate_size", 32},
                       {"num_hidden_layers", 1},
                       {"num_attention_heads", 2},
                       {"max_position_embeddings", 64},
                       {"eos_token_id", {7, 8}}};
        config.update(more);
        write_json_file(folder_.path() / "config.json", config);
        return read_decoder_config(folder_.path());
    }
    void generation(const Json& file) const { write_json_file(folder_.path() / "generation_config.json", file); }

private:
    TemporaryFolder folder_;
};

TEST(DecoderConfigFile, AnEmptyScalingHidesNoParameters) {
    const ConfigFolder folder;
    const Json parameters = {{"rope_type", "linear"}, {"factor", 4.0}, {"rope_theta", 500.0}};
    for (const Json& scaling : {Json(), Json::object()}) {
        const DecoderConfig config = folder.read({{"rope_scaling", scaling}, {"rope_parameters", parameters}});
        EXPECT_EQ(config.rope.kind, RopeKind::linear);
        EXPECT_EQ(config.rope.factor, 4);
        EXPECT_EQ(config.rope_theta, 500);
    }
}

TEST(DecoderConfigFile, AFactorBeyondReasonIsAnError) {
    const ConfigFolder folder;
    EXPECT_THROW(folder.read({{"rope_scaling", {{"rope_type", "dynamic"}, {"factor", 1e300}}}}), Error);
    EXPECT_EQ(folder.read({{"rope_scaling", {{"rope_type", "dynamic"}, {"factor", 2.0}}}}).max_positions, 128);
}

TEST(DecoderConfigFile, Yarn) {
    const ConfigFolder folder;
    // The length before scaling is the config's own where nothing else is said, and four times that can be read.
    DecoderConfig config = folder.read({{"rope_scaling", {{"type", "yarn"}, {"factor", 4.0}}}});
    EXPECT_EQ(config.rope.kind, RopeKind::yarn);
    EXPECT_EQ(config.rope.original_positions, 64);
    EXPECT_EQ(config.max_positions, 256);
    EXPECT_NEAR(config.rope.attention_factor, 1.1386294, 1e-6);  // 0.1 ln 4 + 1
    // (0.1 * 0.5 * ln 4 + 1) / (0.1 * 2 * ln 4 + 1) = 1.0693147 / 1.2772589
    config = folder.read({{"rope_parameters",
                           {{"rope_type", "yarn"},
                            {"factor", 4.0},
                            {"original_max_position_embeddings", 16},
                            {"mscale", 0.5},
                            {"mscale_all_dim", 2.0},
                            {"truncate", false}}}});
    EXPECT_EQ(config.rope.original_positions, 16);
    EXPECT_EQ(config.max_positions, 64);
    EXPECT_FALSE(config.rope.whole_bounds);
    EXPECT_NEAR(config.rope.attention_factor, 0.8371950, 1e-6);
}

// By hand: 8 dimensions, theta 100, trained on 64 positions, factor 4. A pair turns 32 times within them where
// 64 / (2 pi 100^(i/4)) = 32, at i = 4 ln(64 / 64 pi) / ln 100 < 0, so that the ramp begins at 0; and once at
// i = 4 ln(64 / 2 pi) / ln 100 = 2.016, made 3. So the pairs keep 1, 2/3, 1/3 and 0 of their frequencies 1, 10^-0.5, 0.1 and
// 10^-1.5, and have a fourth of the rest.
TEST(RotaryFrequencies, OfYarn) {
    DecoderConfig config = test::small_config();
    config.head_dim = 8;
    config.rope_theta = 100;
    config.rope.kind = RopeKind::yarn;
    config.rope.original_positions = 64;
    config.rope.factor = 4;
    const std::vector<double> wanted = {1, 0.316228 * (2.0 / 3 + 1.0 / 12), 0.1 * (1.0 / 3 + 1.0 / 6), 0.0316228 / 4};
    const at::Tensor got = rotary_frequencies(config, 1);
    ASSERT_EQ(got.numel(), 4);
    for (int64_t i = 0; i < 4; ++i) EXPECT_NEAR(got[i].item<double>(), wanted[static_cast<size_t>(i)], 1e-6) << i;
}

TEST(DecoderConfigFile, EndTokensAreThoseOfGenerationConfigWhereThereIsOne) {
    const ConfigFolder folder;
    EXPECT_EQ(folder.read(Json::object()).end_tokens, (std::vector<int64_t>{7, 8}));
    folder.generation(Json::object({{"eos_token_id", 9}}));
    EXPECT_EQ(folder.read(Json::object()).end_tokens, (std::vector<int64_t>{9}));
    folder.generation(Json::object({{"do_sample", true}}));
    EXPECT_TRUE(folder.read(Json::object()).end_tokens.empty()) << "as in transformers";
}

}  // namespace
}  // namespace craft
