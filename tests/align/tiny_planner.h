// What the tests of align/ share: a model folder whose planner babbles tool calls, and instructions for it.
#pragma once

#include <torch/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "align/align.h"
#include "align/instruction_sets.h"
#include "align/round_training.h"
#include "data/constraints/source_texts.h"
#include "tests/model/babbling_model.h"
#include "tests/source.h"

namespace craft::test {

// Each is a whole response in one token: so right, wrong and unusable calls come up in a few tokens.
inline const std::vector<std::string>& babble() {
    static const std::vector<std::string> responses = {
        "###TOOLS: text_eval()", "###TOOLS: word_count_check(100, \"less than\")",
        "###TOOLS: sentence_count_check(6, \"more than\")", "###TOOLS: sentence_length_check(30, \"less than\")",
        "###TOOLS: word_count(9)"};
    return responses;
}

inline std::vector<SourceText> some_texts(const std::string& name, size_t count) {
    auto texts =
        read_source_texts((std::filesystem::path(test_source()) / "share" / "texts" / (name + ".jsonl")).string(), "", {});
    texts.resize(count);
    return texts;
}

// The likeliest response is an unusable call, so that there is something to learn.
inline void make_tiny_planner(const std::filesystem::path& folder, const std::vector<std::string>& responses = babble()) {
    std::vector<std::string> lines;
    for (const auto& text : some_texts("train", 60)) lines.push_back(text.text);
    make_babbling_model(folder, lines, responses);
}

inline EnvironmentOptions environment_options(const std::string& prompt = "compact",
                                              const std::vector<std::string>& scorers = {"perplexity"}) {
    EnvironmentOptions options;
    options.prompt = prompt;
    options.scorers = scorers;
    return options;
}

// Around this planner, whose base measures perplexity.
inline RevisionEnvironment environment_of(const Planner& planner,
                                          const EnvironmentOptions& options = environment_options()) {
    return {options, LanguageModel{planner.base, planner.tokenizer}, at::kFloat, at::kCPU};
}

inline std::vector<Instruction> some_instructions(RevisionEnvironment& environment, const std::string& name, int64_t count) {
    std::vector<Instruction> out;
    generate_instructions(
        some_texts(name, 20), [&](const std::string& text, Rng& rng) { return environment.free_revision(text, rng); },
        environment.wordings(), {.domains = {1, 2}, .count = count, .seed = 4},
        [&](Instruction&& made, const std::string&) { out.push_back(std::move(made)); });
    return out;
}

// Small in everything; a round takes a second.
inline AlignOptions tiny_options() {
    AlignOptions options;
    options.rounds = 2;
    options.generator.count = 12;
    options.generator.domains = {1, 2};
    options.samples = 6;
    options.history_steps = 2;
    options.epsilon = 0;
    options.sampling = {.max_new_tokens = 6, .temperature = 1};
    options.test = 0;
    options.pairs.min_gap = 1;
    options.train.loss = default_loss_options(LossName::craft);
    options.train.lr = 5e-2;
    options.train.batch_size = 2;
    options.train.save_every = 1;
    options.train.lora.rank = 4;
    options.train.lora.alpha = 8;
    options.train.lora.targets = {"all-linear"};
    options.seed = 3;
    return options;
}

}  // namespace craft::test
