#include "train/operations.h"

#include <gtest/gtest.h>
#include <torch/types.h>

namespace craft {
namespace {

// By hand: one layer, width 4, two heads of 3 with one kv head, inner width 5, vocabulary 7.
TEST(TrainingOperations, CountWhatIsComputed) {
    DecoderConfig config;
    config.hidden_size = 4;
    config.heads = 2;
    config.kv_heads = 1;
    config.head_dim = 3;
    config.intermediate_size = 5;
    config.vocab_size = 7;
    config.layers = 1;
    const TokenTree tree{{1, 2, 3}, {{{4, 5}, {0, 1}}, {{6}, {1}}}};
    const double weights = 4 * (6 + 3 + 3) + 6 * 4 + 3 * 4 * 5;  // qkv, o, gate, up and down
    const double keys = (1 + 2 + 3) + (4 + 5) + 4;               // of the prefix, of each branch after it
    const double rest = 14 * 6 * keys;                           // seven products of two operations on 6 dimensions
    EXPECT_DOUBLE_EQ(training_operations(config, tree, false, 0), 4 * 6 * weights + 4 * 2 * 7 * 4 + rest);
    EXPECT_DOUBLE_EQ(training_operations(config, tree, true, 0), 6 * 6 * weights + 6 * 2 * 7 * 4 + rest);
    EXPECT_DOUBLE_EQ(forward_operations(config, tree), 2 * 6 * weights + 2 * 2 * 7 * 4 + 4 * 6 * keys);
    const TokenTree alike{{1, 2, 3}, {{{4, 5}, {0, 1}}, {{4, 6, 7}, {0, 0, 1}}}};  // 4 is computed once
    EXPECT_DOUBLE_EQ(training_operations(config, alike, false, 0),
                     4 * 7 * weights + 4 * 2 * 7 * 4 + 14 * 6 * ((1 + 2 + 3 + 4) + 5 + (5 + 6)));
    config.windows = {2};
    EXPECT_DOUBLE_EQ(training_operations(config, tree, false, 0),
                     4 * 6 * weights + 4 * 2 * 7 * 4 + 14 * 6 * ((1 + 2 + 2) + (2 + 2) + 2));
    config.windows = {};
    config.layers = 2;
    EXPECT_DOUBLE_EQ(training_operations(config, tree, false, 1),
                     (2 + 4) * 6 * weights + 4 * 2 * 7 * 4 + (4 + 14) * 6 * keys);
}

TEST(TrainingOperations, GoBackwardDownToTheFirstLayerWithAnAdapter) {
    EXPECT_EQ(forward_layers_of({}, 8), 0);
    EXPECT_EQ(forward_layers_of({.layers = {7, 5, 6}}, 8), 5);
    EXPECT_EQ(forward_layers_of({.layers = {7}, .saved_modules = {"embed_tokens"}}, 8), 0);
    EXPECT_EQ(forward_layers_of({.upper = .25}, 8), 6);
}

// By hand: two layers, width 8, two heads of 4 with one kv head, inner width 16, vocabulary 10; three tokens are read and
// two written. Weights of a layer: 8 (2 * 8 + 2 * 4) + 3 * 8 * 16 = 576.
TEST(GenerationOperations, CountTokensPairsAndTheHead) {
    DecoderConfig config;
    config.hidden_size = 8;
    config.heads = 2;
    config.kv_heads = 1;
    config.head_dim = 4;
    config.intermediate_size = 16;
    config.vocab_size = 10;
    config.layers = 2;
    EXPECT_DOUBLE_EQ(generation_operations(config, 3, 2),
                     2 * 2 * 5 * 576 + 4 * 8 * 2 * (1 + 2 + 3 + 4 + 5) + 2 * 2 * 8 * 10);
    EXPECT_DOUBLE_EQ(generation_operations(config, 3, 0), 2 * 2 * 3 * 576 + 4 * 8 * 2 * (1 + 2 + 3));
}

TEST(ProductRate, IsThatOfThisMachine) {
    EXPECT_GT(product_rate(at::kCPU, at::kFloat), 1e8);
    EXPECT_GT(product_rate(at::kCPU, at::kBFloat16), 1e8);
}

}  // namespace
}  // namespace craft
