#include "model/decoder/layer_rows.h"

#include <gtest/gtest.h>

#include "tests/model/decoder/small_decoder.h"
#include "tests/source.h"

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

Tokens joined(const Tokens& a, const Tokens& b, std::ptrdiff_t of_a) {
    Tokens all(a.begin(), a.begin() + of_a);
    all.insert(all.end(), b.begin(), b.end());
    return all;
}

Tokens counted(int64_t from, int64_t count) {
    Tokens numbers;
    for (int64_t i = 0; i < count; ++i) numbers.push_back(from + i);
    return numbers;
}

at::Tensor whole(const Decoder& decoder, const Tokens& tokens) {
    return decoder.hidden(pack({{{}, {{tokens, std::vector<uint8_t>(tokens.size(), 0)}}}}, at::kCPU)).detach();
}

// Two texts, then, after either, what continues at its end and in its midst: each path as if computed by itself.
void expect_paths_by_themselves(const Decoder& decoder, const std::string& what) {
    Rng rng(1, "layer rows");
    const int64_t vocabulary = decoder.config().vocab_size;
    const Tokens a = test::random_tokens(rng, 17, vocabulary), b = test::random_tokens(rng, 5, vocabulary),
                 tail = test::random_tokens(rng, 3, vocabulary);
    LayerRows rows;
    hidden_after(decoder, batch_of(joined(a, b, 17), joined(counted(0, 17), counted(0, 5), 17), {{0, 17}, {17, 22}}), {},
                 &rows);
    EXPECT_EQ(rows.size(), 22);
    const PackedBatch behind = batch_of(joined(joined(tail, tail, 3), tail, 6), {17, 18, 19, 2, 3, 4, 4, 5, 6},
                                        {{22, 25, 0, 17}, {25, 28, 0, 2}, {28, 31, 17, 21}});
    const at::Tensor states = hidden_after(decoder, behind, rows);
    const auto path = [&](const Tokens& from, int64_t count) {
        return whole(decoder, joined(from, tail, count)).narrow(0, count, 3);
    };
    const at::Tensor expected = at::cat({path(a, 17), path(a, 2), path(b, 4)});
    // Sums of some dozens of float32 products in another order: 1e-4 of values of order 1.
    EXPECT_LT((states - expected).abs().max().item<double>(), 1e-4 * expected.abs().max().item<double>()) << what;
    EXPECT_GT((expected.narrow(0, 0, 3) - expected.narrow(0, 3, 3)).abs().max().item<double>(), 1e-2) << what;
}

TEST(LayerRows, AreReadAsIfTheyStoodInThePath) {
    for (const int64_t head_dim : {8, 16}) {
        DecoderConfig config = test::small_config();
        config.head_dim = head_dim;
        expect_paths_by_themselves(test::lively_decoder(config, at::kFloat), std::to_string(head_dim));
    }
}

// Windows that are shorter than the paths, caps and scales of scores, learned positions, frequencies by length.
TEST(LayerRows, OfOtherArchitectures) {
    for (const std::string name : {"mistral", "gemma2", "qwen3-window", "gpt2", "phi3-longrope", "llama-dynamic"})
        expect_paths_by_themselves(
            Decoder::load(test_source("/tests/model/decoders/" + name + "/model"), at::kFloat, at::kCPU), name);
}

TEST(LayerRows, OfAFirstPassAreTheDecodersOwn) {
    Rng rng(2, "layer rows");
    const Decoder decoder = test::lively_decoder(test::small_config(), at::kFloat);
    const Tokens tokens = test::random_tokens(rng, 6, 61);
    const at::Tensor states = hidden_after(decoder, batch_of(tokens, counted(0, 6), {{0, 6}}), {});
    EXPECT_TRUE(at::equal(states, whole(decoder, tokens)));
}

}  // namespace
}  // namespace craft
