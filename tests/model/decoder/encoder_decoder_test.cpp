// A decoder behind an encoder (T5) on packed batches; transformers' figures are in the stored folders
// (tests/model/steps/stored_decoders_test.cpp).
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/autograd.h>
#include <torch/types.h>

#include "core/error.h"
#include "model/decoder/decoder.h"
#include "tests/core/temporary_folder.h"
#include "tests/model/small_t5.h"

namespace craft {
namespace {

using testing::HasSubstr;

MaskedTokens answer_of(std::vector<int64_t> tokens) {
    MaskedTokens answer{std::move(tokens), {}};
    answer.tokens.insert(answer.tokens.begin(), 0);
    answer.counted.assign(answer.tokens.size(), 1);
    answer.counted[0] = 0;
    return answer;
}

class EncoderDecoder : public testing::Test {
protected:
    EncoderDecoder() { test::make_t5(folder_.path(), test::t5_config_json(37)); }
    Decoder decoder(at::ScalarType dtype = at::kDouble) const { return Decoder::load(folder_.path(), dtype, at::kCPU); }
    const TemporaryFolder folder_;
    const std::vector<int64_t> source_{5, 9, 12, 30, 7, 8, 1}, other_{20, 21, 1};
};

// Two answers that begin alike are one tree: what they share is computed once.
TEST_F(EncoderDecoder, AnswersThatShareASourceAreThoseOfTheirOwn) {
    const at::NoGradGuard guard;
    const Decoder model = decoder();
    const MaskedTokens first = answer_of({4, 6, 11, 1}), second = answer_of({4, 6, 13, 14, 1});
    const at::Tensor together = target_logprobs(model, pack({{source_, {first, second}}, {other_, {first}}}, at::kCPU));
    const at::Tensor apart = at::cat({target_logprobs(model, pack({{source_, {first}}}, at::kCPU)),
                                      target_logprobs(model, pack({{source_, {second}}}, at::kCPU)),
                                      target_logprobs(model, pack({{other_, {first}}}, at::kCPU))});
    EXPECT_LT((together - apart).abs().max().item<double>(), 1e-9);
    EXPECT_GT((together.narrow(0, 0, 4) - together.narrow(0, 9, 4)).abs().max().item<double>(), 1e-2)
        << "the source is seen";
}

TEST_F(EncoderDecoder, WithoutAPromptNothingCanBeAnswered) {
    const at::NoGradGuard guard;
    const Decoder model = decoder();
    EXPECT_THAT(message_of([&] {
                    model.hidden(pack({{{}, {answer_of({4, 1})}}}, at::kCPU));
                }),
                HasSubstr("expected a prompt, which the encoder reads, got an answer alone"));
}

std::vector<at::Tensor> gradients_of(Decoder& model, const PackedBatch& batch) {
    const at::Tensor logprobs = target_logprobs(model, batch);
    logprobs.sum().backward();
    std::vector<at::Tensor> gradients;
    for (const auto& [name, leaf] : model.trainable()) {
        EXPECT_TRUE(leaf.grad().defined()) << name;
        gradients.push_back(leaf.grad().defined() ? leaf.grad().clone() : at::zeros_like(leaf));
        leaf.mutable_grad() = at::Tensor();
    }
    return gradients;
}

// Layers that are made again in backward change no gradient: of adapters, and of all weights with the tables of distances.
TEST_F(EncoderDecoder, RecomputedLayersHaveTheSameGradients) {
    const PackedBatch batch =
        pack({{source_, {answer_of({4, 6, 1}), answer_of({4, 7, 1})}}, {other_, {answer_of({3, 1})}}}, at::kCPU);
    for (const bool full : {false, true}) {
        Decoder model = decoder();
        Rng rng(1, "adapter");
        if (full)
            model.train_all_weights();
        else
            model.add_adapter({.rank = 2, .alpha = 4, .targets = {"all-linear"}}, rng);
        const std::vector<at::Tensor> plain = gradients_of(model, batch);
        model.set_recomputed_layers(5);
        const std::vector<at::Tensor> again = gradients_of(model, batch);
        ASSERT_EQ(plain.size(), again.size());
        for (size_t i = 0; i < plain.size(); ++i)
            EXPECT_LT((plain[i] - again[i]).abs().max().item<double>(), 1e-9) << model.trainable()[i].first;
    }
}

// The gradient of a number by distance, against central differences in float64.
TEST_F(EncoderDecoder, GradientsAreThoseOfSmallSteps) {
    Decoder model = decoder();
    model.train_all_weights();
    const PackedBatch batch = pack({{source_, {answer_of({4, 6, 1})}}}, at::kCPU);
    const std::vector<at::Tensor> gradients = gradients_of(model, batch);
    const auto leaves = model.trainable();
    const at::NoGradGuard guard;
    for (size_t i = 0; i < leaves.size(); ++i) {
        at::Tensor values = leaves[i].second.detach().view({-1});
        const int64_t place = values.numel() / 3;
        const double kept = values[place].item<double>(), step = 1e-5;
        const auto sum_at = [&](double value) {
            values[place].fill_(value);
            return target_logprobs(model, batch).sum().item<double>();
        };
        const double slope = (sum_at(kept + step) - sum_at(kept - step)) / (2 * step);
        values[place].fill_(kept);
        EXPECT_NEAR(gradients[i].view({-1})[place].item<double>(), slope, 1e-6 + 1e-4 * std::abs(slope)) << leaves[i].first;
    }
}

TEST_F(EncoderDecoder, AdaptersAreWrittenAsPeftReadsThem) {
    Decoder model = decoder(at::kFloat);
    Rng rng(1, "adapter");
    model.add_adapter({.rank = 2, .alpha = 4}, rng);
    EXPECT_EQ(model.adapter()->targets, (std::vector<std::string>{"k", "o", "q", "v"})) << "by T5's names";
    const TemporaryFolder out;
    model.save_adapter(out.path());
    EXPECT_EQ(read_json_file(out.path() / "adapter_config.json")["task_type"], "SEQ_2_SEQ_LM");
    Decoder again = decoder(at::kFloat);
    again.load_adapter(out.path(), false);
    // Two layers of the encoder with q, k, v, o, three of the decoder with these twice; A and B of each.
    EXPECT_EQ(model.trainable().size(), static_cast<size_t>((2 * 4 + 3 * 8) * 2));
}

TEST_F(EncoderDecoder, ConfigsThatCannotBe) {
    const auto problem = [&](const std::string& key, const Json& value) {
        Json config = test::t5_config_json(37);
        config[key] = value;
        write_json_file(folder_.path() / "config.json", config);
        return message_of([&] { read_decoder_config(folder_.path()); });
    };
    EXPECT_THAT(problem("relative_attention_num_buckets", 6), HasSubstr("a multiple of 4"));
    EXPECT_THAT(problem("relative_attention_max_distance", 4),
                HasSubstr("more than half of relative_attention_num_buckets"));
    EXPECT_THAT(problem("feed_forward_proj", "gated-tanh"), HasSubstr("feed_forward_proj"));
    EXPECT_THAT(problem("decoder_start_token_id", 37), HasSubstr("a token id below vocab_size 37"));
}

}  // namespace
}  // namespace craft
