// Whether gradients travel beside the backward pass: steps of one rank of several, without reduction, with sums that start
// within the pass, and with sums that start after it, in turns. benchmarks/overlap.sh starts the ranks.
// bench_overlap [width=512] [layers=4] [turns=7]
#include <ATen/Parallel.h>
#include <torch/autograd.h>
#include <torch/types.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "model/decoder/decoder.h"
#include "train/gradient_reducer.h"
#include "train/parallel/process_group.h"

namespace craft {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

enum class Mode { none, beside, behind };

struct Times {
    std::vector<double> step, wait;  // wait: after the pass, until sums are whole
};

void step(const Decoder& decoder, const PackedBatch& batch, GradientReducer& reducer, Mode mode, Times& times) {
    const auto begin = Clock::now();
    reducer.begin();
    const at::Tensor loss = target_logprobs(decoder, batch).sum();
    if (mode == Mode::beside) reducer.watch_backward();
    loss.backward();
    const auto end_of_pass = Clock::now();
    if (mode == Mode::behind)  // what a step of several micro-batches does with all but the last
        for (size_t i = 0; i < decoder.trainable().size(); ++i)
            reducer.buffers()[i].add_(decoder.trainable()[i].second.grad());
    if (mode != Mode::none) reducer.finish();
    for (auto [name, leaf] : decoder.trainable()) leaf.mutable_grad() = at::Tensor();
    times.wait.push_back(since(end_of_pass));
    times.step.push_back(since(begin));
}

}  // namespace
}  // namespace craft

int main(int count, char** values) {
    using namespace craft;
    const auto value = [&](int i, int64_t otherwise) { return count > i ? std::atoll(values[i]) : otherwise; };
    const auto launch = launch_here();
    if (!launch) return std::fprintf(stderr, "bench_overlap: expected a launcher's variables (benchmarks/overlap.sh)\n"), 2;
    at::set_num_threads(1);
    ProcessGroup group(*launch, {});
    group.connect(at::kCPU);
    DecoderConfig config;
    config.vocab_size = 4000;
    config.hidden_size = value(1, 512);
    config.intermediate_size = config.hidden_size * 11 / 4;
    config.layers = value(2, 4);
    config.head_dim = 64;
    config.heads = config.hidden_size / 64;
    config.kv_heads = std::max<int64_t>(1, config.heads / 2);
    Rng rng(1, "overlap");
    Decoder decoder = Decoder::initialise(config, rng);
    decoder.train_all_weights();
    std::vector<at::Tensor> leaves;
    int64_t bytes = 0;
    for (const auto& [name, leaf] : decoder.trainable()) {
        leaves.push_back(leaf);
        bytes += static_cast<int64_t>(leaf.nbytes());
    }
    GradientReducer reducer(group, leaves);
    MaskedTokens row;
    for (int64_t i = 0; i < 512; ++i) row.tokens.push_back(rng.between(0, config.vocab_size - 1));
    row.counted.assign(row.tokens.size(), 1);
    row.counted[0] = 0;
    const PackedBatch batch = pack({{{}, {row}}}, at::kCPU);
    Times none, beside, behind;
    for (int64_t turn = 0; turn <= value(3, 7); ++turn) {
        if (turn == 1) none = beside = behind = {};  // the first is not counted
        step(decoder, batch, reducer, Mode::none, none);
        group.sum(at::zeros({1}));  // all begin together
        step(decoder, batch, reducer, Mode::beside, beside);
        group.sum(at::zeros({1}));
        step(decoder, batch, reducer, Mode::behind, behind);
        group.sum(at::zeros({1}));
    }
    if (group.is_first())
        std::printf(
            "%d ranks of one thread, %.0f MB of gradients, medians of %zu steps: without sums %.3f s; beside the pass "
            "%.3f s (of them %.3f s behind it); behind the pass %.3f s (%.3f s)\n",
            group.size(), static_cast<double>(bytes) / 1e6, none.step.size(), median(none.step), median(beside.step),
            median(beside.wait), median(behind.step), median(behind.wait));
    group.leave();
    return 0;
}
