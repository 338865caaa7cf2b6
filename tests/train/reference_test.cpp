// DPO's reference: what it is computed with, that it is kept, and two steps that start from it.
#include "train/reference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include <barrier>
#include <cmath>
#include <thread>

#include "../core/temporary_folder.h"
#include "core/error.h"
#include "small_training.h"
#include "train/batches.h"

namespace craft::test {
namespace {

namespace fs = std::filesystem;

// An adapter that changes what the tiny decoder says.
Decoder adapted_decoder() {
    Decoder decoder = tiny_decoder();
    make_trainable(decoder, small_options(LossName::dpo));
    at::manual_seed(3);
    for (const auto& [name, leaf] : decoder.trainable())
        if (name.ends_with("lora_B.weight")) leaf.detach().uniform_(-0.2, 0.2);
    return decoder;
}

// One pair alone: sums over its chosen and its rejected response, [2], differentiable.
at::Tensor sums_of_pair(const Decoder& decoder, const TokenTree& tree) {
    const at::Tensor logprobs = target_logprobs(decoder, pack({tree}, at::kCPU)).to(at::kDouble);
    const auto chosen = static_cast<int64_t>(tree.branches[0].tokens.size());  // all of them count
    return at::stack({logprobs.narrow(0, 0, chosen).sum(), logprobs.narrow(0, chosen, logprobs.size(0) - chosen).sum()});
}

ReferenceSums plain_sums(const Decoder& decoder, const TokenTree& tree) {
    const at::NoGradGuard no_grad;
    const at::Tensor sums = sums_of_pair(decoder, tree);
    return {sums[0].item<double>(), sums[1].item<double>()};
}

std::vector<const TokenTree*> pointers_of(const std::vector<TokenTree>& trees) {
    std::vector<const TokenTree*> list;
    for (const auto& tree : trees) list.push_back(&tree);
    return list;
}

LossOptions dpo_against(Reference reference) {
    LossOptions loss = default_loss_options(LossName::dpo);
    loss.reference = reference;
    return loss;
}

TrainOptions dpo_options(Reference reference) {
    TrainOptions options = small_options(LossName::dpo);
    options.loss = dpo_against(reference);
    options.epochs = 1;
    options.max_grad_norm = 0;
    return options;
}

// Two steps of 8 pairs each.
TrainResult two_steps(Decoder& decoder, const TrainOptions& options, const fs::path& folder,
                      const TrainCallbacks& callbacks = {}) {
    const TrainResult result = train(decoder, counting_pairs(16), options, folder, callbacks, counting_pairs(3, 9));
    decoder.save_adapter(folder / "adapter");
    return result;
}

std::string adapter_bytes(const fs::path& folder) {
    return file_bytes(folder / "adapter" / "adapter_model.safetensors");
}

struct Killed {};

TEST(ReferenceSums, AreOfTheWeightsThatAreNamed) {
    const Decoder decoder = adapted_decoder();
    const Decoder base = tiny_decoder();
    const auto trees = counting_pairs(7);
    const auto start = reference_sums(decoder, pointers_of(trees), dpo_against(Reference::start), 20, Ranks::alone());
    const auto off = reference_sums(decoder, pointers_of(trees), dpo_against(Reference::base), 20, Ranks::alone());
    ASSERT_EQ(start.size(), 7U);
    for (size_t i = 0; i < trees.size(); ++i) {
        const ReferenceSums with = plain_sums(decoder, trees[i]), without = plain_sums(base, trees[i]);
        EXPECT_NEAR(start[i].chosen, with.chosen, 1e-4);
        EXPECT_NEAR(start[i].rejected, with.rejected, 1e-4);
        EXPECT_NEAR(off[i].chosen, without.chosen, 1e-4);
        EXPECT_NEAR(off[i].rejected, without.rejected, 1e-4);
        EXPECT_GT(std::abs(with.chosen - without.chosen), 1e-2) << "the adapter matters";
    }
    EXPECT_THROW(
        reference_sums(decoder, pointers_of(counting_sequences(2)), dpo_against(Reference::start), 20, Ranks::alone()),
        Error);
}

// Of two that run beside each other.
class OneOfTwo : public Ranks {
public:
    struct Shared {
        std::vector<std::string> texts = std::vector<std::string>(2);
        std::barrier<> all_here{2};
    };
    OneOfTwo(int number, Shared& shared) : rank_(number), shared_(shared) {}
    int rank() const override { return rank_; }
    int size() const override { return 2; }
    std::vector<std::string> exchange(const std::string& text) override {
        shared_.texts[static_cast<size_t>(rank_)] = text;
        shared_.all_here.arrive_and_wait();
        return shared_.texts;
    }

private:
    int rank_;
    Shared& shared_;
};

TEST(ReferenceSums, AreTheSameBitsInTwoRanks) {
    const Decoder decoder = adapted_decoder();
    const auto trees = counting_pairs(9);
    const LossOptions loss = dpo_against(Reference::start);
    const auto alone = reference_sums(decoder, pointers_of(trees), loss, 30, Ranks::alone());
    OneOfTwo::Shared shared;
    std::vector<std::vector<ReferenceSums>> by_rank(2);
    std::vector<int64_t> done(2, 0);
    std::vector<std::thread> ranks;
    for (int rank = 0; rank < 2; ++rank)
        ranks.emplace_back([&, rank] {
            at::set_num_threads(1);
            OneOfTwo own(rank, shared);
            const auto place = static_cast<size_t>(rank);
            by_rank[place] =
                reference_sums(decoder, pointers_of(trees), loss, 30, own, [&](int64_t pairs) { done[place] += pairs; });
        });
    for (auto& rank : ranks) rank.join();
    for (size_t rank = 0; rank < 2; ++rank) {
        EXPECT_EQ(done[rank], 9);
        ASSERT_EQ(by_rank[rank].size(), alone.size());
        for (size_t i = 0; i < alone.size(); ++i) {
            EXPECT_EQ(by_rank[rank][i].chosen, alone[i].chosen) << i;
            EXPECT_EQ(by_rank[rank][i].rejected, alone[i].rejected) << i;
        }
    }
    EXPECT_NE(shared.texts[0], shared.texts[1]) << "each has computed its part";
    EXPECT_NE(shared.texts[0], "[]");
}

TEST(DpoTraining, TwoStepsFromItsStart) {
    const TemporaryFolder folder;
    const TrainOptions options = dpo_options(Reference::start);
    const auto pairs = counting_pairs(16);
    // At the start no margin is there: the loss is ln 2, and its gradient -beta / 2 of the mean gap's.
    Decoder at_start = adapted_decoder();
    at::Tensor gap = at::zeros({}, at::kDouble);
    for (const size_t i : batch_of_step(16, options, 0)) {
        const at::Tensor sums = sums_of_pair(at_start, pairs[i]);
        gap = gap + (sums[0] - sums[1]) / 8;
    }
    (-0.1 / 2 * gap).backward();
    double squares = 0;
    for (const auto& [name, leaf] : at_start.trainable())
        squares += leaf.grad().to(at::kDouble).square().sum().item<double>();

    // Then each pair's is how far its responses have moved apart.
    Decoder decoder = adapted_decoder();
    double second = 0;
    const auto after_first = [&](const StepMetrics& metrics) {
        if (metrics.step != 1) return;
        for (const size_t i : batch_of_step(16, options, 1)) {
            const ReferenceSums now = plain_sums(decoder, pairs[i]), before = plain_sums(at_start, pairs[i]);
            const double margin = 0.1 * ((now.chosen - before.chosen) - (now.rejected - before.rejected));
            second += std::log1p(std::exp(-margin)) / 8;
        }
    };
    two_steps(decoder, options, folder.path(), {.on_step = after_first});
    const auto rows = rows_of(folder.path() / "metrics.jsonl");
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_NEAR(rows[0]["loss"].get<double>(), std::log(2), 1e-6);
    EXPECT_NEAR(rows[0]["margin"].get<double>(), 0, 1e-5);
    EXPECT_NEAR(rows[0]["grad_norm"].get<double>(), std::sqrt(squares), 1e-4 * std::sqrt(squares));
    EXPECT_NEAR(rows[1]["loss"].get<double>(), second, 1e-5);
    EXPECT_LT(second, std::log(2) - 1e-4);
    const Json evaluation = rows_of(folder.path() / "eval.jsonl").at(0);
    EXPECT_NE(evaluation["loss"].get<double>(), std::log(2)) << "what is evaluated has its own reference";
}

TEST(DpoTraining, AgainstTheBaseATrainedAdapterStartsElsewhere) {
    const TemporaryFolder folder;
    const TrainOptions options = dpo_options(Reference::base);
    Decoder decoder = adapted_decoder();
    const Decoder base = tiny_decoder();
    const auto pairs = counting_pairs(16);
    double expected = 0;
    for (const size_t i : batch_of_step(16, options, 0)) {
        const ReferenceSums now = plain_sums(decoder, pairs[i]), without = plain_sums(base, pairs[i]);
        const double margin = 0.1 * ((now.chosen - without.chosen) - (now.rejected - without.rejected));
        expected += std::log1p(std::exp(-margin)) / 8;
    }
    two_steps(decoder, options, folder.path());
    EXPECT_NEAR(rows_of(folder.path() / "metrics.jsonl").at(0)["loss"].get<double>(), expected, 1e-5);
    EXPECT_GT(std::abs(expected - std::log(2)), 1e-3);
}

TEST(DpoTraining, OfAllWeightsTheBaseIsWhatItStartsFrom) {
    for (const Reference reference : {Reference::start, Reference::base}) {
        const TemporaryFolder folder;
        TrainOptions options = dpo_options(reference);
        options.full = true;
        Decoder decoder = tiny_decoder();
        make_trainable(decoder, options);
        train(decoder, counting_pairs(16), options, folder.path());
        const auto rows = rows_of(folder.path() / "metrics.jsonl");
        EXPECT_NEAR(rows.at(0)["loss"].get<double>(), std::log(2), 1e-6);
        EXPECT_GT(std::abs(rows.at(1)["loss"].get<double>() - std::log(2)), 1e-4) << "the reference does not move along";
    }
}

TEST(DpoTraining, KilledAfterEitherStepItEndsWithTheSameBytes) {
    for (const Reference reference : {Reference::start, Reference::base}) {
        const TemporaryFolder folder;
        TrainOptions options = dpo_options(reference);
        options.save_every = 1;
        Decoder whole = adapted_decoder();
        two_steps(whole, options, folder.path() / "whole");
        for (const int64_t step : {1, 2}) {
            const fs::path killed = folder.path() / ("killed-" + std::to_string(step));
            const auto kill = [&](const StepMetrics& metrics) {
                if (metrics.step == step) throw Killed();
            };
            Decoder first = adapted_decoder(), second = adapted_decoder();
            EXPECT_THROW(two_steps(first, options, killed, {.on_step = kill}), Killed);
            two_steps(second, options, killed);
            EXPECT_EQ(adapter_bytes(killed), adapter_bytes(folder.path() / "whole")) << step;
            for (const char* file : {"metrics.jsonl", "eval.jsonl"})
                EXPECT_EQ(rows_of(killed / file), rows_of(folder.path() / "whole" / file)) << step;
            EXPECT_EQ(file_bytes(killed / "reference.json"), file_bytes(folder.path() / "whole" / "reference.json"));
        }
    }
}

TEST(DpoTraining, AReferenceThatIsThereIsNotComputedAgain) {
    const TemporaryFolder folder;
    const TrainOptions options = dpo_options(Reference::start);
    const auto kill = [](const StepMetrics&) { throw Killed(); };
    Decoder first = adapted_decoder();
    EXPECT_THROW(two_steps(first, options, folder.path(), {.on_step = kill}), Killed);  // before a checkpoint
    const fs::path file = folder.path() / "reference.json";
    Json stored = read_json_file(file);
    ASSERT_EQ(stored["data"].size(), 32U);
    ASSERT_EQ(stored["eval_data"].size(), 6U);
    for (size_t i = 0; i < 32; i += 2) stored["data"][i] = stored["data"][i].get<double>() + 1;
    write_json_file(file, stored);
    // Each chosen response seems to have lost 1: a margin of -0.1, ln(1 + e^0.1) = 0.744397.
    Decoder second = adapted_decoder();
    two_steps(second, options, folder.path());
    EXPECT_NEAR(rows_of(folder.path() / "metrics.jsonl").at(0)["loss"].get<double>(), 0.7443966600735709, 1e-6);
}

TEST(DpoTraining, AReferenceOfAnotherRunIsRefused) {
    const TemporaryFolder folder;
    const auto kill = [](const StepMetrics&) { throw Killed(); };
    Decoder first = adapted_decoder();
    EXPECT_THROW(two_steps(first, dpo_options(Reference::start), folder.path(), {.on_step = kill}), Killed);
    Decoder other = adapted_decoder();
    for (const auto& [name, leaf] : other.trainable()) leaf.detach().mul_(1.5);
    EXPECT_THAT([&] { two_steps(other, dpo_options(Reference::start), folder.path()); },
                testing::ThrowsMessage<Error>(testing::HasSubstr("reference.json")));
    Decoder against_base = adapted_decoder();
    EXPECT_THROW(two_steps(against_base, dpo_options(Reference::base), folder.path()), Error);
}

}  // namespace
}  // namespace craft::test
