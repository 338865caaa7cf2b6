// Model folders with random weights, for tests that need a model and not what it knows.
#pragma once

#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "core/files.h"
#include "core/json.h"
#include "core/rng.h"
#include "model/decoder/decoder.h"
#include "model/tokenizer/tokenizer.h"
#include "model/tokenizer/train_tokenizer.h"
#include "tests/core/temporary_folder.h"
#include "tests/source.h"

namespace craft::test {

struct ModelSizes {
    int64_t hidden = 64, intermediate = 128, layers = 2, head = 16;
    int64_t vocabulary = 500;
};
// Where work has to take a while, or memory that shows: 3.5 million weights.
inline constexpr ModelSizes kSmallModel = {256, 704, 4, 32, 2000};

// Writes a Llama in bfloat16 with a sentencepiece tokenizer, ChatML and a note of the compact prompt; the same bytes each
// time.
inline void make_random_model(const std::filesystem::path& folder, const ModelSizes& sizes = {}) {
    const int threads = at::get_num_threads();
    at::set_num_threads(1);  // a process that a test forks has no others
    std::vector<std::string> lines;
    JsonLinesReader texts((std::filesystem::path(test_source()) / "share/texts/dev.jsonl").string());
    while (const auto row = texts.next()) lines.push_back(string_field(*row, "text", texts.where()));
    train_tokenizer([&, at = size_t{0}]() mutable { return at < lines.size() ? std::optional(lines[at++]) : std::nullopt; },
                    {.vocabulary_size = sizes.vocabulary}, folder);
    const auto tokenizer = open_tokenizer(folder);
    DecoderConfig config;
    config.vocab_size = sizes.vocabulary;
    config.hidden_size = sizes.hidden;
    config.intermediate_size = sizes.intermediate;
    config.layers = sizes.layers;
    config.heads = sizes.hidden / sizes.head;
    config.kv_heads = config.heads / 2;
    config.head_dim = sizes.head;
    config.max_positions = 8192;
    config.tied_embeddings = true;
    config.pad_token = tokenizer->id_of("<pad>");
    config.end_tokens = {tokenizer->end_token()};
    Rng rng(1, "random model");
    const Decoder decoder = Decoder::initialise(config, rng);
    // From 0.02 to so large that an answer depends on all that was asked, and that some answers are likelier than others.
    const double factor = 1.3 / std::sqrt(static_cast<double>(sizes.hidden)) / 0.02;
    at::Tensor embedding = decoder.embedding();
    embedding.mul_(factor);
    for (const DecoderLayer& layer : decoder.layer_weights())
        for (at::Tensor weight : {layer.qkv.weight, layer.o.weight, layer.gate_up.weight, layer.down.weight})
            weight.mul_(factor);
    decoder.save(folder, at::kBFloat16);
    write_json_file(folder / "planner.json", {{"prompt", "compact"}});
    at::set_num_threads(threads);
}

// A tiny one, made when it is first asked for and removed when the program ends.
inline const std::string& tiny_model() {
    static const TemporaryFolder folder;
    static const std::string path = (make_random_model(folder.path()), folder.path().string());
    return path;
}

}  // namespace craft::test
