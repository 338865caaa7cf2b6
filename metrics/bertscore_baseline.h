// What random pairs of texts score under an encoder: with it BERTScore is brought to a scale on which such pairs have about
// 0.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace craft {

// Of one layer: a figure x becomes (x - base) / (1 - base).
struct BertScoreBaseline {
    double precision = 0, recall = 0, f1 = 0;
};

// The row of a layer in a file as bert-score 0.3.13 has them (rescale_baseline/LANGUAGE/MODEL.tsv): a heading and lines
// LAYER,P,R,F, in any order. Throws Error("name:line", ...) on a line of another form, a layer that occurs twice, figures
// that are not finite or not below 1, and where the layer is missing.
BertScoreBaseline parse_bertscore_baseline(const std::string& text, int64_t layer, const std::string& name);
// The same of a file; also throws Error where it cannot be read.
BertScoreBaseline read_bertscore_baseline(const std::filesystem::path& file, int64_t layer);

}  // namespace craft
