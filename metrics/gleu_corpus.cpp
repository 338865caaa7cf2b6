#include "metrics/gleu_corpus.h"

#include <cmath>

#include "metrics/exact_sum.h"
#include "metrics/gleu_expansion.h"
#include "metrics/python_random.h"

namespace craft {

namespace {

GleuFigures mean_and_deviation(const std::vector<double>& scores) {
    ExactSum sum, squares;
    for (const double score : scores) sum.add(score);
    const double mean = *sum.mean();
    for (const double score : scores) squares.add((score - mean) * (score - mean));
    return {.mean = mean, .deviation = std::sqrt(*squares.mean())};
}

}  // namespace

void GleuCorpus::add(std::span<const GleuCounts> references) {
    first_row_.push_back(rows_.size());
    common_.prediction_length += references[0].prediction_length;
    for (size_t n = 0; n < kGleuOrder; ++n) common_.totals[n] += references[0].totals[n];
    for (const GleuCounts& counts : references) {
        Row& row = rows_.emplace_back();
        row[0] = counts.reference_length;
        for (size_t n = 0; n < kGleuOrder; ++n) row[n + 1] = counts.matches[n];
    }
}

std::span<const GleuCorpus::Row> GleuCorpus::rows(size_t item) const {
    const size_t end = item + 1 < first_row_.size() ? first_row_[item + 1] : rows_.size();
    return {rows_.data() + first_row_[item], end - first_row_[item]};
}

void GleuCorpus::add_row(Row& sums, const Row& row, int64_t times) {
    for (size_t v = 0; v < row.size(); ++v) sums[v] += times * row[v];
}

double GleuCorpus::score(const Row& sums) const {
    GleuCounts counts = common_;
    counts.reference_length = sums[0];
    for (size_t n = 0; n < kGleuOrder; ++n) counts.matches[n] = sums[n + 1];
    return gleu(counts, false);
}

std::vector<GleuCorpus::Run> GleuCorpus::runs() const {
    std::vector<Run> found;
    for (size_t item = 0; item < first_row_.size(); ++item) {
        const size_t references = rows(item).size();
        if (found.empty() || found.back().references != references) {
            found.push_back({.first_row = first_row_[item], .items = 0, .references = references});
        }
        ++found.back().items;
    }
    return found;
}

template <class Draw>
GleuFigures GleuCorpus::drawn(int iterations, Draw draw) const {
    std::vector<double> scores;
    std::vector<uint32_t> chosen(first_row_.size());
    const std::vector<Run> all = runs();
    for (int j = 0; j < iterations; ++j) {
        PythonRandom random(static_cast<uint32_t>(j) * 101U);
        Row sums{};
        for (const Run& run : all) {
            draw(random, static_cast<uint32_t>(run.references), std::span(chosen.data(), run.items));
            const Row* row = rows_.data() + run.first_row;
            for (size_t i = 0; i < run.items; ++i, row += run.references) add_row(sums, row[chosen[i]], 1);
        }
        scores.push_back(score(sums));
    }
    return mean_and_deviation(scores);
}

bool GleuCorpus::few_choices() const {
    int64_t choices = 1;
    for (size_t item = 0; item < first_row_.size(); ++item) {
        choices *= static_cast<int64_t>(rows(item).size());
        if (choices > kMostChoices) return false;
    }
    return true;
}

GleuFigures GleuCorpus::all_choices() const {
    Row sums{};                // of the first choice, at first
    std::vector<size_t> open;  // items with more than one reference
    for (size_t item = 0; item < first_row_.size(); ++item) {
        add_row(sums, rows(item)[0], 1);
        if (rows(item).size() > 1) open.push_back(item);
    }
    std::vector<size_t> chosen(open.size(), 0);
    std::vector<double> scores{score(sums)};
    // Counts up through the choices as through the digits of a number.
    for (size_t digit = 0; digit < open.size();) {
        const auto references = rows(open[digit]);
        add_row(sums, references[chosen[digit]], -1);
        const bool carries = ++chosen[digit] == references.size();
        if (carries) chosen[digit] = 0;
        add_row(sums, references[chosen[digit]], 1);
        digit = carries ? digit + 1 : 0;
        if (!carries) scores.push_back(score(sums));
    }
    return mean_and_deviation(scores);
}

GleuFigures GleuCorpus::expansion() const {
    std::array<ExactSum, kGleuVariables> means;
    std::array<std::array<ExactSum, kGleuVariables>, kGleuVariables> covariances;
    for (size_t item = 0; item < first_row_.size(); ++item) {
        const auto references = rows(item);
        const double count = static_cast<double>(references.size());
        std::array<double, kGleuVariables> mean{};
        for (const Row& row : references)
            for (size_t v = 0; v < mean.size(); ++v) mean[v] += static_cast<double>(row[v]) / count;
        for (size_t v = 0; v < mean.size(); ++v) {
            means[v].add(mean[v]);
            for (size_t w = 0; w <= v; ++w) {
                double covariance = 0;
                for (const Row& row : references)
                    covariance += (static_cast<double>(row[v]) - mean[v]) * (static_cast<double>(row[w]) - mean[w]) / count;
                covariances[v][w].add(covariance);
            }
        }
    }
    GleuMoments moments;
    for (size_t v = 0; v < kGleuVariables; ++v) {
        moments.mean[v] = means[v].sum();
        for (size_t w = 0; w < kGleuVariables; ++w) {
            moments.covariance[v][w] = (w <= v ? covariances[v][w] : covariances[w][v]).sum();
        }
    }
    const GleuExpectation expected = expected_gleu(common_, moments);
    return {.mean = expected.mean, .deviation = expected.deviation};
}

GleuFigures GleuCorpus::figures(GleuDraws draws, int iterations) const {
    if (first_row_.empty()) return {};
    if (draws == GleuDraws::python3) {
        return drawn(iterations, [](PythonRandom& random, uint32_t bound, std::span<uint32_t> chosen) {
            random.below_python3(bound, chosen);
        });
    }
    if (draws == GleuDraws::python2) {
        return drawn(iterations, [](PythonRandom& random, uint32_t bound, std::span<uint32_t> chosen) {
            random.below_python2(bound, chosen);
        });
    }
    return few_choices() ? all_choices() : expansion();
}

}  // namespace craft
