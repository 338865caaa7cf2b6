// What training an adapter costs beside its own gradients: nothing is recorded below it, and frozen weights keep no inputs.
#include <gtest/gtest.h>
#include <torch/autograd.h>
#include <torch/types.h>

#include "tests/model/decoder/small_decoder.h"

namespace craft {
namespace {

using test::lively_decoder;
using test::random_tokens;
using test::small_config;

PackedBatch two_branches() {
    Rng rng(1, "frozen parts");
    const std::vector<uint8_t> counted(9, 1);
    return pack({{random_tokens(rng, 12, 61), {{random_tokens(rng, 9, 61), counted}, {random_tokens(rng, 9, 61), counted}}}},
                at::kCPU);
}

Decoder adapted_in_layer(int64_t layer) {
    Decoder decoder = lively_decoder(small_config(), at::kFloat);
    Rng rng(2, "lora");
    decoder.add_adapter({.rank = 2, .alpha = 4, .targets = {"q_proj", "v_proj"}, .layers = {layer}}, rng);
    test::make_adapter_matter(decoder);
    return decoder;
}

TEST(FrozenParts, NothingIsRecordedBelowTheFirstAdapter) {
    for (const int64_t first : {0, 1, 2}) {
        const Decoder decoder = adapted_in_layer(first);
        const PackedBatch batch = two_branches();
        at::Tensor x = decoder.embed(batch.tokens, batch.positions);
        for (size_t i = 0; i < 3; ++i) {
            EXPECT_EQ(x.requires_grad(), static_cast<int64_t>(i) > first) << "into layer " << i << ", adapter in " << first;
            x = decoder.layer(i, x, [&](const at::Tensor& qkv) { return qkv.narrow(1, 0, 32).contiguous(); });
        }
        EXPECT_TRUE(x.requires_grad());
    }
}

// Of three layers the last is trained: making layers again in backward concerns that one alone.
TEST(FrozenParts, WhatIsFrozenIsNotMadeAgain) {
    Decoder decoder = adapted_in_layer(2);
    const auto made_again = [&](int64_t recomputed) {
        decoder.set_recomputed_layers(recomputed);
        const at::Tensor hidden = decoder.hidden(two_branches());
        std::vector<torch::autograd::Node*> open = {hidden.grad_fn().get()};
        int64_t nodes = 0;
        while (!open.empty()) {
            torch::autograd::Node* node = open.back();
            open.pop_back();
            nodes += node->name().find("Recomputed") != std::string::npos;
            for (const auto& edge : node->next_edges())
                if (edge.function) open.push_back(edge.function.get());
        }
        return nodes;
    };
    EXPECT_EQ(made_again(0), 0);
    EXPECT_EQ(made_again(3), 1);
    EXPECT_EQ(made_again(2), 0);
}

// Those who hold a tensor beside the one that made it.
TEST(FrozenParts, AFrozenWeightKeepsNoInput) {
    Rng rng(3, "linear");
    const at::Tensor leaf = at::randn({30, 24}).requires_grad_(true);
    const auto holders = [&](const Linear& linear) {
        const at::Tensor x = leaf * 2;
        const auto before = x.use_count();
        const at::Tensor y = linear.forward(x);
        EXPECT_TRUE(y.requires_grad());
        const auto after = x.use_count();
        y.sum().backward();
        return static_cast<int64_t>(after) - static_cast<int64_t>(before);
    };
    const Decoder decoder = adapted_in_layer(0);
    const DecoderLayer &adapted = decoder.layer_weights()[0], &frozen = decoder.layer_weights()[1];
    EXPECT_EQ(holders(frozen.qkv), 0);
    EXPECT_EQ(holders(frozen.gate_up), 0);
    EXPECT_EQ(holders(adapted.qkv), 1);
    Decoder full = lively_decoder(small_config(), at::kFloat);
    full.train_all_weights();
    EXPECT_EQ(holders(full.layer_weights()[0].gate_up), 1);
    EXPECT_FALSE(frozen.qkv.weight.grad().defined());
    EXPECT_FALSE(adapted.qkv.weight.grad().defined());
}

TEST(FrozenParts, BaseWeightsGetNoGradient) {
    const Decoder decoder = adapted_in_layer(1);
    target_logprobs(decoder, two_branches()).sum().backward();
    EXPECT_EQ(decoder.trainable().size(), 4u);
    for (const auto& [name, leaf] : decoder.trainable()) EXPECT_TRUE(leaf.grad().defined()) << name;
    EXPECT_FALSE(decoder.embedding().grad().defined());
    EXPECT_FALSE(decoder.final_norm().weight.grad().defined());
    for (const DecoderLayer& layer : decoder.layer_weights())
        for (const at::Tensor& weight : {layer.qkv.weight, layer.o.weight, layer.gate_up.weight, layer.down.weight,
                                         layer.before_attention.weight, layer.before_feed_forward.weight})
            EXPECT_FALSE(weight.grad().defined() || weight.requires_grad());
}

// q, k and v are one node of the graph with one product of the base, whatever of them is adapted.
TEST(FrozenParts, ProjectionsOfOneInputAreOneNode) {
    Decoder decoder = lively_decoder(small_config(), at::kFloat);
    Rng rng(4, "lora");
    decoder.add_adapter({.rank = 2, .alpha = 4, .targets = {"q_proj", "k_proj", "v_proj"}}, rng);
    const at::Tensor x = at::randn({5, 24}).requires_grad_(true) * 1;
    const at::Tensor y = decoder.layer_weights()[0].qkv.forward(x);
    size_t leaves = 0, others = 0;
    for (const auto& edge : y.grad_fn()->next_edges())
        if (edge.function) ++(edge.function->name().find("AccumulateGrad") == std::string::npos ? others : leaves);
    EXPECT_EQ(leaves, 6u) << "A and B of each";
    EXPECT_EQ(others, 1u) << "the input";
}

}  // namespace
}  // namespace craft
