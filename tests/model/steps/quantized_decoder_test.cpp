// Decoders with weights in few bits against the same decoders whose weights are the values in floats.
#include <gtest/gtest.h>
#include <torch/types.h>

#include <cmath>
#include <cstring>

#include "core/error.h"
#include "model/kernels/quantizer.h"
#include "model/steps/step_linear.h"
#include "model/steps/torch_steps.h"
#include "model/weights/safetensors.h"
#include "tests/model/decoder/small_decoder.h"
#include "tests/model/steps/extensions.h"

namespace craft {
namespace {

PackedBatch two_sequences() {
    Rng rng(5, "quantized batch");
    std::vector<TokenTree> trees;
    for (const int64_t length : {17, 9}) {
        const auto tokens = test::random_tokens(rng, length, 61);
        trees.push_back({{}, {{tokens, std::vector<uint8_t>(tokens.size(), 1)}}});
        trees.back().branches[0].counted[0] = 0;
    }
    return pack(trees, at::kCPU);
}

void add_some_adapter(Decoder& decoder) {
    Rng rng(7, "adapter");
    LoraOptions options;
    options.rank = 3;
    options.targets = {"q_proj", "v_proj", "down_proj"};
    decoder.add_adapter(options, rng);
    test::make_adapter_matter(decoder);
}

struct Both {
    Decoder quantized, floats;  // floats: merged() of the former
    explicit Both(Quantization kind) {
        const TemporaryFolder folder;
        test::lively_decoder(test::small_config(), at::kFloat).save(folder.path(), at::kFloat);
        quantized = Decoder::load(folder.path(), at::kFloat, at::kCPU, kind);
        floats = quantized.merged();
    }
};

class QuantizedDecoders : public testing::TestWithParam<Quantization> {};

TEST_P(QuantizedDecoders, LogprobsAndGradientsAreThoseOfTheValues) {
    Both both(GetParam());
    EXPECT_EQ(both.quantized.quantization(), GetParam());
    EXPECT_EQ(both.floats.quantization(), Quantization::none);
    EXPECT_LT(both.quantized.weight_bytes(), both.floats.weight_bytes());
    add_some_adapter(both.quantized);
    add_some_adapter(both.floats);
    const PackedBatch batch = two_sequences();
    std::vector<at::Tensor> logprobs;
    for (const Decoder* decoder : {&both.quantized, &both.floats}) {
        logprobs.push_back(target_logprobs(*decoder, batch));
        logprobs.back().sum().backward();
    }
    // The same products, added in another order on some processors: what that loses grows with the numbers, as for
    // gradients.
    EXPECT_LT(((logprobs[0] - logprobs[1]).abs().max() / logprobs[1].abs().max()).item<double>(), 1e-5);
    const auto one = both.quantized.trainable(), other = both.floats.trainable();
    ASSERT_EQ(one.size(), other.size());
    for (size_t i = 0; i < one.size(); ++i) {
        const at::Tensor &a = one[i].second.grad(), &b = other[i].second.grad();
        EXPECT_GT(b.abs().max().item<double>(), 1e-3) << one[i].first;
        EXPECT_LT(((a - b).abs().max() / b.abs().max()).item<double>(), 1e-5) << one[i].first;
    }
}

// Generation reads the codes themselves; the adapter beside them.
TEST_P(QuantizedDecoders, GenerationIsThatOfTheValues) {
    Both both(GetParam());
    add_some_adapter(both.quantized);
    both.floats = both.quantized.merged();
    const StepSizes sizes{3, 24};
    const auto kernels = StepSource(both.quantized).open(sizes);
    TorchSteps torch_steps(both.quantized, sizes), floats(both.floats, sizes);
    const std::vector<std::vector<int64_t>> prompts = {{1, 5, 9, 33, 2, 8}, {7}, {60, 3, 3, 12}};
    std::vector<at::Tensor> logits;
    for (Steps* steps : {kernels.get(), static_cast<Steps*>(&torch_steps), static_cast<Steps*>(&floats)}) {
        const auto ready = steps->extend(test::whole(prompts));
        std::vector<at::Tensor> all;
        for (int64_t r = 0; r < 3; ++r) {
            steps->begin_row(r, ready[static_cast<size_t>(r)].history);
            all.push_back(ready[static_cast<size_t>(r)].logits.unsqueeze(0));
        }
        for (const int64_t token : {4, 17}) {
            all.push_back(steps->step({0, 1, 2}, {token, token + 1, token + 2}).clone());
        }
        logits.push_back(at::cat(all));
    }
    EXPECT_LT((logits[0] - logits[2]).abs().max().item<double>(), 1e-4);
    EXPECT_LT((logits[1] - logits[2]).abs().max().item<double>(), 1e-4);
}

TEST_P(QuantizedDecoders, ARowsBitsDoNotDependOnItsNeighbours) {
    const Both both(GetParam());
    const StepLinear linear(both.quantized.layer_weights()[0].gate_up);
    Rng rng(3, "rows");
    const int64_t columns = 24, m = 23;
    std::vector<float> a;
    for (int64_t i = 0; i < m * columns; ++i) a.push_back(static_cast<float>(rng.normal()));
    std::vector<float> all, one;
    linear.product(a, m, all, false);
    for (int64_t i = 0; i < m; ++i) {
        linear.product({a.begin() + i * columns, a.begin() + (i + 1) * columns}, 1, one, false);
        EXPECT_EQ(std::memcmp(one.data(), all.data() + i * linear.rows(), one.size() * sizeof(float)), 0) << i;
    }
}

TEST_P(QuantizedDecoders, SomeThingsCannotBeDone) {
    Both both(GetParam());
    const TemporaryFolder folder;
    EXPECT_THROW(both.quantized.save(folder.path(), at::kFloat), Error);
    EXPECT_THROW(both.quantized.train_all_weights(), Error);
    both.floats.save(folder.path(), at::kFloat);  // the values are a model like any other
    EXPECT_EQ(Decoder::load(folder.path(), at::kFloat, at::kCPU).quantization(), Quantization::none);
}

INSTANTIATE_TEST_SUITE_P(Kinds, QuantizedDecoders, testing::Values(Quantization::int8, Quantization::nf4),
                         [](const auto& kind) { return std::string(name_of(kind.param)); });

// bfloat16 weights are read where they lie: products as with a float32 copy of them.
TEST(StepLinearTest, BfloatRowsAreTheirFloats) {
    const Decoder narrow = test::lively_decoder(test::small_config(), at::kBFloat16);
    for (const Linear* linear : {&narrow.layer_weights()[1].qkv, &narrow.layer_weights()[1].down}) {
        Linear wide = *linear;
        wide.weight = linear->weight.to(at::kFloat);
        std::vector<float> a(static_cast<size_t>(5 * linear->columns())), one, other(a);
        for (size_t i = 0; i < a.size(); ++i) a[i] = std::sin(static_cast<float>(i));
        StepLinear(*linear).product(a, 5, one, false);
        StepLinear(wide).product(a, 5, other, false);
        ASSERT_EQ(one.size(), other.size());
        for (size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(one[i], other[i], 1e-4);
    }
}

// A GGUF file's blocks in rows that are longer than what is multiplied at once (2,048 columns).
TEST(StepLinearTest, BlocksOfAFileAreTheirValues) {
    QuantizedWeight blocks;
    blocks.kind = Quantization::blocks;
    blocks.type = GgufType::q8_0;
    blocks.rows = 9;
    blocks.columns = 2112;
    blocks.codes = at::randint(0, 256, {9, 2112 / 32 * 34}, at::kByte);
    blocks.codes.view({-1, 34}).select(1, 1).bitwise_and_(0x9F);  // scales, halves, of at most 2^-7
    Linear linear;
    linear.quantized = {blocks};
    linear.projections = {{"q", 0, 9, {}, {}}};
    const at::Tensor values = blocks.values(at::kFloat);
    ASSERT_GT(values.abs().max().item<float>(), 0.1F);
    const StepLinear step(linear);
    for (const int64_t m : {1, 5}) {
        std::vector<float> a(static_cast<size_t>(m * 2112)), c;
        for (size_t i = 0; i < a.size(); ++i) a[i] = std::cos(static_cast<float>(i) * 0.7F);
        step.product(a, m, c, false);
        const at::Tensor input = at::from_blob(a.data(), {m, 2112});
        const at::Tensor error = (at::from_blob(c.data(), {m, 9}) - at::mm(input, values.t())).abs();
        // Each of two sums in other orders is off by n 2^-24 sum |a w| at most.
        EXPECT_TRUE(at::all(error <= at::mm(input.abs(), values.abs().t()) * (2.0 * 2112 / (1 << 24))).item<bool>());
    }
}

// Parts of 4-bit codes in whole blocks, which the kernel reads itself, beside others and an adapter.
TEST(StepLinearTest, CodesInWholeBlocksAreTheirValues) {
    const at::Tensor weight = at::sin(at::arange(40 * 128, at::kFloat)).view({40, 128}) * 0.1;
    Linear linear;
    linear.quantized = {quantize(weight.narrow(0, 0, 21), Quantization::nf4, "w"),
                        quantize(weight.narrow(0, 21, 12), Quantization::none, "w"),
                        quantize(weight.narrow(0, 33, 7), Quantization::int8, "w")};
    linear.quantized[1].codes = linear.quantized[1].codes.contiguous();
    linear.projections = {{"q", 0, 21, at::cos(at::arange(2 * 128, at::kFloat)).view({2, 128}), at::full({21, 2}, 0.1), 0.5},
                          {"k", 21, 12, {}, {}},
                          {"v", 33, 7, {}, {}}};
    const at::Tensor values = linear.merged_weight(at::kFloat);
    const StepLinear step(linear);
    for (const int64_t m : {1, 5, 20}) {
        std::vector<float> a(static_cast<size_t>(m * 128)), c;
        for (size_t i = 0; i < a.size(); ++i) a[i] = std::cos(static_cast<float>(i) * 0.7F);
        step.product(a, m, c, false);
        const at::Tensor expected = at::mm(at::from_blob(a.data(), {m, 128}), values.t());
        // Sums of 130 products of the order of 0.1: rounding stays below 1e-5.
        EXPECT_LT((at::from_blob(c.data(), {m, 40}) - expected).abs().max().item<float>(), 1e-5F) << m;
    }
}

}  // namespace
}  // namespace craft
