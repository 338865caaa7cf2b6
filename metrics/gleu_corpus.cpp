#include "metrics/gleu_corpus.h"

#include <cmath>
#include <thread>

#include "metrics/exact_sum.h"

namespace craft {

void GleuCorpus::add(std::span<const GleuCounts> references) {
    first_row_.push_back(rows_.size());
    draws_.add(references.size());
    common_.prediction_length += references[0].prediction_length;
    for (size_t n = 0; n < kGleuOrder; ++n) common_.totals[n] += references[0].totals[n];
    for (const GleuCounts& counts : references) rows_.push_back(gleu_variables(counts));
}

double GleuCorpus::score(std::span<const uint32_t> chosen) const {
    GleuVariables sums{};
    for (size_t item = 0; item < chosen.size(); ++item) {
        const GleuVariables& row = rows_[first_row_[item] + chosen[item]];
        for (size_t v = 0; v < row.size(); ++v) sums[v] += row[v];
    }
    GleuCounts counts = common_;
    counts.reference_length = sums[0];
    for (size_t n = 0; n < kGleuOrder; ++n) counts.matches[n] = sums[n + 1];
    return gleu(counts, false);
}

GleuFigures GleuCorpus::figures(GleuDraws draws, int iterations, int64_t threads) const {
    if (first_row_.empty()) return {};
    if (!draws_.has_choice())  // all draws are the same
        return gleu_figures(
            std::vector<double>(static_cast<size_t>(iterations), score(std::vector<uint32_t>(first_row_.size()))));
    std::vector<double> scores(static_cast<size_t>(iterations));
    const auto draw_part = [&](int64_t part) {
        const auto first = static_cast<int>(part * iterations / threads);
        const auto end = static_cast<int>((part + 1) * iterations / threads);
        auto next = scores.begin() + first;
        draws_.drawn(draws, first, end, [&](std::span<const uint32_t> chosen) { *next++ = score(chosen); });
    };
    std::vector<std::thread> others;
    for (int64_t part = 1; part < threads; ++part) others.emplace_back(draw_part, part);
    draw_part(0);
    for (std::thread& thread : others) thread.join();
    return gleu_figures(scores);
}

GleuFigures gleu_figures(const std::vector<double>& scores) {
    ExactSum sum, squares;
    for (const double score : scores) sum.add(score);
    const double mean = *sum.mean();
    for (const double score : scores) squares.add((score - mean) * (score - mean));
    return {.mean = mean, .deviation = std::sqrt(*squares.mean())};
}

}  // namespace craft
