// Training on groups of sampled responses: a step's loss and figures against plain arithmetic, and two steps that end with
// the same bytes after a crash.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "../core/temporary_folder.h"
#include "core/error.h"
#include "small_training.h"
#include "train/token_logprobs.h"

namespace craft::test {
namespace {

namespace fs = std::filesystem;

// Prompts with three responses of unequal lengths, of which those that count up are rewarded.
struct Groups {
    std::vector<TokenTree> trees;
    std::vector<SampledGroup> groups;
    explicit Groups(int64_t count) {
        Rng rng(3, "groups");
        for (int64_t i = 0; i < count; ++i) {
            const int64_t start = rng.between(3, 20);
            TokenTree tree{{start, 31, 5}, {}};
            SampledGroup group;
            for (int64_t k = 0; k < 3; ++k) {
                MaskedTokens branch;
                for (int64_t j = 1; j <= rng.between(2, 6); ++j) branch.tokens.push_back(3 + (start + k + k * j + j) % 27);
                branch.counted.assign(branch.tokens.size(), 1);
                tree.branches.push_back(branch);
                group.rewards.push_back(k == 0 ? 1 : 0.1 * static_cast<double>(rng.between(0, 4)));
            }
            trees.push_back(tree);
            groups.push_back(group);
        }
    }
    std::vector<const TokenTree*> examples() const {
        std::vector<const TokenTree*> list;
        for (const TokenTree& tree : trees) list.push_back(&tree);
        return list;
    }
    BatchRun run(const PolicyOptions& policy) const {
        BatchRun all;
        all.policy = &policy;
        for (const SampledGroup& group : groups) all.groups.push_back(&group);
        return all;
    }
};

TrainOptions policy_options(double beta) {
    TrainOptions options = small_options(LossName::sft);
    options.policy = PolicyOptions{.beta = beta, .max_length = 12};
    options.batch_size = 3;
    options.epochs = 1;
    options.save_every = 1;
    return options;
}

// With a B that is not zero, so that every leaf has a gradient.
Decoder moved_decoder(const TrainOptions& options) {
    Decoder decoder = tiny_decoder();
    make_trainable(decoder, options);
    for (const auto& [name, leaf] : decoder.trainable())
        if (name.ends_with("lora_B.weight"))
            leaf.detach().copy_(at::sin(at::arange(leaf.numel(), at::kFloat).add(1)).view(leaf.sizes()).mul(0.2));
    return decoder;
}

std::vector<at::Tensor> gradients_of(const Decoder& decoder) {
    std::vector<at::Tensor> gradients;
    for (auto [name, leaf] : decoder.trainable()) {
        gradients.push_back(leaf.grad().clone());
        leaf.mutable_grad() = at::Tensor();
    }
    return gradients;
}

// Old ones above and below what the decoder says, reference ones apart by half a nat.
void add_other_logprobs(Groups& groups, Decoder& decoder) {
    const std::vector<at::Tensor> now = token_logprobs(decoder, groups.trees, 0);
    for (size_t i = 0; i < now.size(); ++i) {
        const at::Tensor wave = at::sin(at::arange(now[i].size(0), at::kFloat) + static_cast<double>(i));
        groups.groups[i].old_logprobs = now[i] + 0.6 * wave;
        groups.groups[i].reference_logprobs = now[i] - 0.5 * wave;
    }
}

TEST(TokenLogprobs, AreThoseOfEachBranchAlone) {
    Decoder decoder = moved_decoder(policy_options(0));
    const Groups groups(4);
    const std::vector<at::Tensor> got = token_logprobs(decoder, groups.trees, /*micro_batch_tokens=*/20);
    ASSERT_EQ(got.size(), 4u);
    for (size_t i = 0; i < got.size(); ++i) {
        std::vector<at::Tensor> alone;
        const at::NoGradGuard no_grad;
        for (const MaskedTokens& branch : groups.trees[i].branches) {
            const TokenTree one{groups.trees[i].prefix, {branch}};
            alone.push_back(target_logprobs(decoder, pack({one}, at::kCPU)));
        }
        EXPECT_TRUE(at::allclose(got[i], at::cat(alone), 1e-5, 1e-6)) << i;
    }
}

TEST(PolicyTraining, AStepIsThePlainSumOverItsTokens) {
    Decoder decoder = moved_decoder(policy_options(0));
    Groups groups(4);
    add_other_logprobs(groups, decoder);
    const std::vector<at::Tensor> now = token_logprobs(decoder, groups.trees, 0);
    for (const TokenMean mean : {TokenMean::dapo, TokenMean::grpo, TokenMean::dr_grpo}) {
        PolicyOptions policy{.advantage = Advantage::rloo, .mean = mean, .beta = 0.1, .max_length = 12};
        double loss = 0, tokens = 0, clipped = 0, kl = 0, reward = 0, deviation = 0;
        for (const TokenTree& tree : groups.trees)
            for (const MaskedTokens& branch : tree.branches) tokens += static_cast<double>(branch.tokens.size());
        for (size_t i = 0; i < now.size(); ++i) {
            const SampledGroup& group = groups.groups[i];
            int64_t place = 0;
            for (size_t k = 0; k < 3; ++k) {
                const auto length = static_cast<double>(groups.trees[i].branches[k].tokens.size());
                const double advantage = group.rewards[k] - (group.rewards[(k + 1) % 3] + group.rewards[(k + 2) % 3]) / 2;
                const double weight = mean == TokenMean::dapo   ? 1 / tokens
                                      : mean == TokenMean::grpo ? 1 / (12 * length)  // 12 responses
                                                                : 1 / (12.0 * 12);
                for (int64_t j = 0; j < static_cast<int64_t>(length); ++j, ++place) {
                    const double logp = now[i][place].item<double>();
                    const double ratio = std::exp(logp - group.old_logprobs[place].item<double>());
                    const double apart = group.reference_logprobs[place].item<double>() - logp;
                    const double held = std::min(std::max(ratio, 0.8), 1.2);
                    loss += weight * (-std::min(ratio * advantage, held * advantage) + 0.1 * (std::exp(apart) - apart - 1));
                    kl += (std::exp(apart) - apart - 1) / tokens;
                    clipped += ((ratio < 0.8 && advantage < 0) || (ratio > 1.2 && advantage > 0)) ? 1 / tokens : 0;
                }
                reward += group.rewards[k] / 12;
            }
            const double m = (group.rewards[0] + group.rewards[1] + group.rewards[2]) / 3;
            double squares = 0;
            for (const double r : group.rewards) squares += (r - m) * (r - m);
            deviation += std::sqrt(squares / 2) / 4;
        }
        const BatchFigures figures =
            run_batch(decoder, groups.examples(), default_loss_options(LossName::sft), groups.run(policy));
        EXPECT_NEAR(figures.loss, loss, 1e-5);
        EXPECT_NEAR(*figures.clipped, clipped, 1e-9);
        EXPECT_GT(clipped, 0.05);
        EXPECT_NEAR(*figures.kl, kl, 1e-5);
        EXPECT_NEAR(*figures.reward, reward, 1e-12);
        EXPECT_NEAR(*figures.reward_std, deviation, 1e-12);
        EXPECT_FALSE(figures.preference_loss || figures.sft_loss || figures.margin);
        EXPECT_TRUE(figures.entropy && figures.token_accuracy);
        const auto whole = gradients_of(decoder);

        // Cut into micro-batches, and into the shares of two ranks.
        BatchFigures sum;
        sum.clipped = 0;
        for (const std::vector<size_t>& share : {std::vector<size_t>{0, 3}, {1, 2}}) {
            BatchRun run = groups.run(policy);
            run.micro_batch_tokens = 1;
            run.share = share;
            const BatchFigures part = run_batch(decoder, groups.examples(), default_loss_options(LossName::sft), run);
            sum.loss += part.loss;
            *sum.clipped += *part.clipped;
        }
        EXPECT_NEAR(sum.loss, figures.loss, 1e-6);
        EXPECT_NEAR(*sum.clipped, *figures.clipped, 1e-9);
        const auto cut = gradients_of(decoder);
        for (size_t i = 0; i < cut.size(); ++i)
            EXPECT_LT((cut[i] - whole[i]).norm().item<double>(), 1e-5 * whole[i].norm().item<double>() + 1e-9) << i;
        policy.beta = 0;
        BatchRun run = groups.run(policy);
        run.backward = false;
        EXPECT_FALSE(run_batch(decoder, groups.examples(), default_loss_options(LossName::sft), run).kl.has_value())
            << "nothing is compared with";
    }
}

// The gradient of a step by its leaves, against central differences along it: (f(x + h g) - f(x - h g)) / 2h = |g|^2. Losses
// in float32 have errors of 1e-7, the difference with h |g| of 3e-3 one of 3e-5 of a norm of about 1.
TEST(PolicyTraining, TheGradientIsThatOfTheLoss) {
    const TrainOptions options = policy_options(0.1);
    Decoder decoder = moved_decoder(options);
    Groups groups(3);
    add_other_logprobs(groups, decoder);
    const auto loss_of = [&](bool backward) {
        BatchRun run = groups.run(*options.policy);
        run.backward = backward;
        return run_batch(decoder, groups.examples(), options.loss, run).loss;
    };
    loss_of(true);
    const auto gradients = gradients_of(decoder);
    double square = 0;
    for (const at::Tensor& gradient : gradients) square += gradient.square().sum().item<double>();
    ASSERT_GT(square, 1e-6);
    const double h = 3e-3 / std::sqrt(square);
    const auto move = [&](double by) {
        const at::NoGradGuard no_grad;
        const auto leaves = decoder.trainable();
        for (size_t i = 0; i < leaves.size(); ++i) leaves[i].second.detach().add_(gradients[i], by);
    };
    move(h);
    const double up = loss_of(false);
    move(-2 * h);
    const double down = loss_of(false);
    EXPECT_NEAR((up - down) / (2 * h) / square, 1, 0.02);
}

// A process that trains two steps on six groups, having asked the planner and its base first.
TrainResult train_groups(const fs::path& folder, const TrainCallbacks& callbacks = {}, double first_reward = 1) {
    const TrainOptions options = policy_options(0.1);
    Decoder decoder = moved_decoder(options);
    Decoder base = tiny_decoder();
    Groups groups(6);
    groups.groups[0].rewards[0] = first_reward;
    const auto old = token_logprobs(decoder, groups.trees, 0), reference = token_logprobs(base, groups.trees, 0);
    for (size_t i = 0; i < old.size(); ++i) {
        groups.groups[i].old_logprobs = old[i];
        groups.groups[i].reference_logprobs = reference[i];
    }
    const TrainResult result =
        train(decoder, groups.trees, options, folder, callbacks, {}, ProcessGroup::alone(), groups.groups);
    decoder.save_adapter(folder / "adapter");
    return result;
}

TEST(PolicyTraining, TwoStepsEndWithTheSameBytesAfterACrash) {
    struct Killed {};
    const TemporaryFolder folder;
    train_groups(folder.path() / "whole");
    const auto rows = rows_of(folder.path() / "whole/metrics.jsonl");
    ASSERT_EQ(rows.size(), 2u);
    for (const Json& row : rows)
        for (const char* key : {"loss", "reward", "reward_std", "clipped", "kl", "grad_norm", "entropy"})
            EXPECT_TRUE(row.contains(key)) << key;
    // Nothing has moved before the first update: each ratio is 1, and the loss is minus the mean advantage and the
    // divergence.
    EXPECT_EQ(rows[0]["clipped"], 0);
    EXPECT_GT(rows[0]["kl"].get<double>(), 0);
    EXPECT_GT(rows[0]["grad_norm"].get<double>(), 0);
    const auto bytes = [&](const char* run) {
        return file_bytes(folder.path() / run / "adapter/adapter_model.safetensors");
    };
    for (const int64_t step : {1, 2}) {
        const std::string name = "killed-" + std::to_string(step);
        const auto kill = [&](const StepMetrics& metrics) {
            if (metrics.step == step) throw Killed();
        };
        EXPECT_THROW(train_groups(folder.path() / name, {.on_step = kill}), Killed);
        train_groups(folder.path() / name);
        EXPECT_EQ(bytes(name.c_str()), bytes("whole")) << "killed after step " << step;
        EXPECT_EQ(rows_of(folder.path() / name / "metrics.jsonl"), rows);
    }
    EXPECT_FALSE(bytes("whole").empty());
    EXPECT_THAT([&] { train_groups(folder.path() / "whole", {}, 0.9); },
                testing::ThrowsMessage<Error>(testing::HasSubstr("another run")))
        << "rewards are part of the data";
}

TEST(PolicyTraining, RewardedResponsesBecomeLikelier) {
    TrainOptions options = policy_options(0);
    options.epochs = 12;
    options.batch_size = 6;
    options.schedule = Schedule::constant;
    const TemporaryFolder folder;
    Decoder decoder = tiny_decoder();
    make_trainable(decoder, options);
    Groups groups(6);
    const auto before = token_logprobs(decoder, groups.trees, 0);
    for (size_t i = 0; i < before.size(); ++i) groups.groups[i].old_logprobs = before[i];
    train(decoder, groups.trees, options, folder.path(), {}, {}, ProcessGroup::alone(), groups.groups);
    const auto after = token_logprobs(decoder, groups.trees, 0);
    double best = 0, others = 0;
    for (size_t i = 0; i < before.size(); ++i) {
        const auto length = static_cast<int64_t>(groups.trees[i].branches[0].tokens.size());
        const at::Tensor gain = after[i] - before[i];
        best += gain.narrow(0, 0, length).mean().item<double>();
        others += gain.narrow(0, length, gain.size(0) - length).mean().item<double>();
    }
    EXPECT_GT(best, 0.05);
    EXPECT_LT(others, best - 0.1);
}

TEST(PolicyTraining, RefusesExamplesWithoutRewards) {
    const TemporaryFolder folder;
    const TrainOptions options = policy_options(0);
    Decoder decoder = moved_decoder(options);
    const Groups groups(2);
    EXPECT_THAT([&] { train(decoder, groups.trees, options, folder.path()); },
                testing::ThrowsMessage<Error>(testing::HasSubstr("a group's rewards for each example")));
    Groups fewer(2);
    fewer.groups[1].rewards.pop_back();
    EXPECT_THAT([&] { run_batch(decoder, fewer.examples(), options.loss, fewer.run(*options.policy)); },
                testing::ThrowsMessage<Error>(testing::HasSubstr("two or more rewarded responses")));
}

// What is computed before the first update, and how often.
TEST(PolicyTraining, BeginsWithTheLogprobsThatItNeeds) {
    const auto first = [](const TrainOptions& options, size_t examples) {
        const LogprobsFirst needed = logprobs_first(options, examples);
        return std::string(needed.old ? "old " : "") + (needed.start_reference ? "start " : "") +
               (needed.base_reference ? "base " : "") + std::to_string(needed.passes());
    };
    TrainOptions options = policy_options(/*beta=*/0);
    EXPECT_EQ(first(options, 3), "0") << "one update: its own";
    EXPECT_EQ(first(options, 4), "old 1");
    options.policy->beta = 0.1;
    EXPECT_EQ(first(options, 3), "start 1");
    EXPECT_EQ(first(options, 4), "old start 1") << "the same";
    options.loss.reference = Reference::base;
    EXPECT_EQ(first(options, 3), "base 1");
    EXPECT_EQ(first(options, 4), "old base 2");
    EXPECT_EQ(first(small_options(LossName::sft), 4), "0");
    EXPECT_EQ(first(small_options(LossName::craft), 4), "0");
    EXPECT_EQ(first(small_options(LossName::dpo), 4), "start 1");
}

}  // namespace
}  // namespace craft::test
