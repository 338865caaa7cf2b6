// Word alignments by unbalanced optimal transport over an encoder's states (Arase et al. 2023, Unbalanced Optimal Transport
// for Unbalanced Word Alignment; policy simplification §2.2).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "data/word_alignment.h"

namespace craft {

struct WordAlignerOptions {
    int64_t layer = -3;       // of hidden states, from the end
    double tau = 0.88;        // policy simplification §4.1
    double threshold = 0.40;  // links have more than this of the transported mass, scaled to 0-1
    double epsilon = 0.1;
    double distortion = 0.2;  // how much a pair's distance from the diagonal takes of its likeness
};

class WordAligner {
public:
    virtual ~WordAligner() = default;
    // One alignment a pair {source, candidate}, in order.
    virtual std::vector<WordAlignment> align(const std::vector<std::pair<std::string, std::string>>& pairs) = 0;
};

}  // namespace craft
