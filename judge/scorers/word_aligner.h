// Word alignments by unbalanced optimal transport over an encoder's states (Arase et al. 2023, Unbalanced Optimal Transport
// for Unbalanced Word Alignment; policy simplification §2.2).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "data/word_alignment.h"

namespace craft {

struct WordAlignerOptions {
    int64_t layer = -3;       // of hidden states, from the end
    double tau = 0.88;        // policy simplification §4.1
    double threshold = 0.40;  // links have more than this of the transported mass, scaled to 0-1
    double epsilon = 0.1;
    double distortion = 0.2;  // how much a pair's distance from the diagonal takes of its similarity
    bool centred = true;      // the mean of all tokens' states is taken off each word's vector
    // Which mean, [hidden]; empty: that of the pairs of a call. With one given an alignment depends on its pair alone, and
    // is kept for the next call.
    std::vector<double> mean = {};
    // Words of a source times words of its candidate; a pair of more is not aligned, and says so (WordAlignment::problem).
    int64_t max_cells = int64_t{1} << 24;
    int64_t batch_tokens = 4096;            // of one pass of the encoder
    int64_t kept_bytes = int64_t{1} << 29;  // of words' vectors that wait for the mean; those of more are computed twice
};

class WordAligner {
public:
    virtual ~WordAligner() = default;
    // One alignment a pair {source, candidate}, in order. A text without words has no links. May be called by several
    // threads, of which one works at a time. Throws Error as encoders do, Stopped between batches.
    virtual std::vector<WordAlignment> align(const std::vector<std::pair<std::string, std::string>>& pairs) = 0;
};

}  // namespace craft
