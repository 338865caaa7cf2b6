#include "model/decoder/head_logprobs.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include <cmath>

namespace craft {
namespace {

struct Case {
    int64_t rows, width, vocabulary;
    at::ScalarType dtype;
};

constexpr int64_t kAtOnce = 20 * 40001;

class HeadOfDecoder : public testing::TestWithParam<Case> {
protected:
    static at::Tensor noise(std::vector<int64_t> shape, uint64_t seed) {
        return at::randn(shape, at::make_generator<at::CPUGeneratorImpl>(seed), at::kDouble);
    }
    const Case c_ = GetParam();
    const at::Tensor hidden_ = noise({c_.rows, c_.width}, 1).to(c_.dtype),
                     head_ =
                         (noise({c_.vocabulary, c_.width}, 2) / std::sqrt(static_cast<double>(c_.width)) * 3).to(c_.dtype),
                     targets_ = at::arange(c_.rows, at::kLong).mul(7919).remainder(c_.vocabulary);
    const at::Tensor wide_ = hidden_.to(at::kDouble).requires_grad_(true);

    // Of all tokens.
    at::Tensor reference(const at::Tensor& addition) const {
        at::Tensor logits = at::mm(wide_, head_.to(at::kDouble).t());
        if (addition.defined()) logits = logits + addition;
        return at::log_softmax(logits, -1);
    }
    at::Tensor of_targets(const at::Tensor& all) const { return all.gather(1, targets_.unsqueeze(1)).squeeze(1); }
    void expect_statistics(const HeadLogprobs& got, const at::Tensor& all) const {
        EXPECT_LT((got.entropy + (all.exp() * all).sum(1)).abs().max().item<double>(), 2e-5);
        EXPECT_TRUE(at::equal(got.top1, all.argmax(1) == targets_));
    }
    // Float32: rounding of sums of order 10. Bfloat16: float32 sums of exact products; the softmax weights are rounded to
    // 2^-9 of themselves before they multiply the head's rows (order 3), and the gradient once more.
    double gradient_tolerance() const { return c_.dtype == at::kFloat ? 2e-5 : 0.05; }
};

TEST_P(HeadOfDecoder, AndTheirGradientsAreThoseOfFloat64) {
    const HeadLogprobs got = head_logprobs(hidden_, head_, targets_, {}, true, kAtOnce);
    const at::Tensor all = reference({}), expected = of_targets(all);
    expected.sum().backward();
    EXPECT_EQ(got.logprobs.scalar_type(), at::kFloat);
    EXPECT_EQ(got.direction.scalar_type(), c_.dtype);
    EXPECT_LT((got.logprobs - expected).abs().max().item<double>(), 2e-5);
    EXPECT_LT((got.direction.to(at::kDouble) - wide_.grad()).abs().max().item<double>(), gradient_tolerance());
    expect_statistics(got, all.detach());
    EXPECT_TRUE(at::equal(got.logprobs, head_logprobs(hidden_, head_, targets_, {}, false).logprobs));
}

TEST_P(HeadOfDecoder, AnAdapterAddsToTheLogits) {
    const at::Tensor inner = noise({c_.rows, 3}, 3).to(at::kFloat), b = noise({c_.vocabulary, 3}, 4).to(at::kFloat);
    const at::Tensor all = reference(at::mm(inner.to(at::kDouble), b.to(at::kDouble).t())).detach();
    const HeadLogprobs got = head_logprobs(hidden_, head_, targets_, {inner, b}, false);
    EXPECT_LT((got.logprobs - of_targets(all)).abs().max().item<double>(), 2e-5);
    expect_statistics(got, all);
}

TEST_P(HeadOfDecoder, TheLikeliestTokensAreKnown) {
    const at::Tensor all = reference({}).detach(), best = all.argmax(1);
    EXPECT_TRUE(head_logprobs(hidden_, head_, best, {}, false, kAtOnce).top1.all().item<bool>());
}

TEST_P(HeadOfDecoder, DoNotDependOnThreads) {
    const int threads = at::get_num_threads();
    std::vector<at::Tensor> results;
    for (const int count : {1, 2, 3}) {
        at::set_num_threads(count);
        const HeadLogprobs got = head_logprobs(hidden_, head_, targets_, {}, true, kAtOnce);
        results.push_back(at::cat({got.logprobs, got.entropy, got.direction.to(at::kFloat).flatten()}));
    }
    at::set_num_threads(threads);
    EXPECT_TRUE(at::equal(results[0], results[1]));
    EXPECT_TRUE(at::equal(results[0], results[2]));
}

// Vocabularies below, at and beyond the tiles of 512, odd ones; widths that are no multiple of 16 or of 512; those with
// 40,001 take several chunks of rows.
INSTANTIATE_TEST_SUITE_P(Shapes, HeadOfDecoder,
                         testing::Values(Case{1, 8, 2, at::kFloat}, Case{37, 24, 61, at::kFloat},
                                         Case{20, 530, 512, at::kFloat}, Case{50, 40, 1541, at::kFloat},
                                         Case{40, 8, 40001, at::kFloat}, Case{37, 24, 61, at::kBFloat16},
                                         Case{20, 530, 1025, at::kBFloat16}, Case{9, 7, 100, at::kBFloat16},
                                         Case{40, 8, 40001, at::kBFloat16}),
                         [](const auto& given) {
                             const Case& c = given.param;
                             return std::to_string(c.rows) + "x" + std::to_string(c.width) + "x" +
                                    std::to_string(c.vocabulary) + c10::toString(c.dtype);
                         });

}  // namespace
}  // namespace craft
