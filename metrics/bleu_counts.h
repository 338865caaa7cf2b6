// What BLEU is made of (Papineni et al. 2002), and the two ways in which the field makes a figure of it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "metrics/ngrams.h"
#include "metrics/options.h"

namespace craft {

struct BleuCounts {
    std::array<int64_t, kMaxNgram> matches{}, totals{};  // by n: n-grams that a reference has as often, and all
    int64_t length = 0, reference_length = 0;            // in words

    BleuCounts& operator+=(const BleuCounts& other);
    // matches, totals, length, reference_length: the order of ItemScore::counts.
    std::vector<int64_t> as_list() const;
    static BleuCounts from_list(const int64_t* list);
    static constexpr size_t kListSize = 2 * kMaxNgram + 2;
};

enum class ReferenceLength { closest, shortest };  // sacreBLEU's (the shorter of two that are as close), tensorflow/nmt's

// Of texts as tokenised() makes them, the prediction first; needs one reference at least.
BleuCounts count_bleu(const std::vector<std::string>& prediction_and_references, ReferenceLength rule);

struct BleuFigure {
    double score = 0;                            // 0-100, or 0-1 (nmt_bleu)
    std::array<double, kMaxNgram> precisions{};  // on the same scale, smoothed
    double brevity_penalty = 1;
};

struct BleuRule {
    BleuSmoothing smoothing = BleuSmoothing::exp;
    double value = 0;              // of floor and add-k
    bool effective_order = false;  // leave out the n that the prediction is too short for
};

// As sacreBLEU 2.6.0's BLEU.compute_bleu; where every precision is 1 and nothing is too short, exactly 100.
BleuFigure sacre_bleu(const BleuCounts& counts, const BleuRule& rule);
// As tensorflow/nmt's compute_bleu without smoothing, which EditEval calls; an empty prediction has 0 (there: a division by
// 0).
BleuFigure nmt_bleu(const BleuCounts& counts);

}  // namespace craft
