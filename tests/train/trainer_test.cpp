#include "train/trainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <map>
#include <set>

#include "../core/temporary_folder.h"
#include "core/error.h"
#include "core/signals.h"
#include "small_training.h"
#include "train/batches.h"
#include "train/checkpoint.h"

namespace craft::test {
namespace {

namespace fs = std::filesystem;

struct Crash {};

// One process's life: builds everything again, trains, and writes the adapter when it gets to the end.
TrainResult live(const fs::path& folder, const TrainOptions& options, const TrainCallbacks& callbacks = {},
                 const std::vector<TokenTree>& eval_data = {}) {
    Decoder decoder = tiny_decoder();
    make_trainable(decoder, options);
    const auto data = needs_pairs(options.loss.name) ? counting_pairs(20) : counting_sequences(20);
    TrainResult result = train(decoder, data, options, folder, callbacks, eval_data);
    if (options.full)
        decoder.save(folder / "model", at::kFloat);
    else
        decoder.save_adapter(folder / "adapter");
    return result;
}

std::string weights(const fs::path& folder) {
    return file_bytes(folder / "adapter" / "adapter_model.safetensors");
}

TEST(Training, EveryLossGoesDown) {
    for (const auto& [name, loss] : loss_names()) {
        const TemporaryFolder folder;
        TrainOptions options = small_options(loss);
        options.epochs = 8;
        options.lr = 1e-2;
        options.schedule = Schedule::constant;
        Decoder decoder = tiny_decoder();
        make_trainable(decoder, options);
        const auto data = needs_pairs(loss) ? counting_pairs(20) : counting_sequences(20);
        const TrainResult result = train(decoder, data, options, folder.path());
        const auto rows = rows_of(folder.path() / "metrics.jsonl");
        ASSERT_EQ(rows.size(), 24U);  // 20 examples in batches of 8: 8, 8, 4
        EXPECT_LT(rows.back()["loss"].get<double>(), 0.9 * rows.front()["loss"].get<double>()) << name;
        EXPECT_EQ(result.steps, 24);
        EXPECT_EQ(result.epochs, 8);
    }
}

TEST(Training, TheRunningMeanIsWhatIsScoredAndKept) {
    const TemporaryFolder folder;
    TrainOptions options = small_options(LossName::sft);
    options.average = 0.9;
    Decoder decoder = tiny_decoder();
    make_trainable(decoder, options);
    NamedTensors scored;
    const auto score = [&](int64_t epoch) {
        for (const auto& [name, leaf] : decoder.trainable()) scored.emplace_back(name, leaf.detach().clone());
        return static_cast<double>(epoch);
    };
    options.epochs = 1;
    train(decoder, counting_sequences(20), options, folder.path(), {.epoch_score = score});
    const auto checkpoint = CheckpointFolder(folder.path() / "checkpoints").newest();
    ASSERT_TRUE(checkpoint.has_value());
    const std::map<std::string, at::Tensor> saved(checkpoint->tensors.begin(), checkpoint->tensors.end());
    bool moved = false;
    for (const auto& [name, leaf] : decoder.trainable()) {
        EXPECT_TRUE(at::equal(leaf.detach(), saved.at("average/" + name))) << name;
        moved = moved || !at::equal(leaf.detach(), saved.at("weight/" + name));
    }
    EXPECT_TRUE(moved);
    for (const auto& [name, leaf] : scored) EXPECT_TRUE(at::equal(leaf, saved.at("average/" + name))) << name;
}

// After the first step the second moment is (1 - beta2) times the squared gradient.
TEST(Training, Beta2IsTheOptimisers) {
    const auto moments = [](double beta2) {
        const TemporaryFolder folder;
        TrainOptions options = small_options(LossName::sft);
        options.beta2 = beta2;
        options.batch_size = 20;
        options.epochs = 1;
        live(folder.path(), options);
        const auto checkpoint = CheckpointFolder(folder.path() / "checkpoints").newest();
        std::map<std::string, at::Tensor> saved;
        for (const auto& [name, tensor] : checkpoint.value().tensors)
            if (name.starts_with("moment2/")) saved[name] = tensor.clone();
        return saved;
    };
    const auto slow = moments(.999), fast = moments(.5);
    ASSERT_FALSE(slow.empty());
    for (const auto& [name, tensor] : slow) EXPECT_TRUE(at::allclose(fast.at(name), tensor * 500, 1e-3, 1e-12)) << name;
}

TEST(Training, EveryWeightTrainsWithFull) {
    const TemporaryFolder folder;
    TrainOptions options = small_options(LossName::sft);
    options.full = true;
    options.epochs = 4;
    live(folder.path(), options);
    const auto rows = rows_of(folder.path() / "metrics.jsonl");
    EXPECT_LT(rows.back()["loss"].get<double>(), 0.9 * rows.front()["loss"].get<double>());
    EXPECT_TRUE(fs::exists(folder.path() / "model" / "model.safetensors"));
}

TEST(Training, RowsHaveTheKeysOfTheContract) {
    const TemporaryFolder folder;
    TrainOptions options = small_options(LossName::craft);
    options.eval_every = 2;
    live(folder.path(), options, {}, counting_pairs(5, 9));
    const auto keys = [](const Json& row) {
        std::set<std::string> names;
        for (const auto& [key, value] : row.items()) names.insert(key);
        return names;
    };
    std::ifstream in(folder.path() / "metrics.jsonl");
    std::string line;
    std::getline(in, line);
    EXPECT_EQ(
        keys(Json::parse(line)),
        (std::set<std::string>{"step", "of_steps", "loss", "sft_loss", "preference_loss", "chosen_logp", "rejected_logp",
                               "margin", "accuracy", "entropy", "token_accuracy", "grad_norm", "lr", "tokens", "seconds",
                               "sequence_tokens", "tokens_per_second", "mfu", "peak_memory_bytes"}));
    const auto evaluations = rows_of(folder.path() / "eval.jsonl");
    ASSERT_EQ(evaluations.size(), 3U);  // after steps 2, 4 and 6, the last of them once
    EXPECT_EQ(evaluations[0]["step"], 2);
    EXPECT_EQ(evaluations[2]["step"], 6);
    EXPECT_EQ(evaluations[0].count("grad_norm"), 0U);
    EXPECT_NE(evaluations[0]["loss"], evaluations[2]["loss"]);

    const TemporaryFolder other;
    live(other.path() / "sft", small_options(LossName::sft));
    EXPECT_EQ(keys(rows_of(other.path() / "sft" / "metrics.jsonl")[0]),
              (std::set<std::string>{"step", "of_steps", "loss", "sft_loss", "entropy", "token_accuracy", "grad_norm", "lr",
                                     "tokens", "sequence_tokens"}));
}

TEST(Training, StepsTellTheNormsOfTheLossesParts) {
    const TemporaryFolder folder;
    TrainOptions options = small_options(LossName::craft);
    live(folder.path() / "without", options);
    options.part_norms_every = 2;
    live(folder.path() / "with", options);
    EXPECT_EQ(weights(folder.path() / "with"), weights(folder.path() / "without"));
    const auto rows = rows_of(folder.path() / "with" / "metrics.jsonl");
    ASSERT_EQ(rows.size(), 6U);
    for (size_t i = 0; i < rows.size(); ++i) {
        const bool told = i % 2 == 1;  // steps 2, 4 and 6
        EXPECT_EQ(rows[i].contains("preference_grad_norm"), told);
        EXPECT_EQ(rows[i].contains("likelihood_grad_norm"), told);
        if (!told) continue;
        const auto norm = [&, row = &rows[i]](const char* key) { return row->at(key).get<double>(); };
        const double sum = norm("preference_grad_norm") + norm("likelihood_grad_norm");
        const double difference = std::abs(norm("preference_grad_norm") - norm("likelihood_grad_norm"));
        EXPECT_LE(norm("grad_norm"), sum * (1 + 1e-6)) << "the triangle of whole and parts";
        EXPECT_GE(norm("grad_norm"), difference * (1 - 1e-6));
        EXPECT_GT(norm("likelihood_grad_norm"), 0);
    }
    options.loss = default_loss_options(LossName::simpo);
    EXPECT_THAT([&] { live(folder.path() / "one-part", options); },
                testing::ThrowsMessage<UsageError>(testing::HasSubstr("part_norms_every")));
}

TEST(Training, RowsTellHowMarginsAgreeWithRewards) {
    const TemporaryFolder folder;
    const TrainOptions options = small_options(LossName::simpo);
    Decoder decoder = tiny_decoder();
    make_trainable(decoder, options);
    auto data = counting_pairs(8);
    for (size_t i = 0; i < data.size(); ++i) data[i].reward_gap = static_cast<double>(i + 1);
    train(decoder, data, options, folder.path());
    for (const Json& row : rows_of(folder.path() / "metrics.jsonl")) {
        EXPECT_NEAR(row.at("reward_agreement").get<double>(), row.at("accuracy").get<double>(), 1e-12)
            << "each chosen response has the higher reward";
        EXPECT_LE(std::abs(row.at("reward_correlation").get<double>()), 1);
    }
}

TEST(Training, MicroBatchesChangeNoResult) {
    const TemporaryFolder folder;
    TrainOptions options = small_options(LossName::cpo_simpo);
    live(folder.path() / "whole", options);
    options.micro_batch_tokens = 25;
    live(folder.path() / "cut", options);
    const auto whole = rows_of(folder.path() / "whole" / "metrics.jsonl"),
               cut = rows_of(folder.path() / "cut" / "metrics.jsonl");
    for (size_t i = 0; i < whole.size(); ++i)
        for (const char* key : {"loss", "grad_norm", "margin"})
            EXPECT_NEAR(cut[i][key].get<double>(), whole[i][key].get<double>(),
                        1e-4 * std::abs(whole[i][key].get<double>()) + 1e-6)
                << "step " << i + 1 << " " << key;
}

TEST(Training, ResumedAfterACrashAtAnyStepItEndsWithTheSameBytes) {
    for (const auto loss : {LossName::sft, LossName::arpo_simpo, LossName::dpo}) {
        const TemporaryFolder folder;

        TrainOptions options = small_options(loss);
        options.lora.dropout = 0.1;
        options.eval_every = 1;
        const auto eval_data = needs_pairs(loss) ? counting_pairs(5, 9) : counting_sequences(5, 9);
        const auto score = [](int64_t epoch) { return 0.1 * static_cast<double>(epoch); };
        live(folder.path() / "whole", options, {.epoch_score = score}, eval_data);
        for (int64_t crash = 1; crash <= 6; ++crash) {
            const fs::path killed = folder.path() / ("killed-" + std::to_string(crash));
            const auto crash_there = [&](const StepMetrics& metrics) {
                if (metrics.step == crash) throw Crash();
            };
            EXPECT_THROW(live(killed, options, {.on_step = crash_there, .epoch_score = score}, eval_data), Crash);
            const TrainResult result = live(killed, options, {.epoch_score = score}, eval_data);
            EXPECT_EQ(weights(killed), weights(folder.path() / "whole")) << "crash after step " << crash;
            EXPECT_EQ(rows_of(killed / "metrics.jsonl"), rows_of(folder.path() / "whole" / "metrics.jsonl"));
            EXPECT_EQ(rows_of(killed / "eval.jsonl"), rows_of(folder.path() / "whole" / "eval.jsonl"));
            EXPECT_EQ(result.steps, 6);
            EXPECT_EQ(result.scores.size(), 2U);
        }
    }
}

TEST(Training, AFinishedFolderGivesItsResultWithoutTraining) {
    const TemporaryFolder folder;
    const TrainOptions options = small_options(LossName::sft);
    const TrainResult first = live(folder.path(), options);
    const std::string bytes = weights(folder.path());
    const TrainResult second = live(folder.path(), options, {.on_step = [](const StepMetrics&) { FAIL(); }});
    EXPECT_EQ(weights(folder.path()), bytes);
    EXPECT_EQ(second.steps, first.steps);
    EXPECT_EQ(second.tokens, first.tokens);
    EXPECT_EQ(second.last_metrics, first.last_metrics);
}

TEST(Training, CheckpointsOfAnotherRunAreRefused) {
    const TemporaryFolder folder;
    TrainOptions options = small_options(LossName::sft);
    live(folder.path(), options);
    options.lr *= 2;
    EXPECT_THAT([&] { live(folder.path(), options); },
                testing::ThrowsMessage<Error>(testing::HasSubstr("same data, options")));
}

TEST(Training, ADamagedCheckpointCostsStepsNotTheRun) {
    const TemporaryFolder folder;
    const TrainOptions options = small_options(LossName::sft);
    live(folder.path() / "whole", options);
    live(folder.path() / "hurt", options);
    fs::resize_file(folder.path() / "hurt" / "checkpoints" / "step-00000006.safetensors", 1000);
    live(folder.path() / "hurt", options);
    EXPECT_EQ(weights(folder.path() / "hurt"), weights(folder.path() / "whole"));
    EXPECT_EQ(rows_of(folder.path() / "hurt" / "metrics.jsonl"), rows_of(folder.path() / "whole" / "metrics.jsonl"));
}

TEST(Training, StopsWhenAnEpochGainsTooLittleAndKeepsTheBest) {
    const TemporaryFolder folder;
    TrainOptions options = small_options(LossName::sft);
    options.epochs = 9;
    options.keep = 1;
    options.schedule = Schedule::constant;
    options.min_epoch_gain = 0.01;
    const std::vector<double> scores = {0.5, 0.52, 0.515};  // +0.02 continues, -0.005 stops
    const auto score = [&](int64_t epoch) { return scores.at(static_cast<size_t>(epoch) - 1); };
    const TrainResult result = live(folder.path() / "stopped", options, {.epoch_score = score});
    EXPECT_TRUE(result.stopped_early);
    EXPECT_EQ(result.epochs, 3);
    EXPECT_EQ(result.best_epoch, 2);
    EXPECT_EQ(result.scores, scores);
    // The weights are those of a run that was scored the same and ended after its second epoch.
    const auto second_epoch_crash = [&](int64_t epoch) {
        if (epoch == 3) throw Crash();
        return score(epoch);
    };
    EXPECT_THROW(live(folder.path() / "second", options, {.epoch_score = second_epoch_crash}), Crash);
    Decoder decoder = tiny_decoder();
    make_trainable(decoder, options);
    const CheckpointFolder checkpoints(folder.path() / "second" / "checkpoints");
    const Checkpoint at_six = checkpoints.at_step(6);
    const Checkpoint best = CheckpointFolder(folder.path() / "stopped" / "checkpoints").at_step(6);
    for (size_t i = 0; i < at_six.tensors.size(); ++i)
        EXPECT_TRUE(at::equal(at_six.tensors[i].second, best.tensors[i].second));
    for (auto& [name, leaf] : decoder.trainable())
        for (const auto& [saved, tensor] : best.tensors)
            if (saved == "weight/" + name) leaf.detach().copy_(tensor);
    decoder.save_adapter(folder.path() / "expected");
    EXPECT_EQ(weights(folder.path() / "stopped"), file_bytes(folder.path() / "expected" / "adapter_model.safetensors"));
}

TEST(Training, GoesOnWhileNothingIsLearnedYet) {
    const TemporaryFolder folder;
    TrainOptions options = small_options(LossName::sft);
    options.epochs = 9;
    options.schedule = Schedule::constant;
    options.min_epoch_gain = 0.01;
    const std::vector<double> scores = {0, 0.002, 0.004, 0.3, 0.305};
    const TrainResult result = live(
        folder.path(), options, {.epoch_score = [&](int64_t epoch) { return scores.at(static_cast<size_t>(epoch) - 1); }});
    EXPECT_TRUE(result.stopped_early);
    EXPECT_EQ(result.scores, scores);
    EXPECT_EQ(result.best_epoch, 5);
}

TEST(Training, AnotherKindOfEndInTheCallbackIsSavedToo) {
    const TemporaryFolder folder;
    TrainOptions options = small_options(LossName::sft);
    options.save_every = 0;
    options.epochs = 1;
    live(folder.path() / "whole", options);
    // Stopped by a signal in the middle of the second step's end: steps 1 and 2 are saved.
    const auto stop = [](const StepMetrics& metrics) {
        if (metrics.step == 2) throw Stopped(SIGTERM);
    };
    EXPECT_THROW(live(folder.path() / "stopped", options, {.on_step = stop}), Stopped);
    EXPECT_EQ(CheckpointFolder(folder.path() / "stopped" / "checkpoints").newest()->state.step, 2);
    live(folder.path() / "stopped", options);
    EXPECT_EQ(weights(folder.path() / "stopped"), weights(folder.path() / "whole"));
}

TEST(Training, NotANumberStopsTheRunAndKeepsItsCheckpoints) {
    const TemporaryFolder folder;
    TrainOptions options = small_options(LossName::sft);
    Decoder decoder = tiny_decoder();
    make_trainable(decoder, options);
    const auto poison = [&](const StepMetrics& metrics) {
        // Step 5 is followed by no checkpoint: neither the second of two nor the end of an epoch.
        if (metrics.step == 5) decoder.trainable()[0].second.detach().fill_(std::nan(""));
    };
    EXPECT_THAT(
        [&] { train(decoder, counting_sequences(20), options, folder.path(), {.on_step = poison}); },
        testing::ThrowsMessage<Error>(testing::AllOf(testing::HasSubstr("training step 6"), testing::HasSubstr("finite"))));
    const Json batch = read_json_file(folder.path() / "bad_batch.jsonl");
    EXPECT_EQ(batch["id"], "step-6");
    EXPECT_EQ(batch["request"]["loss"], "sft");
    const std::vector<size_t> indices = batch_of_step(20, options, 5);
    ASSERT_EQ(batch["sequences"].size(), indices.size());
    EXPECT_EQ(batch["sequences"][0]["input_ids"].get<std::vector<int64_t>>(),
              counting_sequences(20)[indices[0]].branches[0].tokens);
    const Checkpoint last = *CheckpointFolder(folder.path() / "checkpoints").newest();
    for (const auto& [name, tensor] : last.tensors) EXPECT_TRUE(at::isfinite(tensor).all().item<bool>()) << name;
}

TEST(Training, TracesAFewSteps) {
    const TemporaryFolder folder;
    TrainOptions options = small_options(LossName::sft);
    options.profile = true;
    Decoder decoder = tiny_decoder();
    make_trainable(decoder, options);
    train(decoder, counting_sequences(20), options, folder.path());
    const Json trace = read_json_file(folder.path() / "trace.json");
    std::set<std::string> names;
    for (const Json& event : trace["traceEvents"])
        if (event.contains("name")) names.insert(event["name"].get<std::string>());
    EXPECT_GT(names.count("craft::product"), 0u);
    EXPECT_GT(names.count("craft::head_logprobs"), 0u);
}

TEST(Training, RefusesWhatItCannotTrain) {
    const TemporaryFolder folder;
    TrainOptions options = small_options(LossName::sft);
    Decoder frozen = tiny_decoder();
    EXPECT_THROW(train(frozen, counting_sequences(3), options, folder.path()), Error);
    make_trainable(frozen, options);
    EXPECT_THROW(train(frozen, {}, options, folder.path()), Error);
    options.batch_size = 0;
    options.loss.beta = -1;
    try {
        train(frozen, counting_sequences(3), options, folder.path());
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_EQ(error.problems().size(), 2U);
    }
}

}  // namespace
}  // namespace craft::test
