// How the cost of training grows: tokens a second of one forward and backward pass with a LoRA adapter, against the prompt's
// length, the number of branches and the vocabulary. benchmarks/growth.sh builds and runs it.
// bench_growth [device=cpu] [dtype=float32] [threads=2] [width=256] [layers=4] [turns=3]
#include <ATen/Parallel.h>
#include <sys/resource.h>
#include <torch/types.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "model/decoder/decoder.h"
#include "model/decoder/random_decoder.h"

namespace craft {
namespace {

constexpr int64_t kBranch = 64;  // tokens of each

struct Settings {
    at::Device device = at::kCPU;
    at::ScalarType dtype = at::kFloat;
    int64_t width = 256, layers = 4, turns = 3;
};

struct Cost {
    double seconds = 1e30, processor_seconds = 1e30;  // the least of all turns
};

double processor_seconds() {
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

Decoder decoder_of(const Settings& s, int64_t vocabulary) {
    DecoderConfig config;
    config.vocab_size = vocabulary;
    config.hidden_size = s.width;
    config.intermediate_size = s.width * 11 / 4;
    config.layers = s.layers;
    config.head_dim = 64;
    config.heads = s.width / 64;
    config.kv_heads = std::max<int64_t>(1, config.heads / 2);
    config.max_positions = 16384;
    Decoder decoder = random_decoder(config, s.dtype, s.device);
    Rng rng(1, "growth");
    decoder.add_adapter({}, rng);
    return decoder;
}

TokenTree tree_of(int64_t prompt, int64_t branches, int64_t vocabulary) {
    Rng rng(2, "growth");
    TokenTree tree;
    for (int64_t i = 0; i < prompt; ++i) tree.prefix.push_back(rng.between(0, vocabulary - 1));
    for (int64_t b = 0; b < branches; ++b) {
        MaskedTokens branch;
        for (int64_t i = 0; i < kBranch; ++i) branch.tokens.push_back(rng.between(0, vocabulary - 1));
        branch.counted.assign(branch.tokens.size(), 1);
        tree.branches.push_back(std::move(branch));
    }
    return tree;
}

// One tree, forward and backward; the first turn is not counted.
Cost cost_of(const Decoder& decoder, const TokenTree& tree, const Settings& s) {
    Cost cost;
    for (int64_t turn = 0; turn <= s.turns; ++turn) {
        const auto begin = std::chrono::steady_clock::now();
        const double used = processor_seconds();
        target_logprobs(decoder, pack({tree}, s.device)).sum().backward();
        // A number that waits for the device.
        decoder.trainable().front().second.grad().sum().item<double>();
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        if (turn == 0) continue;
        cost.seconds = std::min(cost.seconds, seconds);
        cost.processor_seconds = std::min(cost.processor_seconds, processor_seconds() - used);
    }
    return cost;
}

// Tokens that are computed, and those of separate rows, which repeat the prompt. Beside other work a processor's seconds say
// more than the clock's; on a GPU they say nothing.
void print_row(int64_t value, const Decoder& decoder, const TokenTree& tree, const Settings& s) {
    const Cost cost = cost_of(decoder, tree, s);
    const auto branches = static_cast<int64_t>(tree.branches.size());
    const auto rows = static_cast<double>(branches * (static_cast<int64_t>(tree.prefix.size()) + kBranch));
    const auto tokens = static_cast<double>(tree.size());
    std::printf("| %ld | %ld | %.3f | %.0f, %.0f | %.3f | %.0f, %.0f |\n", value, tree.size(), cost.seconds,
                tokens / cost.seconds, rows / cost.seconds, cost.processor_seconds, tokens / cost.processor_seconds,
                rows / cost.processor_seconds);
    std::fflush(stdout);
}

void print_head(const char* value) {
    std::printf(
        "\n| %s | tokens | seconds | tokens/s, as separate rows | processor seconds | tokens a processor second, as "
        "separate rows |\n|---|---|---|---|---|---|\n",
        value);
}

void run(const Settings& s) {
    constexpr int64_t kVocabulary = 32000;
    const Decoder decoder = decoder_of(s, kVocabulary);
    print_head("prompt (2 branches)");
    for (int64_t prompt = 256; prompt <= 8192; prompt *= 2) print_row(prompt, decoder, tree_of(prompt, 2, kVocabulary), s);
    print_head("branches (prompt 1024)");
    for (const int64_t branches : {2, 3, 4, 6, 8}) print_row(branches, decoder, tree_of(1024, branches, kVocabulary), s);
    print_head("vocabulary (prompt 512, 2 branches)");
    for (const int64_t vocabulary : {32000, 64000, 128000, 256000})
        print_row(vocabulary, decoder_of(s, vocabulary), tree_of(512, 2, vocabulary), s);
}

}  // namespace
}  // namespace craft

int main(int count, char** values) {
    const auto value = [&](int i, const char* otherwise) { return std::string(count > i ? values[i] : otherwise); };
    craft::Settings settings;
    settings.device = at::Device(value(1, "cpu"));
    settings.dtype = value(2, "float32") == "bfloat16" ? at::kBFloat16 : at::kFloat;
    at::set_num_threads(std::atoi(value(3, "2").c_str()));
    settings.width = std::atoll(value(4, "256").c_str());
    settings.layers = std::atoll(value(5, "4").c_str());
    settings.turns = std::atoll(value(6, "3").c_str());
    std::printf(
        "%s, %s, %d threads, %ld layers of width %ld, LoRA of rank 16 on q, k, v, o, branches of %ld tokens, the best "
        "of %ld\n",
        settings.device.str().c_str(), c10::toString(settings.dtype), at::get_num_threads(), settings.layers, settings.width,
        craft::kBranch, settings.turns);
    craft::run(settings);
    return 0;
}
