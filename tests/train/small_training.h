// A tiny decoder and learnable examples, for the tests of train/. One thread, unless a test sets more: on a busy machine
// threads of tiny operations wait for each other.
#pragma once

#include <ATen/Parallel.h>
#include <torch/types.h>

#include <fstream>
#include <sstream>
#include <string>

#include "core/json.h"
#include "core/rng.h"
#include "tests/model/tiny_config.h"
#include "train/trainer.h"

namespace craft::test {

inline Decoder tiny_decoder(uint64_t seed = 7, int threads = 1) {
    at::set_num_threads(threads);
    DecoderConfig config = tiny_config(40, 128);
    config.end_tokens = {2};
    Rng rng(seed, "tiny decoder");
    Decoder decoder = Decoder::initialise(config, rng);
    decoder.embedding().mul_(20);  // with an adapter the head stays as it is: logits must reach beyond 0.1
    return decoder;
}

// Sequences that count up by a step told in the second token: [start, step, start + step, ...], loss on all but these two.
inline std::vector<TokenTree> counting_sequences(int64_t count, uint64_t seed = 1) {
    std::vector<TokenTree> trees;
    Rng rng(seed, "counting");
    for (int64_t i = 0; i < count; ++i) {
        const int64_t start = rng.between(3, 20), step = rng.between(1, 3), length = rng.between(3, 9);
        MaskedTokens row{{start, 30 + step}, {0, 0}};
        for (int64_t j = 1; j <= length; ++j) {
            row.tokens.push_back(3 + (start + j * step) % 27);
            row.counted.push_back(1);
        }
        trees.push_back({{}, {row}});
    }
    return trees;
}

// Pairs whose chosen side counts up and whose rejected side repeats.
inline std::vector<TokenTree> counting_pairs(int64_t count, uint64_t seed = 2) {
    std::vector<TokenTree> trees;
    Rng rng(seed, "counting pairs");
    for (int64_t i = 0; i < count; ++i) {
        const int64_t start = rng.between(3, 20);
        TokenTree tree{{start, 31, 5}, {}};
        for (const bool chosen : {true, false}) {
            const int64_t length = rng.between(2, 7);
            MaskedTokens branch;
            for (int64_t j = 1; j <= length; ++j) branch.tokens.push_back(chosen ? 3 + (start + j) % 27 : start);
            branch.counted.assign(branch.tokens.size(), 1);
            tree.branches.push_back(branch);
        }
        trees.push_back(tree);
    }
    return trees;
}

inline TrainOptions small_options(LossName loss) {
    TrainOptions options;
    options.loss = default_loss_options(loss);
    options.lr = 5e-3;
    options.epochs = 2;
    options.batch_size = 8;
    options.lora.rank = 4;
    options.lora.alpha = 8;
    options.lora.targets = {"all-linear"};
    options.save_every = 2;
    return options;
}

// Made up, for a batch of this many pairs; none where the loss needs none.
inline std::vector<ReferenceSums> some_references(LossName loss, size_t pairs) {
    std::vector<ReferenceSums> references;
    for (size_t i = 0; needs_reference(loss) && i < pairs; ++i)
        references.push_back({-8 - static_cast<double>(i), -7 - 2 * static_cast<double>(i)});
    return references;
}

inline std::string file_bytes(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream bytes;
    bytes << in.rdbuf();
    return bytes.str();
}

// The rows of a metrics file without their times.
inline std::vector<Json> rows_of(const std::filesystem::path& path) {
    std::vector<Json> rows;
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) {
        rows.push_back(Json::parse(line));
        for (const char* key : {"seconds", "tokens_per_second", "mfu", "peak_memory_bytes", "peak_gpu_memory_bytes"})
            rows.back().erase(key);
    }
    return rows;
}

}  // namespace craft::test
