// Adapters on the head and the embedding stay beside the weights: what is too small for the weights' dtype still counts.
#include <gtest/gtest.h>
#include <torch/autograd.h>
#include <torch/types.h>

#include "model/kernels/rotary.h"
#include "model/steps/steps.h"
#include "tests/model/decoder/small_decoder.h"
#include "tests/source.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using test::lively_decoder;
using test::random_tokens;
using test::small_config;

PackedBatch some_batch(int64_t vocabulary) {
    Rng rng(1, "head adapter batch");
    const std::vector<uint8_t> counted(7, 1);
    return pack({{random_tokens(rng, 9, vocabulary), {{random_tokens(rng, 7, vocabulary), counted}}},
                 {random_tokens(rng, 4, vocabulary), {{random_tokens(rng, 7, vocabulary), counted}}}},
                at::kCPU);
}

// Values of A and B that are all different, of the given size.
void fill(const Decoder& decoder, double a_size, double b_size) {
    for (const auto& [name, leaf] : decoder.trainable()) {
        const bool is_a = name.find("_A") != std::string::npos;
        at::Tensor values = leaf.detach();
        values.copy_(at::sin(at::arange(values.numel(), values.options()) * 1.7 + (is_a ? 0 : 1)).view(values.sizes()));
        values.mul_(is_a ? a_size : b_size);
    }
}

Decoder with_adapter(Decoder decoder, const std::string& target, double a_size, double b_size) {
    Rng rng(2, "lora");
    decoder.add_adapter({.rank = 2, .alpha = 4, .targets = {target}}, rng);
    fill(decoder, a_size, b_size);
    return decoder;
}

// The product's elements are 2 * 2 * 0.02 * 1e-4 = 8e-6 at most; head weights of the order of 0.4 are 2^-9 = 2e-3 apart in
// bfloat16, so that the sum would round to the weights in almost every place.
TEST(HeadAdapter, WhatRoundingWouldLoseCounts) {
    const at::NoGradGuard guard;
    const Decoder base = lively_decoder(small_config(false), at::kBFloat16);
    const Decoder adapted = with_adapter(base, "lm_head", 0.02, 1e-4);
    const PackedBatch batch = some_batch(61);
    // As PEFT: base(x) in bfloat16, the adapter's product in float32 added to it.
    const at::Tensor x = base.hidden(batch).index_select(0, batch.target_rows);
    const Projection& lora = adapted.head_adapter();
    const at::Tensor plain = at::mm(x, base.head().t()).to(at::kDouble);
    const at::Tensor delta =
        at::mm(at::mm(x.to(at::kDouble), lora.lora_a.to(at::kDouble).t()), lora.lora_b.to(at::kDouble).t()) *
        lora.lora_scale;
    const auto logprobs = [&](const at::Tensor& logits) {
        return at::log_softmax(logits, -1).gather(1, batch.targets.unsqueeze(1)).squeeze(1);
    };
    const at::Tensor expected = logprobs(plain + delta) - logprobs(plain);
    const at::Tensor change = (target_logprobs(adapted, batch) - target_logprobs(base, batch)).to(at::kDouble);
    // Each log-probability is a float32 of the order of 10: 2^-20 of rounding a side.
    EXPECT_GT(expected.abs().max().item<double>(), 2e-5);
    EXPECT_LT((change - expected).abs().max().item<double>(), 4e-6);
}

at::Tensor first_logits(const Decoder& decoder) {
    return StepSource(decoder).open({1, 8})->extend({{.tokens = {5, 17, 40, 8}}})[0].logits.to(at::kDouble);
}

// Products of 8e-5 at most, still far below the weights' 1e-3 of rounding: to first order an adapter ten times as large
// changes ten times as much. The embedding's is added to the stream in float32; in a bfloat16 model a change of the stream
// that is smaller than bfloat16 is lost where the next product rounds it, so that there the base is float32.
TEST(HeadAdapter, WhatRoundingWouldLoseCountsInGeneration) {
    for (const std::string target : {"lm_head", "embed_tokens"}) {
        const Decoder base = lively_decoder(small_config(false), target == "lm_head" ? at::kBFloat16 : at::kFloat);
        const at::Tensor plain = first_logits(base);
        const at::Tensor small = first_logits(with_adapter(base, target, 0.02, 1e-3)) - plain,
                         large = first_logits(with_adapter(base, target, 0.02, 1e-2)) - plain;
        ASSERT_GT(small.abs().max().item<double>(), 5e-6) << target;
        EXPECT_LT((small * 10 - large).norm().item<double>(), 0.2 * large.norm().item<double>()) << target;
    }
}

