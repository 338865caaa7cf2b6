// GLEU of grammatical error correction (Napoles et al. 2015, and 2016 for several references), as JFLEG's eval/gleu.py
// (keisks/jfleg, 2016-11-04) computes it: n = 4, 0-1.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "metrics/ngrams.h"

namespace craft {

constexpr size_t kGleuOrder = kMaxNgram;

// What a prediction counts for beside one reference. Of corpora: the sums.
struct GleuCounts {
    int64_t prediction_length = 0, reference_length = 0;  // tokens
    // n-grams that prediction and reference share, less those that it shares with the source where the reference has none
    // like them; not below 0.
    std::array<int64_t, kGleuOrder> matches{};
    std::array<int64_t, kGleuOrder> totals{};  // the prediction's n-grams

    bool operator==(const GleuCounts&) const = default;
};

// What of it depends on the reference: the reference's length, then the matches.
constexpr size_t kGleuVariables = 1 + kGleuOrder;
using GleuVariables = std::array<int64_t, kGleuVariables>;
GleuVariables gleu_variables(const GleuCounts& counts);

// One for each reference. Texts are words with one blank between them (metrics/words.h).
std::vector<GleuCounts> gleu_counts(std::string source, std::string prediction, std::vector<std::string> references);

// The product of brevity penalty and geometric mean of precisions; 0 where one of the ten counts is 0. `smooth` (for
// sentences) takes each 0 as 1 first.
double gleu(const GleuCounts& counts, bool smooth);

}  // namespace craft
