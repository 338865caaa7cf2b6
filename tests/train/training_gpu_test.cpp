// Training on the GPU: dropout, recomputation, the same bytes each time and after a crash, what is told of it.
#include <ATen/Context.h>

#include "../core/temporary_folder.h"
#include "../model/gpu.h"
#include "core/error.h"
#include "model/decoder/random_decoder.h"
#include "small_training.h"
#include "train/batch_loss.h"
#include "train/estimate.h"
#include "train/operations.h"

namespace craft::test {
namespace {

namespace fs = std::filesystem;

class TrainingGpu : public Gpu {
protected:
    // The tiny decoder with an adapter on all projections.
    Decoder adapted(at::ScalarType dtype, const at::Device& device, double dropout) const {
        if (!fs::exists(folder_.path() / "model")) tiny_decoder().save(folder_.path() / "model", at::kFloat);
        Decoder decoder = Decoder::load(folder_.path() / "model", dtype, device);
        TrainOptions options = small_options(LossName::craft);
        options.lora.dropout = dropout;
        make_trainable(decoder, options);
        for (const auto& [name, leaf] : decoder.trainable())  // B is zero in the beginning, and then A learns nothing
            if (name.ends_with("lora_B.weight")) leaf.detach().copy_(noise(leaf.sizes().vec(), 1).mul_(0.05));
        return decoder;
    }
    const TemporaryFolder folder_;
};

std::vector<const TokenTree*> pointers(const std::vector<TokenTree>& trees) {
    std::vector<const TokenTree*> all;
    for (const auto& tree : trees) all.push_back(&tree);
    return all;
}

// On the CPU.
std::vector<at::Tensor> taken_gradients(const Decoder& decoder) {
    std::vector<at::Tensor> gradients;
    for (const auto& [name, leaf] : decoder.trainable()) {
        gradients.push_back(leaf.grad().to(at::kCPU));
        leaf.mutable_grad() = at::Tensor();
    }
    return gradients;
}

TEST_F(TrainingGpu, AStepWithDropoutIsThatOfTheCpu) {
    const auto trees = counting_pairs(9);
    std::vector<double> losses;
    std::vector<std::vector<at::Tensor>> gradients;
    for (const at::Device device : {at::Device(at::kCPU), device()}) {
        const auto run = [&](Decoder decoder) {
            losses.push_back(run_batch(decoder, pointers(trees), default_loss_options(LossName::craft),
                                       {.micro_batch_tokens = 40, .dropout_seed = 3})
                                 .loss);
            return taken_gradients(decoder);
        };
        gradients.push_back(run(adapted(at::kFloat, device, 0.3)));
        if (device.is_cpu()) run(adapted(at::kFloat, device, 0));
    }
    EXPECT_GT(std::abs(losses[0] - losses[1]), 1e-3) << "dropout did nothing";
    EXPECT_NEAR(losses[2], losses[0], 1e-5 * std::abs(losses[0]));
    for (size_t i = 0; i < gradients[0].size(); ++i)
        EXPECT_LT((gradients[1][i] - gradients[0][i]).abs().max().item<double>(),
                  1e-3 * gradients[0][i].abs().max().item<double>())
            << i;
}

TEST_F(TrainingGpu, RecomputedLayersChangeNoBit) {
    const auto trees = counting_pairs(6);
    for (const at::ScalarType dtype : kGpuTypes) {
        Decoder decoder = adapted(dtype, device(), 0.3);
        std::vector<double> losses;
        std::vector<std::vector<at::Tensor>> gradients;
        for (int64_t layers = 0; layers <= decoder.config().layers; ++layers) {
            decoder.set_recomputed_layers(layers);
            losses.push_back(
                run_batch(decoder, pointers(trees), default_loss_options(LossName::craft), {.dropout_seed = 3}).loss);
            gradients.push_back(taken_gradients(decoder));
            EXPECT_EQ(losses.back(), losses.front()) << layers;
            for (size_t i = 0; i < gradients[0].size(); ++i)
                EXPECT_TRUE(at::equal(gradients.back()[i], gradients[0][i])) << layers << " layers, leaf " << i;
        }
    }
}

// Sequences of several of attention's blocks, whose gradients of queries come together from all of them.
TEST_F(TrainingGpu, TheSameStepGivesTheSameBytes) {
    DecoderConfig config = tiny_decoder().config();
    config.hidden_size = 128;
    config.head_dim = 64;
    config.max_positions = 2048;
    Rng rng(4, "long pairs");
    std::vector<TokenTree> trees;
    const auto tokens = [&](int64_t count) {
        std::vector<int64_t> row;
        for (int64_t i = 0; i < count; ++i) row.push_back(rng.between(3, 39));
        return row;
    };
    for (int64_t i = 0; i < 3; ++i) {
        TokenTree tree{tokens(300 + 100 * i), {}};
        for (const int64_t length : {500, 650})
            tree.branches.push_back({tokens(length), std::vector<uint8_t>(static_cast<size_t>(length), 1)});
        trees.push_back(tree);
    }
    for (const bool full : {false, true}) {
        Decoder decoder = random_decoder(config, at::kBFloat16, device());
        TrainOptions options = small_options(LossName::craft);
        options.full = full;
        options.lora.dropout = 0.1;
        make_trainable(decoder, options);
        std::vector<at::Tensor> first;
        for (int turn = 0; turn < 4; ++turn) {
            bool one_order = false;
            BatchRun run;
            run.dropout_seed = 5;
            run.before_last_backward = [&] { one_order = at::globalContext().deterministicAlgorithms(); };
            run_batch(decoder, pointers(trees), options.loss, run);
            EXPECT_EQ(one_order, device().is_cuda());
            EXPECT_FALSE(at::globalContext().deterministicAlgorithms()) << "after the step";
            const auto gradients = taken_gradients(decoder);
            if (turn == 0) first = gradients;
            for (size_t i = 0; i < first.size(); ++i)
                EXPECT_TRUE(at::equal(gradients[i], first[i]))
                    << "turn " << turn << ", leaf " << i << (full ? ", full" : "");
        }
    }
}

TEST_F(TrainingGpu, ResumedAfterACrashItEndsWithTheSameBytes) {
    struct Crash {};
    TrainOptions options = small_options(LossName::craft);
    options.lora.dropout = 0.1;
    options.average = 0.9;
    options.recompute_layers = 1;
    const auto live = [&](const fs::path& folder, int64_t crash) {
        Decoder decoder = adapted(at::kBFloat16, device(), options.lora.dropout);
        const TrainResult result = train(decoder, counting_pairs(20), options, folder,
                                         {.on_step =
                                              [&](const StepMetrics& metrics) {
                                                  EXPECT_GT(metrics.mfu, 0);
                                                  EXPECT_LT(metrics.mfu, 1);
                                                  if (metrics.step == crash) throw Crash();
                                              }},
                                         counting_pairs(4, 9));
        EXPECT_EQ(result.last_metrics.contains("peak_gpu_memory_bytes"), device().is_cuda());
        decoder.save_adapter(folder / "adapter");
    };
    live(folder_.path() / "whole", 0);
    for (const int64_t crash : {1, 3, 4}) {
        const fs::path killed = folder_.path() / ("killed-" + std::to_string(crash));
        EXPECT_THROW(live(killed, crash), Crash);
        live(killed, 0);
        for (const char* file : {"adapter/adapter_model.safetensors", "checkpoints/step-00000006.safetensors"})
            EXPECT_FALSE(file_bytes(killed / file).empty()) << file;
        EXPECT_EQ(file_bytes(killed / "adapter" / "adapter_model.safetensors"),
                  file_bytes(folder_.path() / "whole" / "adapter" / "adapter_model.safetensors"))
            << "crash after step " << crash;
        for (const char* file : {"metrics.jsonl", "eval.jsonl"})
            EXPECT_EQ(rows_of(killed / file), rows_of(folder_.path() / "whole" / file)) << file;
    }
}

TEST_F(TrainingGpu, AnEstimateMeasuresOnTheDevice) {
    const auto data = counting_pairs(12);
    TrainOptions options = small_options(LossName::craft);
    options.lora.dropout = 0.1;
    tiny_decoder().save(folder_.path() / "model", at::kBFloat16);
    const ProbedModel model{tiny_decoder().config(), {}, at::kBFloat16, device(), Quantization::none};
    const Estimate estimate = estimate_training(folder_.path() / "model", model, data, options, {.seconds = 3});
    EXPECT_EQ(estimate.steps, 4);  // 12 pairs in batches of 8, twice
    EXPECT_GT(estimate.seconds_per_step, 0);
    EXPECT_GT(estimate.batch_peak, random_decoder(model.config, model.dtype, device()).weight_bytes());
    EXPECT_GE(estimate.peak_memory, estimate.update_peak);
    EXPECT_THROW(estimate_training(folder_.path() / "model", model, data, options, {.memory = 1e-12}), Error)
        << "what is free there is not known";
}

TEST_F(TrainingGpu, TheProductRateIsThatOfTheDevice) {
    const double rate = product_rate(device(), at::kBFloat16);
    EXPECT_GT(rate, device().is_cuda() ? 1e12 : 1e8);
    EXPECT_LT(rate, 1e16);
}

}  // namespace
}  // namespace craft::test
