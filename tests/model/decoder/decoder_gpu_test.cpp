// Attention by segment, the head and whole decoders on the GPU against the CPU.
#include <torch/autograd.h>

#include "model/decoder/layer_rows.h"
#include "model/kernels/attention.h"
#include "model/kernels/joined_attention.h"
#include "model/kernels/sequence_attention.h"
#include "model/weights/device_upload.h"
#include "tests/model/decoder/small_decoder.h"
#include "tests/model/gpu.h"

namespace craft::test {
namespace {

using DecoderGpu = Gpu;

// Trees with and without prefixes, branches of one token, lengths on both sides of flash attention's blocks (64, 128).
const std::vector<Segment> kSegments = {{0, 130, 0, 0},   {130, 131, 0, 130},   {131, 260, 0, 130},  {260, 261, 0, 0},
                                        {261, 389, 0, 0}, {389, 454, 261, 389}, {454, 460, 261, 389}};

// A long prompt between many short trees: its backward pass is a call of its own, with the branches' one beside it.
std::vector<Segment> unequal_segments() {
    std::vector<Segment> segments = kSegments;
    const auto append = [&](int64_t length, int64_t prefix_begin, int64_t prefix_end) {
        segments.push_back({segments.back().end, segments.back().end + length, prefix_begin, prefix_end});
    };
    append(3000, 0, 0);
    append(200, 460, 3460);
    append(90, 460, 3460);
    for (int64_t i = 0; i < 12; ++i) append(20 + 9 * i, 0, 0);
    return segments;
}

at::Tensor positions(const std::vector<Segment>& segments) {
    std::vector<int64_t> values;
    for (const Segment& s : segments)
        for (int64_t i = s.begin; i < s.end; ++i) values.push_back(i - s.begin + s.prefix_end - s.prefix_begin);
    return at::tensor(values, at::kLong);
}

class AttentionGpu : public Gpu {
protected:
    // bfloat16: the turned heads, both parts of a branch's output and the output itself are rounded, each by 2^-9.
    static void expect_that_of_the_cpu(const std::vector<Segment>& segments, const AttentionShape& shape,
                                       at::ScalarType dtype) {
        const int64_t tokens = segments.back().end, width = (shape.heads + 2 * shape.kv_heads) * shape.head_dim;
        const at::Tensor x = noise({tokens, width}, 1), d = noise({tokens, shape.heads * shape.head_dim}, 2);
        const at::Tensor frequencies = plain_frequencies(shape.head_dim, 10000), places = positions(segments);
        const at::Tensor wide = rounded(x, dtype).requires_grad_(true), ours = on_gpu(x, dtype).requires_grad_(true);
        at::Tensor turned, expected_turned;
        const at::Tensor expected =
            packed_attention(wide, rotary_table(places, frequencies, 1, at::kDouble), shape, segments, &expected_turned);
        const at::Tensor out =
            packed_attention(ours, rotary_table(places.to(device()), frequencies, 1, dtype), shape, segments, &turned);
        expected.backward(rounded(d, dtype));
        out.backward(on_gpu(d, dtype));
        EXPECT_EQ(out.scalar_type(), dtype);
        const double most = dtype == at::kFloat ? 2e-5 : 4.0 / 256;
        EXPECT_LT(apart(turned, expected_turned.detach()), most) << shape.head_dim;
        EXPECT_LT(apart(out, expected.detach()), most) << shape.head_dim;
        EXPECT_LT(apart(ours.grad(), wide.grad()), 2 * most) << shape.head_dim;
    }
};

TEST_F(AttentionGpu, IsThatOfTheCpu) {
    for (const at::ScalarType dtype : kGpuTypes)
        for (const AttentionShape shape :
             {AttentionShape{4, 2, 64}, AttentionShape{8, 1, 128}, AttentionShape{2, 2, 24}, AttentionShape{3, 3, 6}})
            expect_that_of_the_cpu(kSegments, shape, dtype);
}

// Adding in the same order each time, as training does.
TEST_F(AttentionGpu, IsThatOfTheCpuWhereTheBackwardPassIsCut) {
    const AttentionShape shape{8, 2, 64};
    const std::vector<Segment> segments = unequal_segments();
    EXPECT_EQ(joined_sequences(segments, {shape.heads, 132}).own_backward.size(), 2U);  // of an H100
    at::globalContext().setDeterministicAlgorithms(true, /*warn_only=*/false);
    expect_that_of_the_cpu(segments, shape, at::kBFloat16);
    at::globalContext().setDeterministicAlgorithms(false, /*warn_only=*/false);
}

TEST_F(DecoderGpu, FlashAttentionGivesTheLogSumExpsOfThePlainOne) {
    if (is_rehearsal()) GTEST_SKIP() << "flash attention in this form is the GPU's alone";
    Sequences s;
    s.queries = {0, 1, 200, 201};  // sequences of one query too
    s.keys = {0, 300, 310, 311};
    s.device_queries = at::tensor(s.queries, at::kInt).to(device());
    s.device_keys = at::tensor(s.keys, at::kInt).to(device());
    const at::Tensor q = on_gpu(noise({201, 6, 64}, 3), at::kBFloat16), k = on_gpu(noise({311, 2, 64}, 4), at::kBFloat16),
                     v = on_gpu(noise({311, 2, 64}, 5), at::kBFloat16), d = on_gpu(noise({201, 6, 64}, 6), at::kBFloat16);
    const auto flash = flash_sequence_attention().forward(q, k, v, s),
               plain = plain_sequence_attention().forward(q, k, v, s);
    EXPECT_LT(apart(flash.lse, plain.lse.to(at::kCPU, at::kDouble)), 1e-4);
    EXPECT_LT(apart(flash.out, plain.out.to(at::kCPU, at::kDouble)), 2.0 / 256);
    const auto a = flash_sequence_attention().backward(d, q, k, v, plain.out, plain.lse, s),
               b = plain_sequence_attention().backward(d, q, k, v, plain.out, plain.lse, s);
    EXPECT_LT(apart(a.q, b.q.to(at::kCPU, at::kDouble)), 4.0 / 256);
    EXPECT_LT(apart(a.k, b.k.to(at::kCPU, at::kDouble)), 4.0 / 256);
    EXPECT_LT(apart(a.v, b.v.to(at::kCPU, at::kDouble)), 4.0 / 256);
}

std::vector<TokenTree> random_trees(uint64_t seed, int64_t vocabulary) {
    Rng rng(seed, "trees for the GPU");
    std::vector<TokenTree> trees;
    for (int i = 0; i < 5; ++i) {
        TokenTree tree{random_tokens(rng, rng.between(1, 30), vocabulary), {}};
        for (int64_t branches = rng.between(1, 3); branches > 0; --branches) {
            const int64_t length = rng.between(1, 20);
            tree.branches.push_back(
                {random_tokens(rng, length, vocabulary), std::vector<uint8_t>(static_cast<size_t>(length), 1)});
        }
        trees.push_back(tree);
    }
    return trees;
}

// Tied and untied heads, capped logits, q and k norms, all weights trained or an adapter (the head's, too), also on a base
// in few bits: log-probabilities of trees and all gradients, float32. Five layers' worth of float32 sums in another order.
TEST_F(DecoderGpu, LogprobsAndGradientsAreThoseOfTheCpu) {
    for (int kind = 0; kind < 7; ++kind) {
        DecoderConfig config = small_config(/*tied=*/kind == 0);
        if (kind == 2) config.logit_cap = 8;
        const TemporaryFolder folder;
        lively_decoder(config, at::kFloat).save(folder.path(), at::kFloat);
        std::vector<at::Tensor> logprobs;
        std::vector<std::vector<at::Tensor>> gradients;
        for (const at::Device device : {at::Device(at::kCPU), device()}) {
            const Quantization few_bits = kind == 5   ? Quantization::int8
                                          : kind == 6 ? Quantization::nf4
                                                      : Quantization::none;
            Decoder decoder = Decoder::load(folder.path(), at::kFloat, device, few_bits);
            if (kind < 3) {
                decoder.train_all_weights();
            } else {
                LoraOptions options;
                options.rank = 4;
                if (kind == 4) options.targets = {"q_proj", "down_proj", "lm_head"};
                Rng rng(5, "adapter");
                decoder.add_adapter(options, rng);
                make_adapter_matter(decoder);
            }
            const at::Tensor out = target_logprobs(decoder, pack(random_trees(11, config.vocab_size), device));
            (out * at::linspace(-1, 2, out.numel(), out.options())).sum().backward();
            logprobs.push_back(out.detach().to(at::kCPU));
            gradients.emplace_back();
            for (const auto& [name, leaf] : decoder.trainable()) gradients.back().push_back(leaf.grad().to(at::kCPU));
        }
        EXPECT_LT(apart(logprobs[1], logprobs[0].to(at::kDouble)), 1e-4) << kind;
        for (size_t i = 0; i < gradients[0].size(); ++i)
            EXPECT_LT(apart(gradients[1][i], gradients[0][i].to(at::kDouble)), 1e-3) << kind << ", " << i;
    }
}

TEST_F(DecoderGpu, RowsOfAnEarlierPassAreRead) {
    const TemporaryFolder folder;
    lively_decoder(small_config(), at::kFloat).save(folder.path(), at::kFloat);
    Rng rng(6, "tokens of two passes");
    const std::vector<int64_t> first = random_tokens(rng, 12, 61), second = random_tokens(rng, 6, 61);
    std::vector<at::Tensor> states;
    for (const at::Device device : {at::Device(at::kCPU), this->device()}) {
        const Decoder decoder = Decoder::load(folder.path(), at::kFloat, device);
        const auto column = [&](const std::vector<int64_t>& values) { return at::tensor(values, at::kLong).to(device); };
        PackedBatch before, behind;
        before.tokens = column(first);
        before.positions = column({0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4});
        before.segments = {{0, 7}, {7, 12}};
        behind.tokens = column(second);
        behind.positions = column({7, 8, 3, 4, 5, 2});
        behind.segments = {{12, 14, 0, 7}, {14, 17, 0, 3}, {17, 18, 7, 9}};
        LayerRows rows;
        hidden_after(decoder, before, {}, &rows);
        states.push_back(hidden_after(decoder, behind, rows).to(at::kCPU, at::kDouble));
    }
    EXPECT_LT(apart(states[1], states[0]), 1e-4);
}

// Converted on the way or not, a transposed matrix, rows that no buffer holds; the second buffer and again the first.
TEST_F(DecoderGpu, UploadsGiveWhatTheyAreGiven) {
    const at::Tensor x = noise({37, 50}, 8).to(at::kFloat);
    for (const int64_t bytes : {int64_t{64}, int64_t{1000}, DeviceUpload::kBufferBytes}) {
        DeviceUpload upload(device(), bytes);
        for (const at::ScalarType dtype : kGpuTypes) {
            for (const at::Tensor& from : {x, x.t(), x.select(0, 3), x.select(0, 3).select(0, 4), x.narrow(0, 0, 0)}) {
                const at::Tensor to = at::zeros(from.sizes(), at::TensorOptions(dtype).device(device()));
                upload.copy(from, to);
                EXPECT_TRUE(at::equal(to.cpu(), from.to(dtype))) << bytes << " " << from.sizes();
            }
        }
    }
}

TEST_F(DecoderGpu, LoadedWeightsAreTheFiles) {
    const TemporaryFolder folder;
    lively_decoder(small_config(false), at::kFloat).save(folder.path(), at::kFloat);
    for (const at::ScalarType dtype : kGpuTypes) {
        Decoder here = Decoder::load(folder.path(), dtype, at::kCPU), there = Decoder::load(folder.path(), dtype, device());
        here.train_all_weights();
        there.train_all_weights();
        const auto expected = here.trainable(), got = there.trainable();
        ASSERT_EQ(got.size(), expected.size());
        for (size_t i = 0; i < got.size(); ++i)
            EXPECT_TRUE(at::equal(got[i].second.detach().cpu(), expected[i].second.detach())) << got[i].first;
    }
}

TEST_F(DecoderGpu, Bfloat16IsFloat32Rounded) {
    const TemporaryFolder folder;
    DecoderConfig config = small_config(false);
    config.hidden_size = 64;
    lively_decoder(config, at::kFloat).save(folder.path(), at::kBFloat16);
    const Decoder narrow = Decoder::load(folder.path(), at::kBFloat16, device()),
                  wide = Decoder::load(folder.path(), at::kFloat, at::kCPU);
    const auto trees = random_trees(12, config.vocab_size);
    const at::NoGradGuard no_gradients;
    const at::Tensor got = target_logprobs(narrow, pack(trees, device())),
                     expected = target_logprobs(wide, pack(trees, at::kCPU));
    EXPECT_EQ(got.scalar_type(), at::kFloat);
    EXPECT_LT(apart(got, expected.to(at::kDouble)), 0.1);  // of some 10, through 3 layers of lively weights
}

}  // namespace
}  // namespace craft::test
