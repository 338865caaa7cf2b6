#include "align/copying_heads.h"

#include <ATen/core/grad_mode.h>
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "model/kernels/packed_batch.h"

namespace craft {
namespace {

DecoderConfig copying_config(int64_t hidden, int64_t heads, int64_t layers) {
    DecoderConfig config;
    config.vocab_size = 1000;
    config.hidden_size = hidden;
    config.intermediate_size = 2 * hidden;
    config.layers = layers;
    config.heads = heads;
    config.kv_heads = heads / 2;
    config.head_dim = hidden / heads;
    config.rope_theta = 1e6;
    return config;
}

// The share of a random string's tokens that are predicted where it comes up again, `gap` other tokens later; `again_as`
// says what stands for a token then.
double copied_share(const Decoder& decoder, int64_t gap, Rng& rng, int64_t vocabulary = 1000,
                    const std::function<int64_t(int64_t)>& again_as = nullptr) {
    const at::NoGradGuard no_grad;
    const auto some_token = [&] { return static_cast<int64_t>(rng.below(static_cast<uint64_t>(vocabulary))); };
    int64_t copied = 0, all = 0;
    for (int trial = 0; trial < 10; ++trial) {
        std::vector<int64_t> string(20), tokens(static_cast<size_t>(5 + trial));
        for (int64_t& token : string) token = some_token();
        for (int64_t& token : tokens) token = some_token();
        tokens.insert(tokens.end(), string.begin(), string.end());
        for (int64_t i = 0; i < gap; ++i) tokens.push_back(some_token());
        const size_t again = tokens.size();
        tokens.insert(tokens.end(), string.begin(), string.end());
        if (again_as)
            for (size_t i = again; i < tokens.size(); ++i) tokens[i] = again_as(tokens[i]);
        const PackedBatch batch = pack({{tokens, {{{0}, {0}}}}}, at::kCPU);
        const at::Tensor best = decoder.logits(decoder.hidden(batch)).argmax(-1);
        for (size_t i = again; i + 1 < tokens.size(); ++i, ++all)
            copied += best[static_cast<int64_t>(i)].item<int64_t>() == string[i + 1 - again] ? 1 : 0;
    }
    return static_cast<double>(copied) / static_cast<double>(all);
}

class CopyingHeads : public testing::TestWithParam<std::tuple<int64_t, int64_t, int64_t>> {};

TEST_P(CopyingHeads, CopyWhatTheyNeverSawAtAnyDistance) {
    const auto [hidden, heads, layers] = GetParam();
    Rng rng(5, "copying heads");
    Decoder decoder = Decoder::initialise(copying_config(hidden, heads, layers), rng);
    EXPECT_LT(copied_share(decoder, 10, rng), 0.05);
    write_copying_heads(decoder, rng);
    EXPECT_GT(copied_share(decoder, 0, rng), 0.9);
    EXPECT_GT(copied_share(decoder, 150, rng), 0.8);
}

INSTANTIATE_TEST_SUITE_P(Sizes, CopyingHeads,
                         testing::Values(std::tuple(256, 8, 4), std::tuple(256, 4, 2), std::tuple(320, 10, 3)));

TEST(CopyingHeads, FindATokenByItsTwin) {
    std::vector<SpacePair> space_pairs;
    for (int64_t id = 0; id < 500; ++id) space_pairs.push_back({id, 500 + id});
    const auto twin = [](int64_t token) { return 500 + token; };
    Rng rng(6, "copying heads");
    Decoder decoder = Decoder::initialise(copying_config(256, 8, 2), rng),
            without = Decoder::initialise(decoder.config(), rng);
    write_copying_heads(decoder, rng, space_pairs);
    write_copying_heads(without, rng);
    EXPECT_GT(copied_share(decoder, 20, rng, 500), 0.9);
    EXPECT_GT(copied_share(decoder, 20, rng, 500, twin), 0.7);
    EXPECT_LT(copied_share(without, 20, rng, 500, twin), 0.1);
}

// Spellings that differ by one leading blank, in a vocabulary of a few words.
class WordTokenizer : public Tokenizer {
public:
    std::vector<int64_t> encode_around(std::string_view, const std::vector<ByteRange>&) const override { return {}; }
    std::string decode(const std::vector<int64_t>& ids, bool) const override {
        return kWords.at(static_cast<size_t>(ids[0]));
    }
    int64_t vocabulary_size() const override { return static_cast<int64_t>(kWords.size()); }
    int64_t id_of(std::string_view) const override { return -1; }
    std::vector<int64_t> leading_tokens() const override { return {}; }
    int64_t end_token() const override { return -1; }

private:
    const std::vector<std::string> kWords = {"", " ", "turn", " turn", " out", "  turn", "in", " in", "\n"};
};

TEST(CopyingHeads, TwinsDifferByALeadingBlank) {
    std::vector<std::pair<int64_t, int64_t>> found;
    for (const SpacePair& pair : space_pairs_of(WordTokenizer())) found.emplace_back(pair.with_blank, pair.without);
    EXPECT_EQ(found, (std::vector<std::pair<int64_t, int64_t>>{{3, 2}, {7, 6}}));
}

TEST(CopyingHeads, RefuseADecoderThatCannotHoldThem) {
    Rng rng(5, "copying heads");
    for (const auto& spoil : std::vector<std::function<void(DecoderConfig&)>>{
             [](DecoderConfig& c) { c.layers = 1; }, [](DecoderConfig& c) { c.kv_heads = 8; },
             [](DecoderConfig& c) { c.heads = 7; }, [](DecoderConfig& c) { c.head_dim = 16; },
             [](DecoderConfig& c) { c.tied_embeddings = false; }}) {
        DecoderConfig config = copying_config(256, 8, 2);
        spoil(config);
        Decoder decoder = Decoder::initialise(config, rng);
        EXPECT_THROW(write_copying_heads(decoder, rng), std::logic_error);
    }
}

}  // namespace
}  // namespace craft
