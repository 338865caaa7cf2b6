// Packed training is the plain padded computation: losses, log-probabilities, figures and every gradient, for random
// decoders, adapters, trees, micro-batches, ranks' shares and losses.
//   CRAFT_PROPERTY_SEED   other draws than those of seed 1
//   CRAFT_PROPERTY_CASES  how many of each kind (25)
#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <numeric>

#include "tests/train/plain_training.h"
#include "tests/train/random_training.h"
#include "train/batch_loss.h"
#include "train/shares.h"

namespace craft::test {
namespace {

int64_t from_environment(const char* name, int64_t otherwise) {
    const char* value = std::getenv(name);
    return value == nullptr ? otherwise : std::atoll(value);
}

uint64_t property_seed() {
    return static_cast<uint64_t>(from_environment("CRAFT_PROPERTY_SEED", 1));
}

int64_t property_cases() {
    return from_environment("CRAFT_PROPERTY_CASES", 25);
}

// How far results may be from float64's.
struct Tolerance {
    double value;     // of a loss or a log-probability, relative to 1 and more
    double gradient;  // of a leaf's gradient, relative to its norm and a tenth of the largest leaf's
};

std::vector<at::Tensor> taken_in_float64(const Decoder& decoder) {
    std::vector<at::Tensor> gradients;
    for (auto [name, leaf] : decoder.trainable()) {
        gradients.push_back(leaf.grad().defined() ? leaf.grad().to(at::kDouble) : at::zeros(leaf.sizes(), at::kDouble));
        leaf.mutable_grad() = at::Tensor();
    }
    return gradients;
}

double largest_norm(const std::vector<at::Tensor>& gradients) {
    double largest = 0;
    for (const at::Tensor& gradient : gradients) largest = std::max(largest, gradient.norm().item<double>());
    return largest;
}

void expect_same_gradients(const Decoder& decoder, const std::vector<at::Tensor>& gradients,
                           const std::vector<at::Tensor>& expected, double tolerance) {
    const double largest = largest_norm(expected);
    for (size_t i = 0; i < expected.size(); ++i) {
        const double apart = (gradients[i] - expected[i]).norm().item<double>();
        EXPECT_LE(apart, tolerance * (expected[i].norm().item<double>() + 0.1 * largest) + 1e-14)
            << decoder.trainable()[i].first << " of norm " << expected[i].norm().item<double>();
    }
}

// A case in which float32 itself is this far from float64 (relative) is as it should be; where it is further, the case is
// badly conditioned and more is allowed.
constexpr double kRounding = 5e-6;

// What the plain computation in float32 makes of the same: how much more rounding than usual there is, 1 or more.
double conditioning(const Decoder& decoder, const at::Tensor& values, const std::vector<at::Tensor>& gradients,
                    const std::function<at::Tensor()>& values_and_backward) {
    plain_dtype() = at::kFloat;
    const at::Tensor rough = values_and_backward().detach().to(at::kDouble);
    plain_dtype() = at::kDouble;
    double apart = 0, size = 1e-6;
    const auto rough_gradients = taken_in_float64(decoder);
    for (size_t i = 0; i < gradients.size(); ++i) {
        apart += (rough_gradients[i] - gradients[i]).square().sum().item<double>();
        size += gradients[i].square().sum().item<double>();
    }
    const at::Tensor of_values = (rough - values).abs() / values.abs().clamp_min(1);
    return std::max({1.0, of_values.max().item<double>() / kRounding, std::sqrt(apart / size) / kRounding});
}

void expect_near(double value, double expected, double tolerance, const char* what) {
    EXPECT_NEAR(value, expected, tolerance * std::max(1.0, std::abs(expected))) << what;
}

// What the ranks, or one, make of a step: gradients are in the leaves.
struct StepRun {
    BatchFigures figures;
    std::vector<BranchLogprob> branches;  // of all examples in order, in a step of one rank
};

void add(std::optional<double>& sum, const std::optional<double>& part) {
    if (part) sum = sum.value_or(0) + *part;
}

// Sums that the pairs might have had before some training; none for a loss that needs none.
std::vector<ReferenceSums> random_references(const Decoder& decoder, const std::vector<TokenTree>& trees,
                                             const LossOptions& loss, Rng& rng) {
    std::vector<ReferenceSums> references;
    if (!needs_reference(loss.name)) return references;
    const std::vector<double> now = plain_step(decoder, trees, default_loss_options(LossName::simpo), {}).branch_sums;
    for (size_t i = 0; i < now.size(); i += 2)
        references.push_back({now[i] + real_between(rng, -1, 1), now[i + 1] + real_between(rng, -1, 1)});
    return references;
}

StepRun run_packed(Decoder& decoder, const std::vector<TokenTree>& trees, const LossOptions& loss,
                   const std::vector<ReferenceSums>& references, Rng& rng) {
    std::vector<const TokenTree*> examples;
    std::vector<int64_t> sizes;
    for (const TokenTree& tree : trees) {
        examples.push_back(&tree);
        sizes.push_back(tree.size());
    }
    const int64_t all = std::accumulate(sizes.begin(), sizes.end(), int64_t{0});
    decoder.set_recomputed_layers(rng.between(0, decoder.config().layers));
    BatchRun run;
    run.micro_batch_tokens = rng.between(1, all + 1);
    run.references = references;
    StepRun result;
    if (chance(rng, 0.7)) {
        run.branches = &result.branches;
        result.figures = run_batch(decoder, examples, loss, run);
        return result;
    }
    for (const auto& share : split_by_tokens(sizes, static_cast<int>(rng.between(2, 4)))) {
        run.share = share;
        const BatchFigures part = run_batch(decoder, examples, loss, run);
        result.figures.loss += part.loss;
        result.figures.tokens += part.tokens;
        add(result.figures.sft_loss, part.sft_loss);
        add(result.figures.preference_loss, part.preference_loss);
        add(result.figures.chosen_logp, part.chosen_logp);
        add(result.figures.rejected_logp, part.rejected_logp);
        add(result.figures.margin, part.margin);
        add(result.figures.accuracy, part.accuracy);
        add(result.figures.entropy, part.entropy);
        add(result.figures.token_accuracy, part.token_accuracy);
    }
    return result;
}

void expect_same_figures(const StepRun& run, const PlainStep& plain, const LossOptions& loss, double tolerance) {
    const BatchFigures& figures = run.figures;
    expect_near(figures.loss, plain.loss.item<double>(), tolerance, "loss");
    ASSERT_EQ(figures.sft_loss.has_value(), nll_weight(loss).has_value());
    if (figures.sft_loss) expect_near(*figures.sft_loss, plain.nll.item<double>(), tolerance, "likelihood part");
    for (size_t i = 0; i < run.branches.size(); ++i)
        expect_near(run.branches[i].sum, plain.branch_sums.at(i), 10 * tolerance, "log-probability of a branch");
    expect_near(figures.entropy.value(), plain.entropy, tolerance, "entropy");
    if (plain.smallest_lead > 100 * tolerance) {
        EXPECT_NEAR(figures.token_accuracy.value(), plain.token_accuracy, 1e-9);
    }
    ASSERT_EQ(figures.preference_loss.has_value(), needs_pairs(loss.name));
    if (!needs_pairs(loss.name)) return;
    expect_near(*figures.preference_loss, plain.preference.item<double>(), tolerance, "preference part");
    expect_near(*figures.chosen_logp, plain.chosen_logp, tolerance, "chosen");
    expect_near(*figures.rejected_logp, plain.rejected_logp, tolerance, "rejected");
    expect_near(*figures.margin, plain.margin, 10 * tolerance, "margin");
    if (plain.smallest_margin > 1e-3) {
        EXPECT_NEAR(*figures.accuracy, plain.accuracy, 1e-9);
    }
}

std::string words_of(const DecoderConfig& c) {
    return c.architecture + ", " + std::to_string(c.heads) + " heads (" + std::to_string(c.kv_heads) + ") of " +
           std::to_string(c.head_dim) + ", vocabulary " + std::to_string(c.vocab_size) + ", rope kind " +
           std::to_string(static_cast<int>(c.rope.kind)) + (c.windows.empty() ? "" : ", windows") +
           (c.tied_embeddings ? ", tied" : "");
}

class PackedTraining : public testing::TestWithParam<at::ScalarType> {
protected:
    // Float64: sums in other orders. Float32: some ten products of hidden states by weights lie between a token and its
    // log-probability, each adding a few 1e-7 of values of the order 1 to 10, and beta and eta multiply what the losses see.
    static Tolerance tolerance(const std::function<double()>& conditioning) {
        if (GetParam() == at::kDouble) return {1e-10, 1e-9};
        const double factor = conditioning();
        return {2e-5 * factor, 3e-4 * factor};
    }
};

TEST_P(PackedTraining, IsThePlainPaddedComputation) {
    int64_t with_gradients = 0;
    for (int64_t i = 0; i < property_cases(); ++i) {
        Rng rng(property_seed(), "packed training", static_cast<uint64_t>(i));
        at::set_num_threads(chance(rng, 0.8) ? 1 : 3);
        Decoder decoder = random_decoder(random_config(rng), GetParam(), rng);
        const std::string trained = make_random_trainable(decoder, rng);
        const LossOptions loss = random_loss(rng);
        std::vector<TokenTree> trees;
        for (int64_t n = rng.between(1, 6); n > 0; --n)
            trees.push_back(random_tree(rng, decoder.config().vocab_size, needs_pairs(loss.name) ? 2 : 1));
        SCOPED_TRACE("case " + std::to_string(i) + " of seed " + std::to_string(property_seed()) + ": " +
                     words_of(decoder.config()) + "; " + trained + "; " + loss_name(loss.name));
        const std::vector<ReferenceSums> references = random_references(decoder, trees, loss, rng);
        const PlainStep plain = plain_step(decoder, trees, loss, references);
        plain.loss.backward();
        const auto expected = taken_in_float64(decoder);
        const auto values_of = [](const PlainStep& step) {
            return at::cat({step.loss.detach().view(1), at::tensor(step.branch_sums, at::kDouble)});
        };
        const Tolerance allowed = tolerance([&] {
            return conditioning(decoder, values_of(plain), expected, [&] {
                const PlainStep rough = plain_step(decoder, trees, loss, references);
                rough.loss.backward();
                return values_of(rough);
            });
        });
        const StepRun packed = run_packed(decoder, trees, loss, references, rng);
        expect_same_figures(packed, plain, loss, allowed.value);
        expect_same_gradients(decoder, taken_in_float64(decoder), expected, allowed.gradient);
        with_gradients += largest_norm(expected) > 1e-3;
    }
    EXPECT_GE(with_gradients, property_cases() * 4 / 5) << "most cases have something to compare";
}

// Any number of branches, empty ones among them, each token weighted by itself, so that none can stand in for another.
TEST_P(PackedTraining, TreesOfManyBranchesAreSeparateRows) {
    for (int64_t i = 0; i < property_cases(); ++i) {
        Rng rng(property_seed(), "packed branches", static_cast<uint64_t>(i));
        Decoder decoder = random_decoder(random_config(rng), GetParam(), rng);
        const std::string trained = make_random_trainable(decoder, rng);
        std::vector<TokenTree> trees;
        for (int64_t n = rng.between(1, 3); n > 0; --n) {
            trees.push_back(random_tree(rng, decoder.config().vocab_size, rng.between(1, 7)));
            if (chance(rng, 0.2)) trees.back().branches[rng.below(trees.back().branches.size())] = {};
        }
        SCOPED_TRACE("case " + std::to_string(i) + " of seed " + std::to_string(property_seed()) + ": " +
                     words_of(decoder.config()) + "; " + trained);
        const PaddedRows rows = padded_rows(trees);
        if (rows.row.empty()) continue;
        const at::Tensor expected = plain_logprobs(decoder, rows);
        const at::Tensor weights =
            at::empty_like(expected).normal_(0, 1, at::make_generator<at::CPUGeneratorImpl>(rng.next()));
        (expected * weights).sum().backward();
        const auto expected_gradients = taken_in_float64(decoder);
        const Tolerance allowed = tolerance([&] {
            return conditioning(decoder, expected.detach(), expected_gradients, [&] {
                const at::Tensor rough = plain_logprobs(decoder, rows);
                (rough * weights.to(at::kFloat)).sum().backward();
                return rough;
            });
        });
        const at::Tensor packed = target_logprobs(decoder, pack(trees, at::kCPU));
        (packed.to(at::kDouble) * weights).sum().backward();
        EXPECT_LE((packed - expected).abs().max().item<double>(), 10 * allowed.value);
        expect_same_gradients(decoder, taken_in_float64(decoder), expected_gradients, allowed.gradient);
    }
}

// A vocabulary of which no more than 16 rows of logits are made at a time; the branch has 18. Frozen, adapted and trained
// heads.
TEST(PackedHeads, ManyChunksOfLogitsAreOneSoftmax) {
    at::set_num_threads(1);
    DecoderConfig config;
    config.vocab_size = 1'100'000;
    config.hidden_size = config.head_dim = config.intermediate_size = 4;
    config.layers = config.heads = config.kv_heads = 1;
    for (const std::string kind : {"frozen", "adapted", "trained"}) {
        SCOPED_TRACE(kind);
        Rng rng(property_seed(), "chunks of logits");
        Decoder decoder = random_decoder(config, at::kDouble, rng);
        if (kind == "trained")
            decoder.train_all_weights();
        else
            decoder.add_adapter({.rank = 2, .targets = {kind == "adapted" ? "lm_head" : "q_proj"}}, rng);
        for (const auto& [name, leaf] : decoder.trainable())
            if (kind != "trained") leaf.detach().normal_(0, 0.5, at::make_generator<at::CPUGeneratorImpl>(rng.next()));
        TokenTree tree{{7}, {{}}};
        for (int64_t i = 0; i < 18; ++i) tree.branches[0].tokens.push_back(rng.between(0, config.vocab_size - 1));
        tree.branches[0].counted.assign(18, 1);
        const at::Tensor weights = at::arange(1, 19, at::kDouble);
        const at::Tensor expected = plain_logprobs(decoder, padded_rows({tree}));
        (expected * weights).sum().backward();
        const auto expected_gradients = taken_in_float64(decoder);
        const at::Tensor packed = target_logprobs(decoder, pack({tree}, at::kCPU));
        (packed * weights).sum().backward();
        EXPECT_LE((packed - expected).abs().max().item<double>(), 1e-10);
        expect_same_gradients(decoder, taken_in_float64(decoder), expected_gradients, 1e-9);
    }
}

INSTANTIATE_TEST_SUITE_P(Types, PackedTraining, testing::Values(at::kDouble, at::kFloat),
                         [](const auto& given) { return std::string(c10::toString(given.param)); });

}  // namespace
}  // namespace craft::test
