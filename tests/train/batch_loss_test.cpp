#include "train/batch_loss.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

#include "core/error.h"
#include "core/signals.h"
#include "small_training.h"
#include "train/examples.h"

namespace craft::test {
namespace {

std::vector<const TokenTree*> pointers(const std::vector<TokenTree>& trees) {
    std::vector<const TokenTree*> list;
    for (const auto& tree : trees) list.push_back(&tree);
    return list;
}

Decoder trainable_decoder(double dropout = 0) {
    Decoder decoder = tiny_decoder();
    TrainOptions options = small_options(LossName::sft);
    options.lora.dropout = dropout;
    make_trainable(decoder, options);
    for (const auto& [name, leaf] : decoder.trainable())
        if (name.ends_with("lora_B.weight")) leaf.detach().uniform_(-0.2, 0.2);
    return decoder;
}

// Gradients of the trainable leaves, which are cleared.
std::vector<at::Tensor> taken_gradients(const Decoder& decoder) {
    std::vector<at::Tensor> gradients;
    for (auto [name, leaf] : decoder.trainable()) {
        gradients.push_back(leaf.grad().clone());
        leaf.mutable_grad() = at::Tensor();
    }
    return gradients;
}

// A signal that comes before the batch, or while backward is in layer 1: what is below that layer is not computed.
TEST(BatchLossDeathTest, AStopDoesNotWaitForTheMicroBatch) {
    const auto stop = [](bool in_backward, int64_t recomputed_layers) {
        Decoder decoder = trainable_decoder();
        decoder.set_recomputed_layers(recomputed_layers);
        if (!in_backward) stop_as_by(SIGTERM);
        for (auto [name, leaf] : decoder.trainable())
            if (in_backward && name.find("layers.1.") != std::string::npos)
                leaf.register_hook([](const at::Tensor&) { stop_as_by(SIGTERM); });
        const auto trees = counting_sequences(5);
        try {
            run_batch(decoder, pointers(trees), default_loss_options(LossName::sft), {});
        } catch (const Stopped& stopped) {
            for (const auto& [name, leaf] : decoder.trainable())
                if (name.find("layers.0.") != std::string::npos && leaf.grad().defined()) std::_Exit(1);
            std::_Exit(stopped.signal());
        }
        std::_Exit(0);
    };
    for (const int64_t recomputed_layers : {0, 1, 2}) {
        EXPECT_EXIT(stop(false, recomputed_layers), testing::ExitedWithCode(SIGTERM), "") << recomputed_layers;
        EXPECT_EXIT(stop(true, recomputed_layers), testing::ExitedWithCode(SIGTERM), "") << recomputed_layers;
    }
}

TEST(BatchLoss, SftIsTheMeanOverUnmaskedTokens) {
    Decoder decoder = trainable_decoder();
    const auto trees = counting_sequences(5);
    const at::NoGradGuard no_grad;
    double sum = 0, tokens = 0;
    for (const auto& tree : trees) {
        const at::Tensor logprobs = target_logprobs(decoder, pack({tree}, at::kCPU));
        sum -= logprobs.to(at::kDouble).sum().item<double>();
        tokens += static_cast<double>(logprobs.size(0));
    }
    const BatchFigures figures =
        run_batch(decoder, pointers(trees), default_loss_options(LossName::sft), {.backward = false});
    EXPECT_NEAR(figures.loss, sum / tokens, 1e-6);
    EXPECT_EQ(figures.sft_loss, figures.loss);
    EXPECT_FALSE(figures.preference_loss || figures.chosen_logp || figures.margin || figures.accuracy);
}

TEST(BatchLoss, SharesAddUpToTheWholeWithItsDropout) {
    Decoder decoder = trainable_decoder(/*dropout=*/0.3);
    const auto trees = counting_pairs(5);
    const LossOptions options = default_loss_options(LossName::craft);
    const BatchFigures whole = run_batch(decoder, pointers(trees), options, {.dropout_seed = 3});
    const auto expected = taken_gradients(decoder);
    BatchFigures sum;
    sum.sft_loss = 0;
    sum.margin = 0;
    int last_backwards = 0;
    for (const std::vector<size_t>& share : {std::vector<size_t>{1, 4}, {}, {0, 2, 3}}) {
        const BatchFigures part =
            run_batch(decoder, pointers(trees), options,
                      {.micro_batch_tokens = 20, .dropout_seed = 3, .share = share, .before_last_backward = [&] {
                           ++last_backwards;
                       }});
        EXPECT_EQ(part.margin.has_value(), !share.empty());
        sum.loss += part.loss;
        sum.tokens += part.tokens;
        *sum.sft_loss += part.sft_loss.value_or(0);
        *sum.margin += part.margin.value_or(0);
    }
    EXPECT_EQ(last_backwards, 2);
    EXPECT_EQ(sum.tokens, whole.tokens);
    EXPECT_NEAR(sum.loss, whole.loss, 1e-6);
    EXPECT_NEAR(*sum.sft_loss, *whole.sft_loss, 1e-6);
    EXPECT_NEAR(*sum.margin, *whole.margin, 1e-6);
    const auto gradients = taken_gradients(decoder);
    for (size_t i = 0; i < gradients.size(); ++i) EXPECT_TRUE(at::allclose(gradients[i], expected[i], 1e-4, 1e-6)) << i;
}

TEST(BatchLoss, PreferencePartIsAMeanOverPairsAndLikelihoodOverTokens) {
    Decoder decoder = trainable_decoder();
    const auto trees = counting_pairs(4);
    LossOptions options = default_loss_options(LossName::cpo);
    options.alpha = 0.3;
    double preference = 0, nll = 0, tokens = 0, chosen_average = 0;
    for (const auto& tree : trees) {
        const at::NoGradGuard no_grad;
        const at::Tensor logprobs = target_logprobs(decoder, pack({tree}, at::kCPU)).to(at::kDouble);
        const auto chosen_tokens = static_cast<int64_t>(tree.branches[0].tokens.size());
        const double w = logprobs.narrow(0, 0, chosen_tokens).sum().item<double>();
        const double l = logprobs.sum().item<double>() - w;
        preference += std::log1p(std::exp(-0.1 * (w - l)));
        nll -= w;
        tokens += static_cast<double>(chosen_tokens);
        chosen_average += w / static_cast<double>(chosen_tokens);
    }
    const BatchFigures figures = run_batch(decoder, pointers(trees), options, {.backward = false});
    EXPECT_NEAR(*figures.preference_loss, preference / 4, 1e-6);
    EXPECT_NEAR(*figures.sft_loss, nll / tokens, 1e-6);
    EXPECT_NEAR(figures.loss, preference / 4 + 0.3 * nll / tokens, 1e-6);
    EXPECT_NEAR(*figures.chosen_logp, chosen_average / 4, 1e-6);
    int64_t computed = 0;
    for (const auto& tree : trees) computed += tree.size();
    EXPECT_EQ(figures.tokens, computed);

    options = default_loss_options(LossName::craft);
    options.nll_normalisation = NllNormalisation::sum;
    EXPECT_NEAR(*run_batch(decoder, pointers(trees), options, {.backward = false}).sft_loss, nll / 4, 1e-5);
    EXPECT_FALSE(run_batch(decoder, pointers(trees), default_loss_options(LossName::simpo), {.backward = false}).sft_loss);
}

// craft is simpo and the likelihood: so the gradients of its likelihood part are what it has beside simpo's. Beside asking
// for them nothing changes, not a bit.
TEST(BatchLoss, GradientsOfTheLikelihoodPart) {
    const auto trees = counting_pairs(5);
    for (const int64_t recomputed_layers : {0, 2}) {
        Decoder decoder = trainable_decoder(/*dropout=*/0.3);
        decoder.set_recomputed_layers(recomputed_layers);
        const auto run = [&](LossName name, std::vector<at::Tensor>* likelihood) {
            run_batch(decoder, pointers(trees), default_loss_options(name),
                      {.micro_batch_tokens = 20, .dropout_seed = 3, .likelihood_gradients = likelihood});
            return taken_gradients(decoder);
        };
        std::vector<at::Tensor> likelihood;
        const auto plain = run(LossName::craft, nullptr), whole = run(LossName::craft, &likelihood),
                   preference = run(LossName::simpo, nullptr);
        ASSERT_EQ(likelihood.size(), whole.size());
        for (size_t i = 0; i < whole.size(); ++i) {
            EXPECT_TRUE(at::equal(whole[i], plain[i])) << i;
            EXPECT_TRUE(at::allclose(preference[i] + likelihood[i], whole[i], 1e-4, 1e-6)) << i;
            EXPECT_GT(likelihood[i].abs().max().item<double>(), 0) << i;
        }
        run(LossName::simpo, &likelihood);
        EXPECT_TRUE(likelihood.empty()) << "it has no such part";
    }
}

// Of pairs whose gaps are known the sums are those of the means that are told of all; one of an unknown gap is left out.
TEST(BatchLoss, AgreementIsOfPairsWithARewardGap) {
    Decoder decoder = trainable_decoder();
    auto trees = counting_pairs(4);
    const LossOptions options = default_loss_options(LossName::craft);
    EXPECT_FALSE(run_batch(decoder, pointers(trees), options, {.backward = false}).agreement.share());
    for (auto& tree : trees) tree.reward_gap = 10;
    const BatchFigures all = run_batch(decoder, pointers(trees), options, {.backward = false});
    EXPECT_EQ(all.agreement.pairs, 4);
    EXPECT_NEAR(all.agreement.margin / 4, *all.margin, 1e-9);
    EXPECT_NEAR(all.agreement.share().value(), *all.accuracy, 1e-12);
    EXPECT_NEAR(all.agreement.products, 10 * all.agreement.margin, 1e-9);

    trees[1].reward_gap = -10;
    trees[3].reward_gap = std::nullopt;
    const BatchFigures some =
        run_batch(decoder, pointers(trees), options, {.micro_batch_tokens = 20, .share = std::vector<size_t>{0, 1}});
    const auto margin_of = [&](size_t i) { return *run_batch(decoder, {&trees[i]}, options, {.backward = false}).margin; };
    EXPECT_EQ(some.agreement.pairs, 2);
    EXPECT_EQ(some.agreement.gap, 0);
    EXPECT_NEAR(some.agreement.products, 10 * margin_of(0) - 10 * margin_of(1), 1e-4);
    EXPECT_EQ(run_batch(decoder, pointers(trees), options, {.backward = false}).agreement.pairs, 3);
}

TEST(BatchLoss, MicroBatchesChangeNoResult) {
    for (const auto& [name, loss] : loss_names()) {
        Decoder decoder = trainable_decoder(/*dropout=*/0.3);
        const auto trees = needs_pairs(loss) ? counting_pairs(9) : counting_sequences(9);
        const auto references = some_references(loss, trees.size());
        const BatchFigures whole =
            run_batch(decoder, pointers(trees), default_loss_options(loss), {.dropout_seed = 7, .references = references});
        const auto expected = taken_gradients(decoder);
        for (const int64_t budget : {1, 30, 55}) {  // 1: every example alone
            int64_t micro_batches = 0;
            BatchRun run;
            run.micro_batch_tokens = budget;
            run.dropout_seed = 7;
            run.references = references;
            run.after_micro_batch = [&] { ++micro_batches; };
            const BatchFigures cut = run_batch(decoder, pointers(trees), default_loss_options(loss), run);
            EXPECT_GT(micro_batches, 1);
            EXPECT_NEAR(cut.loss, whole.loss, 1e-6 * std::abs(whole.loss)) << name;
            EXPECT_EQ(cut.tokens, whole.tokens);
            const auto gradients = taken_gradients(decoder);
            for (size_t i = 0; i < gradients.size(); ++i)
                EXPECT_LT((gradients[i] - expected[i]).norm().item<double>(),
                          1e-5 * expected[i].norm().item<double>() + 1e-9)
                    << name << ", leaf " << i;
        }
    }
}

TEST(BatchLoss, ReferencesGoWithTheirPairs) {
    // Pairs that a share leaves out leave theirs out, too: pair i's margin is beta ((w - c_i) - (l - r_i)).
    Decoder decoder = trainable_decoder();
    const auto trees = counting_pairs(5);
    const LossOptions dpo = default_loss_options(LossName::dpo);
    const auto references = some_references(LossName::dpo, 5);
    std::vector<BranchLogprob> branches;
    BatchRun run{.backward = false, .micro_batch_tokens = 20, .branches = &branches};
    run.share = {1, 3};
    run.references = references;
    const BatchFigures figures = run_batch(decoder, pointers(trees), dpo, run);
    double loss = 0;
    for (size_t i = 0; i < 2; ++i) {
        const ReferenceSums& own = references[2 * i + 1];
        const double margin = 0.1 * ((branches[2 * i].sum - own.chosen) - (branches[2 * i + 1].sum - own.rejected));
        loss += std::log1p(std::exp(-margin)) / 5;  // a share of a step of 5
    }
    EXPECT_NEAR(figures.loss, loss, 1e-9);
    run.references.pop_back();
    EXPECT_THROW(run_batch(decoder, pointers(trees), dpo, run), std::invalid_argument);
    run.references = references;
    EXPECT_THROW(run_batch(decoder, pointers(trees), default_loss_options(LossName::cpo), run), std::invalid_argument);
}

// The same bits: what is made again in backward is made by the same functions of the same numbers.
TEST(MicroBatchBudget, IsWhatWasAskedForButAtLeastTheLargestExample) {
    const at::Device cpu(at::kCPU);
    EXPECT_EQ(micro_batch_budget(100, cpu, {30, 90}), 100);
    EXPECT_EQ(micro_batch_budget(100, cpu, {30, 190}), 190);
    EXPECT_EQ(micro_batch_budget(100, cpu, {}), 100);
    const int64_t usual = micro_batch_budget(0, cpu, {});
    EXPECT_GE(usual, 1024);
    EXPECT_EQ(micro_batch_budget(0, cpu, {5, 7}), usual);
    EXPECT_EQ(micro_batch_budget(0, cpu, {5, usual + 1}), usual + 1);
}

TEST(BatchLoss, RecomputedLayersChangeNoResult) {
    for (const bool full : {false, true}) {
        Decoder decoder = full ? tiny_decoder() : trainable_decoder(/*dropout=*/0.3);
        if (full) decoder.train_all_weights();
        const auto trees = counting_pairs(5);
        const auto loss = default_loss_options(LossName::cpo_simpo);
        const BatchRun run{.dropout_seed = 3};
        const BatchFigures kept = run_batch(decoder, pointers(trees), loss, run);
        const auto expected = taken_gradients(decoder);
        for (int64_t layers = 1; layers <= decoder.config().layers; ++layers) {
            decoder.set_recomputed_layers(layers);
            EXPECT_EQ(run_batch(decoder, pointers(trees), loss, run).loss, kept.loss);
            const auto gradients = taken_gradients(decoder);
            ASSERT_EQ(gradients.size(), expected.size());
            for (size_t i = 0; i < gradients.size(); ++i)
                EXPECT_TRUE(at::equal(gradients[i], expected[i])) << layers << " layers, leaf " << i;
        }
        EXPECT_EQ(run_batch(decoder, pointers(trees), loss, {.backward = false}).loss,
                  run_batch(decoder, pointers(trees), loss, {}).loss);
    }
}

TEST(BatchLoss, DropoutFollowsItsSeedAndIsOffInEvaluation) {
    Decoder decoder = trainable_decoder(0.5);
    const auto trees = counting_sequences(4);
    const auto loss = default_loss_options(LossName::sft);
    const auto with_seed = [&](uint64_t seed) {
        return run_batch(decoder, pointers(trees), loss, {.dropout_seed = seed}).loss;
    };
    EXPECT_EQ(with_seed(1), with_seed(1));
    EXPECT_NE(with_seed(1), with_seed(2));
    const double evaluated = run_batch(decoder, pointers(trees), loss, {.backward = false, .dropout_seed = 1}).loss;
    EXPECT_NE(evaluated, with_seed(1));
    EXPECT_EQ(evaluated, run_batch(decoder, pointers(trees), loss, {.backward = false, .dropout_seed = 2}).loss);
}

TEST(BatchLoss, SequencesThatBeginAlikeAreComputedOnceWithTheSameResult) {
    Decoder decoder = trainable_decoder();
    const auto loss = default_loss_options(LossName::sft);
    std::vector<TokenTree> apart;
    for (int64_t i = 0; i < 5; ++i) {
        MaskedTokens row;
        for (int64_t t = 0; t < 12; ++t) row.tokens.push_back(t < 8 ? (i < 3 ? 1 : 2) + t : 3 + (i + 2 * t) % 7);
        for (int64_t t = 0; t < 9 + i; ++t) row.tokens.push_back(1 + t % 5);
        row.counted.assign(row.tokens.size(), 0);
        std::fill(row.counted.begin() + (i == 1 ? 4 : 9), row.counted.end(), uint8_t{1});  // one counts in the common part
        apart.push_back({{}, {row}});
    }
    std::swap(apart[1], apart[3]);  // those that begin alike need not stand side by side
    const std::vector<TokenTree> joined = join_equal_starts(apart, 6, 3);
    ASSERT_EQ(joined.size(), 2U);
    EXPECT_EQ(joined[0].branches.size(), 3U);
    EXPECT_EQ(joined[0].branches[1].tokens, apart[2].branches[0].tokens);
    EXPECT_EQ(join_equal_starts(apart, 9, 3).size(), 5U);
    EXPECT_EQ(join_equal_starts(apart, 6, 2).size(), 3U);
    EXPECT_EQ(join_equal_starts(apart, 6, 2)[0].branches.size(), 2U);
    const BatchFigures expected = run_batch(decoder, pointers(apart), loss, {});
    const auto expected_gradients = taken_gradients(decoder);
    const BatchFigures figures = run_batch(decoder, pointers(joined), loss, {});
    EXPECT_NEAR(figures.loss, expected.loss, 1e-6);
    EXPECT_NEAR(*figures.entropy, *expected.entropy, 1e-6);
    EXPECT_NEAR(*figures.token_accuracy, *expected.token_accuracy, 1e-9);
    EXPECT_EQ(figures.sequence_tokens, expected.sequence_tokens);
    EXPECT_EQ(figures.tokens, expected.tokens - 3 * 8);
    const auto gradients = taken_gradients(decoder);
    for (size_t i = 0; i < gradients.size(); ++i)
        EXPECT_TRUE(at::allclose(gradients[i], expected_gradients[i], 1e-4, 1e-6)) << i;
}

TEST(BatchLoss, RefusesExamplesOfAnotherLoss) {
    Decoder decoder = trainable_decoder();
    const auto sequences = counting_sequences(2);
    EXPECT_THAT([&] { run_batch(decoder, pointers(sequences), default_loss_options(LossName::simpo), {}); },
                testing::ThrowsMessage<Error>(testing::HasSubstr("a chosen and a rejected response")));
    const std::vector<TokenTree> empty(1);
    EXPECT_THAT([&] { run_batch(decoder, pointers(empty), default_loss_options(LossName::sft), {}); },
                testing::ThrowsMessage<Error>(testing::HasSubstr("a sequence")));
    auto masked = sequences;
    masked[1].branches[0].counted.assign(masked[1].branches[0].counted.size(), 0);
    EXPECT_THAT([&] { run_batch(decoder, pointers(masked), default_loss_options(LossName::sft), {}); },
                testing::ThrowsMessage<Error>(testing::HasSubstr("example 1")));
}

}  // namespace
}  // namespace craft::test
