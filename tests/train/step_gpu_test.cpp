// One training step on the GPU beside the same one on the CPU.
#include "../model/gpu.h"
#include "small_training.h"
#include "train/batch_loss.h"
#include "train/optimizer.h"

namespace craft::test {
namespace {

using TrainingStepGpu = Gpu;

TEST_F(TrainingStepGpu, IsThatOfTheCpu) {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("craft-step-gpu-" + std::to_string(::getpid()));
    tiny_decoder().save(folder, at::kFloat);
    const auto trees = counting_pairs(6);
    std::vector<const TokenTree*> examples;
    for (const auto& tree : trees) examples.push_back(&tree);
    for (const LossName loss : {LossName::simpo, LossName::craft}) {
        std::vector<double> losses;
        std::vector<std::vector<at::Tensor>> weights;
        for (const at::Device device : {at::Device(at::kCPU), device()}) {
            Decoder decoder = Decoder::load(folder, at::kFloat, device);
            make_trainable(decoder, small_options(loss));
            AdamW optimizer(decoder.trainable(), AdamWOptions{});
            BatchRun run;
            run.micro_batch_tokens = 40;
            run.after_micro_batch = [&] { optimizer.collect_gradients(); };
            losses.push_back(run_batch(decoder, examples, default_loss_options(loss), run).loss);
            optimizer.step(5e-3);
            weights.emplace_back();
            for (const auto& [name, leaf] : decoder.trainable()) weights.back().push_back(leaf.detach().to(at::kCPU));
        }
        EXPECT_NEAR(losses[1], losses[0], 1e-5 * std::abs(losses[0]));
        // The first step is the rate times the gradient's sign: a gradient of nearly nothing may go either way.
        for (size_t i = 0; i < weights[0].size(); ++i) {
            const at::Tensor differ = (weights[0][i] - weights[1][i]).abs() > 1e-4;
            EXPECT_LT(differ.to(at::kDouble).mean().item<double>(), 0.01) << i;
        }
    }
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace craft::test
