// Every architecture and variant in bfloat16, int8 and NF4: forward, backward and generation run, near what float32 gives.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/model/decoder/small_decoder.h"
#include "tests/model/steps/decoder_expectations.h"
#include "tests/source.h"

namespace craft {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> folders() {
    std::vector<fs::path> all;
    for (const auto& entry : fs::directory_iterator(fs::path(test_source()) / "tests/model/decoders"))
        if (entry.is_directory()) all.push_back(entry.path());
    std::sort(all.begin(), all.end());
    return all;
}

PackedBatch batch_of(const at::Tensor& tokens) {
    std::vector<TokenTree> trees;
    for (int64_t r = 0; r < tokens.size(0); ++r) {
        const auto row = test::row_of(tokens, r, tokens.size(1));
        trees.push_back({{}, {{row, std::vector<uint8_t>(row.size(), 1)}}});
        trees.back().branches[0].counted[0] = 0;
    }
    return pack(trees, at::kCPU);
}

at::Tensor logprobs_of(const Decoder& decoder, const at::Tensor& tokens) {
    const at::NoGradGuard guard;
    return target_logprobs(decoder, batch_of(tokens)).view({tokens.size(0), tokens.size(1) - 1});
}

double rms(const at::Tensor& x) {
    return x.square().mean().sqrt().item<double>();
}

// An adapter's gradient exists, is finite and is not nothing.
void expect_trains(const std::string& name, Decoder decoder, const at::Tensor& tokens) {
    Rng rng(2, "adapter");
    LoraOptions options;
    options.rank = 2;
    options.targets = {"all-linear"};
    decoder.add_adapter(options, rng);
    test::make_adapter_matter(decoder);
    target_logprobs(decoder, batch_of(tokens)).mean().backward();
    for (const auto& [leaf_name, leaf] : decoder.trainable()) {
        ASSERT_TRUE(leaf.grad().defined()) << name << " " << leaf_name;
        EXPECT_TRUE(at::isfinite(leaf.grad()).all().item<bool>()) << name << " " << leaf_name;
    }
}

void expect_generates(const std::string& name, const Decoder& decoder, const at::Tensor& tokens) {
    const int64_t vocabulary = decoder.config().vocab_size;
    for (const int64_t id : test::greedy(*StepSource(decoder).open({1, 18}), test::row_of(tokens, 0, 12), 6, vocabulary))
        EXPECT_TRUE(id >= 0 && id < vocabulary) << name;
}

// bfloat16 keeps 8 bits: a rounding errs by at most 2^-9 of the value, by 2^-9 / sqrt(3) in the root mean square. A layer
// rounds the stream, or what is added to it, about 12 times (norms, projections, rotation, weights of attention, products,
// sums) and the weights once for each product; errors of independent roundings grow with the square root of their number n:
// n = 16 layers + 4 with embedding, last norm, head and logits. A logit, and less so its log-softmax, then errs by
// sqrt(n) 2^-9 / sqrt(3) of the logits' root mean square; these models' attention is sharp (weights drawn large), where an
// error of a score of size s changes a weight s times as much: a factor of 4. In all
//     rms(error) <= 4 sqrt((16 layers + 4) / 3) 2^-9 rms(logprobs).
TEST(NarrowDecoders, Bfloat16StaysWithinItsBound) {
    for (const fs::path& folder : folders()) {
        const std::string name = folder.filename();
        const SafetensorsFile expected(folder / "expected.safetensors");
        const Decoder decoder = Decoder::load(folder / "model", at::kBFloat16, at::kCPU);
        const at::Tensor tokens = expected.tensor("tokens"), exact = expected.tensor("logprobs");
        const double error = rms(logprobs_of(decoder, tokens) - exact);
        const double bound = 4 * std::sqrt((16.0 * static_cast<double>(decoder.config().layers) + 4) / 3) / 512 * rms(exact);
        std::printf("%-20s rms of the error %.4f, bound %.4f\n", name.c_str(), error, bound);
        EXPECT_LT(error, bound) << name;
        EXPECT_GT(error, 1e-4) << name;
        expect_trains(name, decoder, tokens);
        expect_generates(name, decoder, tokens);
    }
}

// What quantised weights compute is what their values compute, in every architecture.
TEST(NarrowDecoders, QuantisedWeightsAreTheirValues) {
    for (const fs::path& folder : folders())
        for (const Quantization kind : {Quantization::int8, Quantization::nf4}) {
            const std::string name = folder.filename().string() + " " + name_of(kind);
            const at::Tensor tokens = SafetensorsFile(folder / "expected.safetensors").tensor("tokens");
            const Decoder decoder = Decoder::load(folder / "model", at::kFloat, at::kCPU, kind), floats = decoder.merged();
            const double worst = (logprobs_of(decoder, tokens) - logprobs_of(floats, tokens)).abs().max().item<double>();
            EXPECT_LT(worst, 1e-5) << name;
            expect_trains(name, decoder, tokens);
            const StepSizes sizes{1, 18};
            const auto prompt = test::row_of(tokens, 0, 12);
            const int64_t vocabulary = decoder.config().vocab_size;
            EXPECT_EQ(test::greedy(*StepSource(decoder).open(sizes), prompt, 6, vocabulary),
                      test::greedy(*StepSource(floats).open(sizes), prompt, 6, vocabulary))
                << name;
        }
}

}  // namespace
}  // namespace craft
