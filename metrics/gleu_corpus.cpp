#include "metrics/gleu_corpus.h"

#include <cmath>
#include <map>
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

std::span<const GleuCorpus::Row> GleuCorpus::rows(size_t item) const {
    const size_t end = item + 1 < first_row_.size() ? first_row_[item + 1] : rows_.size();
    return {rows_.data() + first_row_[item], end - first_row_[item]};
}

double GleuCorpus::score(std::span<const uint32_t> chosen) const {
    Row sums{};
    for (size_t item = 0; item < chosen.size(); ++item) {
        const Row& row = rows_[first_row_[item] + chosen[item]];
        for (size_t v = 0; v < row.size(); ++v) sums[v] += row[v];
    }
    GleuCounts counts = common_;
    counts.reference_length = sums[0];
    for (size_t n = 0; n < kGleuOrder; ++n) counts.matches[n] = sums[n + 1];
    return gleu(counts, false);
}

GleuFigures GleuCorpus::drawn(GleuDraws draws, int iterations, int64_t threads) const {
    if (draws_.choices(1) == 1)  // all draws are the same
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

// Items with one reference are summed once: there may be many of them.
GleuFigures GleuCorpus::all_choices() const {
    GleuCorpus open;
    Row fixed{};
    for (size_t item = 0; item < first_row_.size(); ++item) {
        const std::span<const Row> references = rows(item);
        if (references.size() > 1) {
            open.first_row_.push_back(open.rows_.size());
            open.draws_.add(references.size());
            open.rows_.insert(open.rows_.end(), references.begin(), references.end());
        } else {
            for (size_t v = 0; v < fixed.size(); ++v) fixed[v] += references[0][v];
        }
    }
    open.first_row_.push_back(open.rows_.size());
    open.rows_.push_back(fixed);
    open.draws_.add(1);
    open.common_ = common_;
    std::vector<double> scores;
    open.draws_.all([&](std::span<const uint32_t> chosen) { scores.push_back(open.score(chosen)); });
    return gleu_figures(scores);
}

GleuFigures GleuCorpus::expansion() const {
    std::map<size_t, std::array<double, kGleuMomentCounts>> sums;  // by the number of references
    for (size_t item = 0; item < first_row_.size(); ++item) {
        const auto counts = gleu_moment_counts(rows(item));
        auto& sum = sums[rows(item).size()];
        for (size_t i = 0; i < sum.size(); ++i) sum[i] += counts[i];
    }
    GleuMoments moments;
    for (const auto& [references, sum] : sums) add_moments(sum, references, moments);
    const GleuExpectation expected = expected_gleu(common_, moments);
    return {.mean = expected.mean, .deviation = expected.deviation, .plan = {}};
}

GleuFigures GleuCorpus::sampled(const GleuItemRows& items, int64_t choices) const {
    std::vector<double> scores;
    sample_gleu_choices(items, choices, [&](std::span<const uint32_t> chosen) { scores.push_back(score(chosen)); });
    return gleu_figures(scores);
}

GleuFigures GleuCorpus::exact() const {
    GleuItemRows items;
    for (size_t item = 0; item < first_row_.size(); ++item) items.push_back(rows(item));
    const ExactGleuPlan plan = plan_exact_gleu(items);
    GleuFigures figures = plan.way == ExactGleuWay::enumerated  ? all_choices()
                          : plan.way == ExactGleuWay::expansion ? expansion()
                                                                : sampled(items, plan.choices);
    figures.plan = plan;
    return figures;
}

GleuFigures GleuCorpus::figures(GleuDraws draws, int iterations, int64_t threads) const {
    if (first_row_.empty()) return {};
    return draws == GleuDraws::exact ? exact() : drawn(draws, iterations, threads);
}

GleuFigures gleu_figures(const std::vector<double>& scores) {
    ExactSum sum, squares;
    for (const double score : scores) sum.add(score);
    const double mean = *sum.mean();
    for (const double score : scores) squares.add((score - mean) * (score - mean));
    return {.mean = mean, .deviation = std::sqrt(*squares.mean()), .plan = {}};
}

}  // namespace craft
