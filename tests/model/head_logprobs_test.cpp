#include "model/head_logprobs.h"

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

class HeadLogprobs : public testing::TestWithParam<Case> {
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

    at::Tensor reference(const at::Tensor& addition) const {
        at::Tensor logits = at::mm(wide_, head_.to(at::kDouble).t());
        if (addition.defined()) logits = logits + addition;
        return at::log_softmax(logits, -1).gather(1, targets_.unsqueeze(1)).squeeze(1);
    }
    // Float32: rounding of sums of order 10. Bfloat16: float32 sums of exact products; the softmax weights are rounded to
    // 2^-9 of themselves before they multiply the head's rows (order 3), and the gradient once more.
    double gradient_tolerance() const { return c_.dtype == at::kFloat ? 2e-5 : 0.05; }
};

TEST_P(HeadLogprobs, AndTheirGradientsAreThoseOfFloat64) {
    at::Tensor direction;
    const at::Tensor logprobs = head_logprobs(hidden_, head_, targets_, {}, &direction, kAtOnce);
    const at::Tensor expected = reference({});
    expected.sum().backward();
    EXPECT_EQ(logprobs.scalar_type(), at::kFloat);
    EXPECT_EQ(direction.scalar_type(), c_.dtype);
    EXPECT_LT((logprobs - expected).abs().max().item<double>(), 2e-5);
    EXPECT_LT((direction.to(at::kDouble) - wide_.grad()).abs().max().item<double>(), gradient_tolerance());
    EXPECT_TRUE(at::equal(logprobs, head_logprobs(hidden_, head_, targets_, {}, nullptr)));
}

TEST_P(HeadLogprobs, AnAdapterAddsToTheLogits) {
    const at::Tensor inner = noise({c_.rows, 3}, 3).to(at::kFloat), b = noise({c_.vocabulary, 3}, 4).to(at::kFloat);
    const at::Tensor expected = reference(at::mm(inner.to(at::kDouble), b.to(at::kDouble).t())).detach();
    EXPECT_LT((head_logprobs(hidden_, head_, targets_, {inner, b}, nullptr) - expected).abs().max().item<double>(), 2e-5);
}

TEST_P(HeadLogprobs, DoNotDependOnThreads) {
    const int threads = at::get_num_threads();
    std::vector<at::Tensor> results;
    for (const int count : {1, 2, 3}) {
        at::set_num_threads(count);
        at::Tensor direction;
        const at::Tensor logprobs = head_logprobs(hidden_, head_, targets_, {}, &direction, kAtOnce);
        results.push_back(at::cat({logprobs, direction.to(at::kFloat).flatten()}));
    }
    at::set_num_threads(threads);
    EXPECT_TRUE(at::equal(results[0], results[1]));
    EXPECT_TRUE(at::equal(results[0], results[2]));
}

// Vocabularies below, at and beyond the tiles of 512, odd ones; widths that are no multiple of 16 or of 512; those with
// 40,001 take several chunks of rows.
INSTANTIATE_TEST_SUITE_P(Shapes, HeadLogprobs,
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
