// How the cost of a training step (log-probabilities of a batch of trees and their gradients by a LoRA adapter of rank 16 on
// q, k, v and o) grows with the prompt's length, the number of branches and the vocabulary: 1,000 tokens a second that are
// computed, 1,000 a second that separate rows would have, and milliseconds. Random weights. ninja -C build/cuda bench_growth
// && build/cuda/bench_growth DEVICE=cuda SHAPE=8b   four layers of Llama-3.1-8B's shape, bfloat16 build/release/bench_growth
// cpu small                                               four layers of width 256, float32
#include <torch/autograd.h>
#include <torch/types.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "core/rng.h"
#include "model/decoder.h"

namespace {

using namespace craft;
namespace fs = std::filesystem;

struct Workload {
    int64_t prompt, branches, response, vocabulary;
};

struct Bench {
    at::Device device;
    bool large;

    DecoderConfig config(int64_t vocabulary) const {
        DecoderConfig c;
        c.vocab_size = vocabulary;
        c.hidden_size = large ? 4096 : 256;
        c.intermediate_size = large ? 14336 : 704;
        c.layers = 4;
        c.heads = large ? 32 : 4;
        c.kv_heads = large ? 8 : 2;
        c.head_dim = large ? 128 : 64;
        c.rope_theta = 500000;
        c.max_positions = 32768;
        c.tied_embeddings = false;
        return c;
    }

    // Made on the CPU, as a folder, and loaded where it shall work.
    Decoder decoder(int64_t vocabulary) const {
        const fs::path folder = fs::temp_directory_path() / ("craft-growth-" + std::to_string(::getpid()));
        const at::ScalarType dtype = large ? at::kBFloat16 : at::kFloat;
        Rng rng(1, "growth");
        Decoder::initialise(config(vocabulary), rng).save(folder, dtype);
        Decoder loaded = Decoder::load(folder, dtype, device);
        fs::remove_all(folder);
        loaded.add_adapter(LoraOptions{}, rng);
        return loaded;
    }

    // Milliseconds, the best of three steps behind one to warm up; a number read from the device ends a step.
    static double step(Decoder& decoder, const PackedBatch& batch) {
        double best = 1e30;
        for (int turn = 0; turn < 4; ++turn) {
            const auto begin = std::chrono::steady_clock::now();
            target_logprobs(decoder, batch).sum().backward();
            double norm = 0;
            for (auto [name, leaf] : decoder.trainable()) {
                norm += leaf.grad().norm().item<double>();
                leaf.mutable_grad() = at::Tensor();
            }
            if (!(norm >= 0)) std::abort();
            const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
            if (turn > 0) best = std::min(best, 1000 * seconds.count());
        }
        return best;
    }

    void row(Decoder& decoder, const Workload& w, const char* what) const {
        Rng rng(2, "tokens");
        const auto tokens = [&](int64_t count) {
            std::vector<int64_t> ids(static_cast<size_t>(count));
            for (int64_t& id : ids) id = rng.between(0, w.vocabulary - 1);
            return ids;
        };
        TokenTree tree{tokens(w.prompt), {}};
        for (int64_t i = 0; i < w.branches; ++i)
            tree.branches.push_back({tokens(w.response), std::vector<uint8_t>(static_cast<size_t>(w.response), 1)});
        const double milliseconds = step(decoder, pack({tree}, device));
        std::printf("| %s | %ld | %ld | %ld | %.1f | %.1f | %.1f |\n", what, w.prompt, w.branches, w.vocabulary,
                    static_cast<double>(tree.size()) / milliseconds,
                    static_cast<double>(w.branches * (w.prompt + w.response)) / milliseconds, milliseconds);
        std::fflush(stdout);
    }
};

}  // namespace

int main(int count, char** values) {
    const std::string device = count > 1 ? values[1] : "cuda", shape = count > 2 ? values[2] : "8b";
    if ((shape != "8b" && shape != "small") || (device != "cpu" && device != "cuda")) {
        std::fprintf(stderr, "bench_growth: expected cuda or cpu, then 8b or small\n");
        return 2;
    }
    if (device == "cuda" && (!at::hasCUDA() || at::getNumGPUs() == 0)) {
        std::fprintf(stderr, "bench_growth: no GPU works here (or a build without CUDA)\n");
        return 1;
    }
    const Bench bench{at::Device(device), shape == "8b"};
    const int64_t usual = bench.large ? 128256 : 32000, response = bench.large ? 256 : 64, unit = bench.large ? 4 : 1;
    std::printf(
        "| grows | prompt | branches | vocabulary | computed, k/s | of separate rows, k/s | ms "
        "|\n|---|---|---|---|---|---|---|\n");
    {
        Decoder decoder = bench.decoder(usual);
        for (int64_t prompt = 64 * unit; prompt <= 2048 * unit; prompt *= 2)
            bench.row(decoder, {prompt, 2, response, usual}, "prompt");
        for (const int64_t branches : {2, 4, 6, 8}) bench.row(decoder, {512 * unit, branches, response, usual}, "branches");
    }
    for (int64_t vocabulary = usual / 4; vocabulary <= 2 * usual; vocabulary *= 2) {
        Decoder decoder = bench.decoder(vocabulary);
        bench.row(decoder, {512 * unit, 2, response, vocabulary}, "vocabulary");
    }
    return 0;
}