// With a cap of logits (Gemma 2) and without, tied and not; the base's hidden states and weights get theirs, too.
void expect_gradients_of_differences(const Decoder& decoder) {
    const PackedBatch batch = some_batch(decoder.config().vocab_size);
    const at::Tensor weights = at::cos(at::arange(static_cast<int64_t>(batch.targets.size(0)), at::kDouble));
    const auto value = [&] { return (target_logprobs(decoder, batch) * weights).sum(); };
    std::vector<at::Tensor> leaves;
    for (const auto& [name, leaf] : decoder.trainable()) leaves.push_back(leaf);
    const auto gradients = torch::autograd::grad({value()}, leaves);
    const at::NoGradGuard guard;
    for (size_t l = 0; l < leaves.size(); ++l) {
        at::Tensor flat = leaves[l].detach().view({-1});
        const at::Tensor gradient = gradients[l].reshape({-1});
        double worst = 0;
        const int64_t stride = std::max<int64_t>(1, flat.size(0) / 20);
        for (int64_t i = 0; i < flat.size(0); i += stride) {
            const double kept = flat[i].item<double>(), step = 1e-5;
            flat[i] = kept + step;
            const double above = value().item<double>();
            flat[i] = kept - step;
            const double below = value().item<double>();
            flat[i] = kept;
            worst = std::max(worst, std::abs((above - below) / (2 * step) - gradient[i].item<double>()));
        }
        EXPECT_GT(gradient.abs().max().item<double>(), 1e-2) << decoder.trainable()[l].first;
        // Central differences err by step^2 times a third derivative, and by rounding, 1e-14 / step.
        EXPECT_LT(worst, 1e-6 * (1 + gradient.abs().max().item<double>())) << decoder.trainable()[l].first;
    }
}

TEST(HeadAdapter, GradientsAreThoseOfCentralDifferences) {
    for (const bool tied : {true, false}) {
        Decoder d = lively_decoder(small_config(tied), at::kDouble);
        Rng rng(3, "lora");
        d.add_adapter({.rank = 3, .alpha = 6, .targets = {"lm_head", "o_proj"}}, rng);
        fill(d, 0.3, 0.2);
        expect_gradients_of_differences(d);
    }
}

TEST(HeadAdapter, GradientsThroughACapOfLogits) {
    const fs::path folder = fs::path(test_source()) / "tests/model/decoders/gemma2/model";
    Decoder d = Decoder::load(folder, at::kDouble, at::kCPU);
    ASSERT_GT(d.config().logit_cap, 0);
    Rng rng(3, "lora");
    d.add_adapter({.rank = 2, .alpha = 4, .targets = {"lm_head", "embed_tokens"}}, rng);
    fill(d, 0.1, 0.1);
    expect_gradients_of_differences(d);
}

// A frozen adapter and none: hidden states get the same gradient as with the sum of the weights.
TEST(HeadAdapter, AFrozenOneGivesHiddenStatesTheGradientOfTheSum) {
    const Decoder base = lively_decoder(small_config(false), at::kDouble);
    Decoder adapted = with_adapter(base, "lm_head", 0.3, 0.2);
    for (const auto& [name, leaf] : adapted.trainable()) at::Tensor(leaf).requires_grad_(false);
    Decoder merged = adapted.merged();
    const PackedBatch batch = some_batch(61);
    std::vector<at::Tensor> gradients;
    for (const Decoder* decoder : {&adapted, &merged}) {
        const at::Tensor norm = decoder->final_norm().weight;
        gradients.push_back(
            torch::autograd::grad({target_logprobs(*decoder, batch).sum()}, {at::Tensor(norm).requires_grad_(true)})[0]);
    }
    EXPECT_LT((gradients[0] - gradients[1]).abs().max().item<double>(), 1e-9);
    EXPECT_GT(gradients[0].abs().max().item<double>(), 1e-2);
}

}  // namespace
}  // namespace craft
