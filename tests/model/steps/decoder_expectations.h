// What transformers computed on small decoders (tests/parity/make_decoders.py), held against ours.
#pragma once

#include <gtest/gtest.h>
#include <torch/types.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "model/steps/steps.h"
#include "model/steps/torch_steps.h"
#include "model/weights/safetensors.h"

namespace craft::test {

// Both sides add some hundred float32 products in different orders; log-probabilities are of the order of 10.
inline constexpr double kTolerance = 1e-4;

inline std::vector<int64_t> row_of(const at::Tensor& table, int64_t row, int64_t count) {
    const int64_t* const values = table[row].const_data_ptr<int64_t>();
    return {values, values + count};
}

inline double worst_logprob(const Decoder& decoder, const at::Tensor& tokens, const at::Tensor& expected) {
    std::vector<TokenTree> trees;
    for (int64_t r = 0; r < tokens.size(0); ++r) {
        TokenTree tree{{},
                       {{row_of(tokens, r, tokens.size(1)), std::vector<uint8_t>(static_cast<size_t>(tokens.size(1)), 1)}}};
        tree.branches[0].counted[0] = 0;
        trees.push_back(tree);
    }
    const at::NoGradGuard guard;
    const at::Tensor got = target_logprobs(decoder, pack(trees, at::kCPU)).view(expected.sizes());
    return (got - expected).abs().max().item<double>();
}

inline std::vector<int64_t> greedy(Steps& steps, const std::vector<int64_t>& prompt, int64_t count, int64_t vocabulary) {
    const auto ready = steps.extend({{.tokens = prompt}});
    steps.begin_row(0, ready[0].history);
    std::vector<int64_t> tokens;
    at::Tensor logits = ready[0].logits;
    while (true) {
        EXPECT_EQ(logits.numel(), vocabulary);
        tokens.push_back(logits.argmax().item<int64_t>());
        if (static_cast<int64_t>(tokens.size()) == count) return tokens;
        logits = steps.step({0}, {tokens.back()});
    }
}

// Beside what transformers computed: both ways of generating where both apply.
inline void compare(const std::string& name, const Decoder& decoder, const SafetensorsFile& expected,
                    const std::string& adapted) {
    const at::Tensor tokens = expected.tensor("tokens"),
                     continued = expected.tensor(adapted.empty() ? "greedy" : "adapted_greedy");
    const double worst = worst_logprob(decoder, tokens, expected.tensor(adapted.empty() ? "logprobs" : adapted));
    std::printf("%-20s %-8s largest difference %.1e\n", name.c_str(), adapted.c_str(), worst);
    EXPECT_LT(worst, kTolerance) << name << " " << adapted;
    const int64_t prompt = expected.tensor("prompt").item<int64_t>(), count = continued.size(1);
    const StepSizes sizes{1, prompt + count};
    for (int64_t r = 0; r < tokens.size(0); ++r) {
        TorchSteps torch_steps(decoder, sizes);
        const int64_t vocabulary = decoder.config().vocab_size;
        EXPECT_EQ(greedy(torch_steps, row_of(tokens, r, prompt), count, vocabulary), row_of(continued, r, count))
            << name << adapted;
        EXPECT_EQ(greedy(*StepSource(decoder).open(sizes), row_of(tokens, r, prompt), count, vocabulary),
                  row_of(continued, r, count))
            << name << adapted;
    }
}

// An encoder-decoder's row: a source, a target and what follows the source.
inline void compare_answers(const std::string& name, const Decoder& decoder, const SafetensorsFile& expected,
                            const std::string& adapted) {
    const at::NoGradGuard guard;
    double worst = 0;
    std::vector<TokenTree> trees;
    std::vector<at::Tensor> all;
    for (int64_t i = 0; expected.has(std::to_string(i) + ".source"); ++i) {
        const auto tensor = [&](const std::string& key) { return expected.tensor(std::to_string(i) + "." + key); };
        const auto ids = [&](const std::string& key) {
            const at::Tensor found = tensor(key);
            return row_of(found.unsqueeze(0), 0, found.numel());
        };
        std::vector<int64_t> answer = ids("target");
        answer.insert(answer.begin(), decoder.config().start_token);
        std::vector<uint8_t> counted(answer.size(), 1);
        counted[0] = 0;
        trees.push_back({ids("source"), {{answer, counted}}});
        all.push_back(tensor(adapted.empty() ? "logprobs" : adapted));
        const std::vector<int64_t> continued = ids(adapted.empty() ? "greedy" : "adapted_greedy");
        const auto count = static_cast<int64_t>(continued.size());
        EXPECT_EQ(greedy(*StepSource(decoder).open({1, 1}), ids("source"), count, decoder.config().vocab_size), continued)
            << name << " " << adapted << " row " << i;
    }
    ASSERT_GE(trees.size(), 3u) << name;
    worst = (target_logprobs(decoder, pack(trees, at::kCPU)) - at::cat(all)).abs().max().item<double>();
    std::printf("%-20s %-8s largest difference %.1e\n", name.c_str(), adapted.c_str(), worst);
    EXPECT_LT(worst, kTolerance) << name << " " << adapted;
}

// A folder <name> that the script made: model, adapter of some, expected.safetensors.
inline void expect_as_transformers(const std::filesystem::path& folder) {
    const std::string name = folder.filename();
    try {
        Decoder decoder = Decoder::load(folder / "model", at::kFloat, at::kCPU);
        const SafetensorsFile expected(folder / "expected.safetensors");
        if (decoder.config().is_encoder_decoder()) {
            compare_answers(name, decoder, expected, "");
            if (!expected.has("0.adapted")) return;
            decoder.load_adapter(folder / "adapter", false);
            return compare_answers(name, decoder, expected, "adapted");
        }
        compare(name, decoder, expected, "");
        if (!expected.has("adapted")) return;
        decoder.load_adapter(folder / "adapter", false);
        compare(name, decoder, expected, "adapted");
    } catch (const std::exception& error) {
        ADD_FAILURE() << name << ": " << error.what();
    }
}

}  // namespace craft::test
