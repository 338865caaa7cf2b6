#include "model/decoder/layer_rows.h"

#include <gtest/gtest.h>

#include "tests/model/decoder/small_decoder.h"

namespace craft {
namespace {

using Tokens = std::vector<int64_t>;

PackedBatch batch_of(const Tokens& tokens, const Tokens& positions, std::vector<Segment> segments) {
    PackedBatch batch;
    batch.tokens = at::tensor(tokens, at::kLong);
    batch.positions = at::tensor(positions, at::kLong);
    batch.segments = std::move(segments);
    return batch;
}

at::Tensor whole(const Decoder& decoder, const Tokens& tokens) {
    return decoder.hidden(pack({{{}, {{tokens, std::vector<uint8_t>(tokens.size(), 0)}}}}, at::kCPU)).detach();
}

DecoderConfig config_of(int64_t head_dim, int64_t window) {
    DecoderConfig config = test::small_config();
    config.head_dim = head_dim;
    config.windows.assign(static_cast<size_t>(config.layers), window);
    return config;
}

// Two texts, then, behind either, what goes on at its end and in its midst: each path as if computed by itself.
TEST(LayerRows, AreReadAsIfTheyStoodInThePath) {
    Rng rng(1, "layer rows");
    for (const int64_t head_dim : {8, 16})
        for (const int64_t window : {0, 4}) {
            const DecoderConfig config = config_of(head_dim, window);
            const Decoder decoder = test::lively_decoder(config, at::kFloat);
            const Tokens a = test::random_tokens(rng, 7, 61), b = test::random_tokens(rng, 5, 61),
                         tail = test::random_tokens(rng, 3, 61);
            Tokens both = a, behind;
            both.insert(both.end(), b.begin(), b.end());
            LayerRows rows;
            hidden_behind(decoder, batch_of(both, {0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4}, {{0, 7}, {7, 12}}), {}, &rows);
            EXPECT_EQ(rows.size(), 12);
            for (int i = 0; i < 3; ++i) behind.insert(behind.end(), tail.begin(), tail.end());
            const at::Tensor states = hidden_behind(
                decoder, batch_of(behind, {7, 8, 9, 2, 3, 4, 4, 5, 6}, {{12, 15, 0, 7}, {15, 18, 0, 2}, {18, 21, 7, 11}}),
                rows);
            const auto path = [&](const Tokens& from, std::ptrdiff_t count) {
                Tokens tokens(from.begin(), from.begin() + count);
                tokens.insert(tokens.end(), tail.begin(), tail.end());
                return whole(decoder, tokens).narrow(0, count, 3);
            };
            const at::Tensor expected = at::cat({path(a, 7), path(a, 2), path(b, 4)});
            // Sums of 24 float32 products in another order: 1e-5 of values of order 1.
            EXPECT_LT((states - expected).abs().max().item<double>(), 1e-4) << head_dim << " " << window;
            EXPECT_GT((expected.narrow(0, 0, 3) - expected.narrow(0, 3, 3)).abs().max().item<double>(), 0.1);
        }
}

TEST(LayerRows, OfAFirstPassAreTheDecodersOwn) {
    Rng rng(2, "layer rows");
    const Decoder decoder = test::lively_decoder(test::small_config(), at::kFloat);
    const Tokens tokens = test::random_tokens(rng, 6, 61);
    const at::Tensor states = hidden_behind(decoder, batch_of(tokens, {0, 1, 2, 3, 4, 5}, {{0, 6}}), {});
    EXPECT_TRUE(at::equal(states, whole(decoder, tokens)));
}

}  // namespace
}  // namespace craft
