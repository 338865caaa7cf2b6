// A model folder that babbles: whatever it is asked, it answers with one of a few texts.
#pragma once

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/rng.h"
#include "model/decoder/decoder.h"
#include "model/tokenizer/train_tokenizer.h"
#include "tests/model/tiny_config.h"

namespace craft::test {

// Tokenizer and decoder; each of `responses` is one token. Every hidden state is nearly the same, so that after any prompt
// these tokens and the end come up with chances of the same order, and nothing else does; the last one is likeliest. After
// one of them the end is likeliest: an answer that continues for ever would be cut, and none.
inline void make_babbling_model(const std::filesystem::path& folder, const std::vector<std::string>& lines,
                                const std::vector<std::string>& responses) {
    at::set_num_threads(1);
    train_tokenizer([&, at = size_t{0}]() mutable { return at < lines.size() ? std::optional(lines[at++]) : std::nullopt; },
                    {.vocabulary_size = 500, .model = TokenizerModel::bpe, .symbols = responses}, folder);
    const auto tokenizer = open_tokenizer(folder);
    DecoderConfig config = tiny_config(tokenizer->vocabulary_size(), 8192);
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
    head[said.back()].add_(0.02);
    at::Tensor ends = embedding.new_ones({config.hidden_size});
    ends.slice(0, 0, config.hidden_size, 2).fill_(-1);
    for (size_t i = 1; i < said.size(); ++i) embedding[said[i]].add_(ends);  // which is at right angles to all others
    head[said[0]].add_(ends, 0.1);
    decoder.save(folder, at::kFloat);
}

}  // namespace craft::test
