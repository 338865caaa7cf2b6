// What the tests of align/ share: a model folder whose planner babbles tool calls, and instructions for it.
#pragma once

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <torch/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "align/align.h"
#include "align/round.h"
#include "constraints/source_texts.h"
#include "tokenizer/train_tokenizer.h"

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
    auto texts = read_source_texts(
        (std::filesystem::path(CRAFT_TEST_SOURCE) / "share" / "texts" / (name + ".jsonl")).string(), "", {});
    texts.resize(count);
    return texts;
}

// A folder with tokenizer and decoder. Every hidden state is nearly the same, so that after any prompt the responses of
// `responses` and the end token come up with chances of the same order, and nothing else does.
inline void make_tiny_planner(const std::filesystem::path& folder, const std::vector<std::string>& responses = babble()) {
    at::set_num_threads(1);
    std::vector<std::string> lines;
    for (const auto& text : some_texts("train", 60)) lines.push_back(text.text);
    train_tokenizer([&, at = size_t{0}]() mutable { return at < lines.size() ? std::optional(lines[at++]) : std::nullopt; },
                    {.vocabulary_size = 500, .model = TokenizerModel::bpe, .symbols = responses}, folder);
    const auto tokenizer = open_tokenizer(folder);
    DecoderConfig config;
    config.vocab_size = tokenizer->vocabulary_size();
    config.hidden_size = 32;
    config.intermediate_size = 48;
    config.layers = 2;
    config.heads = 4;
    config.kv_heads = 2;
    config.head_dim = 8;
    config.max_positions = 8192;
    config.tied_embeddings = false;
    config.pad_token = 3;
    config.end_tokens = {tokenizer->end_token()};
    Rng rng(1, "tiny planner");
    const Decoder decoder = Decoder::initialise(config, rng);
    const at::NoGradGuard no_grad;
    at::Tensor embedding = decoder.embedding(), head = decoder.head();
    embedding.add_(1);
    std::vector<int64_t> said = {tokenizer->end_token()};
    for (const std::string& response : responses) said.push_back(tokenizer->encode(response, false).at(0));
    for (const int64_t token : said) head[token].add_(0.5);  // logits of 16 give or take 0.1, against 0
    head[said.back()].add_(0.02);  // the unusable call is likeliest, so that there is something to learn
    decoder.save(folder, at::kFloat);
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
