// Generation step by step on the GPU, and the attention that it and training compose, against whole passes in float64 on the
// CPU.
#include <ATen/Context.h>

#include "model/decoder/random_decoder.h"
#include "model/kernels/composed_attention.h"
#include "model/steps/torch_steps.h"
#include "tests/model/decoder/small_decoder.h"
#include "tests/model/gpu.h"
#include "tests/model/steps/decoder_expectations.h"
#include "tests/model/steps/extensions.h"

namespace craft::test {
namespace {

class StepsGpu : public Gpu {
protected:
    void SetUp() override {
        Gpu::SetUp();
        at::globalContext().setSDPUseCuDNN(false);  // its attention compiles a plan for each length
    }
    void TearDown() override { at::globalContext().setSDPUseCuDNN(true); }
};

// Numbers of `dtype` on the device, or the same numbers in float64 on the CPU.
Decoder some_decoder(const DecoderConfig& config, at::ScalarType dtype, const at::Device& device, bool is_wide) {
    const at::NoGradGuard no_gradients;
    Decoder decoder = random_decoder(config, is_wide ? at::kDouble : dtype, is_wide ? at::Device(at::kCPU) : device);
    const auto scale = [&](at::Tensor weight, double factor) { weight.copy_(weight.to(dtype).mul(factor)); };
    for (const DecoderLayer& layer : decoder.layer_weights())
        for (const Linear* linear : {&layer.qkv, &layer.o, &layer.gate_up, &layer.down}) scale(linear->weight, 12);
    scale(decoder.embedding(), 20);
    if (!config.tied_embeddings) scale(decoder.head(), 20);
    if (decoder.positions().defined()) scale(decoder.positions(), 20);
    return decoder;
}

// Named forms of decoders: all ways of attention, lengths at which frequencies change, heads of one kind and of two.
std::vector<std::pair<std::string, DecoderConfig>> some_configs() {
    std::vector<std::pair<std::string, DecoderConfig>> configs;
    const auto add = [&](const std::string& name) -> DecoderConfig& {
        configs.emplace_back(name, small_config());
        return configs.back().second;
    };
    add("grouped heads").head_dim = 64;
    DecoderConfig& own_keys = add("a key head for each");
    own_keys.kv_heads = own_keys.heads;
    own_keys.tied_embeddings = false;
    add("heads that flash attention does not take").head_dim = 12;
    add("windows").windows = {0, 7, 20};
    add("a scale").attention_scale = 0.3;
    DecoderConfig& capped = add("caps and windows");
    capped.windows = {5, 0, 5};
    capped.attention_cap = 4;
    capped.logit_cap = 9;
    add("norms of heads").qk_norms = true;
    DecoderConfig& longrope = add("longrope");
    longrope.rope.kind = RopeKind::longrope;
    longrope.rope.original_positions = 24;
    longrope.rope.short_factors.assign(4, 1);
    longrope.rope.long_factors.assign(4, 2.5);
    longrope.rope.attention_factor = 1.1;
    return configs;
}

at::Tensor last_logits(const Decoder& decoder, const std::vector<int64_t>& tokens) {
    const at::NoGradGuard no_gradients;
    const at::Tensor hidden = decoder.hidden(pack({{tokens, {{{}, {}}}}}, at::kCPU));
    return decoder.logits(hidden.narrow(0, hidden.size(0) - 1, 1)).squeeze(0);
}

// Rows of other lengths, in and out of order, few and many of them; some begin again while others continue. float32: some
// hundred products a sum, 3 layers. bfloat16: activations and keys are rounded in each layer.
TEST_F(StepsGpu, LogitsAreThoseOfTheWholePass) {
    const std::vector<std::vector<int64_t>> turns = {{0, 1, 2, 3, 4}, {1, 2, 3},      {4, 0, 2, 1, 3}, {4, 1}, {3},
                                                     {2, 4, 3},       {0, 1, 2, 3, 4}};
    for (const at::ScalarType dtype : kGpuTypes) {
        for (const auto& [name, config] : some_configs()) {
            const Decoder decoder = some_decoder(config, dtype, device(), false),
                          wide = some_decoder(config, dtype, device(), true);
            TorchSteps steps(decoder, {5, 80});
            Rng rng(1, "steps");
            std::vector<std::vector<int64_t>> prompts;
            for (const int64_t length : {1, 22, 9, 31, 4}) prompts.push_back(random_tokens(rng, length, config.vocab_size));
            const double most = dtype == at::kFloat ? 1e-4 : 0.1;
            const auto ready = steps.extend(whole(prompts));
            for (size_t p = 0; p < prompts.size(); ++p)
                EXPECT_LT(apart(ready[p].logits, last_logits(wide, prompts[p])), most) << name << ", prompt " << p;
            std::vector<std::vector<int64_t>> held(5);
            const auto begin = [&](int64_t row, size_t prompt) {
                held[static_cast<size_t>(row)] = prompts[prompt];
                steps.begin_row(row, ready[prompt].history);
            };
            for (int64_t row = 0; row < 5; ++row) begin(row, static_cast<size_t>(row));
            for (size_t turn = 0; turn < 3 * turns.size(); ++turn) {
                if (turn == 10) begin(3, 0);
                if (turn == 12) begin(1, 3);
                const std::vector<int64_t>& rows = turns[turn % turns.size()];
                std::vector<int64_t> tokens;
                for (const int64_t row : rows)
                    held[static_cast<size_t>(row)].push_back(tokens.emplace_back(rng.between(0, config.vocab_size - 1)));
                const at::Tensor logits = steps.step(rows, tokens);
                EXPECT_EQ(logits.scalar_type(), at::kFloat);
                for (size_t i = 0; i < rows.size(); ++i)
                    ASSERT_LT(apart(logits[static_cast<int64_t>(i)], last_logits(wide, held[static_cast<size_t>(rows[i])])),
                              most)
                        << name << ", " << dtype << ", turn " << turn << ", row " << rows[i];
            }
        }
    }
}

// The CPU's kernels and LibTorch's operations on the GPU continue alike.
TEST_F(StepsGpu, GreedyTokensAreThoseOfTheCpu) {
    DecoderConfig config = small_config();
    config.head_dim = 64;
    const Decoder cpu = some_decoder(config, at::kFloat, at::kCPU, false),
                  gpu = some_decoder(config, at::kFloat, device(), false);
    TorchSteps steps(gpu, {1, 60});
    const std::vector<int64_t> prompt = {5, 9, 33, 17, 2};
    EXPECT_EQ(greedy(steps, prompt, 40, config.vocab_size),
              greedy(*StepSource(cpu).open({1, 60}), prompt, 40, config.vocab_size));
}

TEST_F(StepsGpu, RefusesARowThatIsFull) {
    TorchSteps steps(some_decoder(small_config(), at::kBFloat16, device(), false), {1, 4});
    steps.begin_row(0, steps.extend({{.tokens = {1, 2, 3}}})[0].history);
    steps.step({0}, {4});
    EXPECT_THROW(steps.step({0}, {5}), Error);
    EXPECT_THROW(steps.step({0}, {61}), Error);
}

// Windows shorter and longer than a block of queries, caps, scales, prefixes; bfloat16 rounds the turned heads, the
// products' weights and the output.
TEST_F(StepsGpu, ComposedAttentionIsThatOfTheCpu) {
    const std::vector<Segment> segments = {{0, 700, 0, 0}, {700, 701, 0, 700}, {701, 760, 0, 700}, {760, 761, 0, 0}};
    std::vector<int64_t> positions;
    for (const Segment& s : segments)
        for (int64_t i = s.begin; i < s.end; ++i) positions.push_back(i - s.begin + s.prefix_end - s.prefix_begin);
    const at::Tensor places = at::tensor(positions, at::kLong);
    for (const at::ScalarType dtype : kGpuTypes) {
        for (const AttentionShape shape :
             {AttentionShape{4, 2, 16}, AttentionShape{4, 2, 16, 33}, AttentionShape{3, 3, 6, 600},
              AttentionShape{4, 1, 64, 0, 0.2}, AttentionShape{4, 2, 16, 0, 0, 3}, AttentionShape{4, 2, 16, 40, 0.5, 3}}) {
            const int64_t width = (shape.heads + 2 * shape.kv_heads) * shape.head_dim;
            const at::Tensor x = noise({761, width}, 1), frequencies = plain_frequencies(shape.head_dim, 10000);
            at::Tensor turned, expected_turned;
            const at::NoGradGuard no_gradients;
            const at::Tensor expected = composed_attention(
                rounded(x, dtype), rotary_table(places, frequencies, 1, at::kDouble), shape, segments, &expected_turned);
            const at::Tensor got = composed_attention(
                on_gpu(x, dtype), rotary_table(places.to(device()), frequencies, 1, dtype), shape, segments, &turned);
            EXPECT_EQ(got.scalar_type(), dtype);
            const double most = dtype == at::kFloat ? 2e-5 : 4.0 / 256;
            EXPECT_LT(apart(turned, expected_turned), most) << shape.window;
            EXPECT_LT(apart(got, expected), most) << shape.window << ", " << shape.scale << ", " << shape.cap;
        }
    }
}

TEST_F(StepsGpu, TheCacheTakesHalfOfWhatIsFree) {
    if (is_rehearsal()) {
        EXPECT_EQ(default_cache_bytes(device()), int64_t{2} << 30);
        return;
    }
    constexpr int64_t kSome = int64_t{256} << 20;
    const auto slack = static_cast<double>(kSome) / 8;  // others use the GPU, and the allocator rounds
    const int64_t before = default_cache_bytes(device());
    EXPECT_GT(before, 0);
    {
        const at::Tensor some = at::empty({kSome}, at::TensorOptions().dtype(at::kByte).device(device()));
        EXPECT_NEAR(static_cast<double>(default_cache_bytes(device())), static_cast<double>(before - kSome / 2), slack);
    }
    // What LibTorch keeps of freed tensors is free.
    EXPECT_NEAR(static_cast<double>(default_cache_bytes(device())), static_cast<double>(before), slack);
}

}  // namespace
}  // namespace craft::test
