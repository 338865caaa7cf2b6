// Models so small that a test can compute them again, in the files' form.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "tests/english/msgpack_bytes.h"

namespace craft::test {

// Numbers of no meaning, the same in each run.
inline std::vector<float> wave(size_t count, float step) {
    std::vector<float> out(count);
    for (size_t i = 0; i < count; ++i) out[i] = std::sin(static_cast<float>(i + 1) * step);
    return out;
}

constexpr uint64_t kSmallWidth = 4, kSmallRows = 7, kSmallPieces = 2;

// Two attributes, vectors of four numbers, two layers of windows.
inline std::vector<PackedLayer> small_tok2vec(const std::vector<std::string>& attributes = {"NORM", "SPACY"}) {
    std::vector<PackedLayer> layers = {{"extract_features", {}, {{"columns", pack_texts(attributes)}}}};
    for (uint64_t i = 0; i < 2; ++i)
        layers.push_back(
            {"hashembed",
             {{"E", pack_tensor({kSmallRows, kSmallWidth}, wave(kSmallRows * kSmallWidth, 0.9F + static_cast<float>(i)))}},
             {{"column", pack_number(i)}, {"seed", pack_number(8 + i)}}});
    for (uint64_t i = 0; i < 3; ++i) {
        const uint64_t inputs = (i == 0 ? 2 : 3) * kSmallWidth;
        const float step = 0.4F + 0.1F * static_cast<float>(i);
        layers.push_back(
            {"maxout",
             {{"W", pack_tensor({kSmallWidth, kSmallPieces, inputs}, wave(kSmallWidth * kSmallPieces * inputs, step))},
              {"b", pack_tensor({kSmallWidth, kSmallPieces}, wave(kSmallWidth * kSmallPieces, step + 1))}}});
        layers.push_back({"layernorm",
                          {{"G", pack_tensor({kSmallWidth}, wave(kSmallWidth, step + 2))},
                           {"b", pack_tensor({kSmallWidth}, wave(kSmallWidth, step + 3))}}});
        if (i > 0) layers.push_back({"expand_window", {}, {{"window_size", pack_number(1)}}});
    }
    return layers;
}

// A parser whose moves have the scores `bias` in every state.
inline std::vector<PackedLayer> constant_parser(uint64_t width, uint64_t places, const std::vector<float>& bias) {
    const uint64_t moves = bias.size();
    return {{"precomputable_affine",
             {{"W", pack_tensor({places, 1, 2, 1}, std::vector<float>(places * 2))},
              {"b", pack_tensor({1, 2}, {0, 0})},
              {"pad", pack_tensor({1, places, 1, 2}, std::vector<float>(places * 2))}}},
            {"linear", {{"W", pack_tensor({moves, 1}, std::vector<float>(moves))}, {"b", pack_tensor({moves}, bias)}}},
            {"linear", {{"W", pack_tensor({1, width}, std::vector<float>(width))}, {"b", pack_tensor({1}, {0})}}}};
}

inline std::string pack_moves(const std::string& json) {
    return pack_map({{"moves", pack(json)}, {"cfg", pack_map({})}});
}

}  // namespace craft::test
