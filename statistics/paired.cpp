#include "statistics/paired.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/error.h"
#include "core/rng.h"
#include "core/signals.h"
#include "statistics/binomial.h"

namespace craft {

namespace {

constexpr double kRounding = 1e-12;  // sums in another order differ by less: such a difference is a tie

// Draws rows with replacement, two for each number of the stream, without bias (Lemire 2019): a resample of 10,000 items is
// drawn 10,000 times within a second.
class RowDraws {
public:
    RowDraws(Rng& rng, uint32_t rows) : rng_(rng), rows_(rows), threshold_(-rows % rows) {}

    uint32_t next() {
        while (true) {
            if (!half_left_) word_ = rng_.next();
            const auto half = static_cast<uint32_t>(half_left_ ? word_ >> 32 : word_);
            half_left_ = !half_left_;
            const uint64_t product = uint64_t{half} * rows_;
            if (static_cast<uint32_t>(product) >= threshold_) return static_cast<uint32_t>(product >> 32);
        }
    }

private:
    Rng& rng_;
    uint32_t rows_, threshold_;
    uint64_t word_ = 0;
    bool half_left_ = false;
};

struct Figures {
    double a = 0, b = 0;
    double difference() const { return a - b; }
};

// Items side by side in one block of numbers: first A's summands, then B's.
class Corpus {
public:
    explicit Corpus(const PairedItems& items) : figure_(items.figure), rows_(items.a.size()) {
        if (items.a.size() != items.b.size()) throw std::logic_error("paired_test: as many items of A as of B");
        width_ = rows_ == 0 ? 0 : items.a[0].size();
        if (!figure_ && width_ > 1) throw std::logic_error("paired_test: a mean has one summand");
        for (size_t i = 0; i < rows_; ++i) {
            if (items.a[i].size() != width_ || items.b[i].size() != width_)
                throw std::logic_error("paired_test: every item has as many summands");
            numbers_.insert(numbers_.end(), items.a[i].begin(), items.a[i].end());
            numbers_.insert(numbers_.end(), items.b[i].begin(), items.b[i].end());
        }
    }

    size_t rows() const { return rows_; }

    Figures plain() const {
        std::vector<double> sums(2 * width_);
        for (size_t row = 0; row < rows_; ++row) add(row, sums);
        return of(sums);
    }
    Figures resampled(Rng& rng, std::vector<double>& sums) const {
        sums.assign(2 * width_, 0);
        RowDraws draws(rng, static_cast<uint32_t>(rows_));
        if (width_ == 1) {  // the common case, a mean, stays in registers
            double a = 0, b = 0;
            for (size_t i = 0; i < rows_; ++i) {
                const double* item = &numbers_[size_t{2} * draws.next()];
                a += item[0];
                b += item[1];
            }
            sums = {a, b};
        } else {
            for (size_t i = 0; i < rows_; ++i) add(draws.next(), sums);
        }
        return of(sums);
    }
    // Each item's A and B change places with probability 1/2.
    Figures permuted(Rng& rng, std::vector<double>& sums) const {
        sums.assign(2 * width_, 0);
        uint64_t coins = 0;
        for (size_t row = 0; row < rows_; ++row) {
            if (row % 64 == 0) coins = rng.next();
            const size_t swapped = coins >> (row % 64) & 1;
            const double* item = &numbers_[row * 2 * width_];
            for (size_t i = 0; i < width_; ++i) {
                sums[swapped * width_ + i] += item[i];
                sums[(1 - swapped) * width_ + i] += item[width_ + i];
            }
        }
        return of(sums);
    }

private:
    void add(size_t row, std::vector<double>& sums) const {
        const double* item = &numbers_[row * 2 * width_];
        for (size_t i = 0; i < sums.size(); ++i) sums[i] += item[i];
    }
    Figures of(const std::vector<double>& sums) const {
        if (!figure_) return {sums[0] / static_cast<double>(rows_), sums[1] / static_cast<double>(rows_)};
        const std::span<const double> all(sums);
        return {figure_(all.first(width_)), figure_(all.subspan(width_))};
    }

    std::function<double(std::span<const double>)> figure_;
    size_t rows_, width_ = 0;
    std::vector<double> numbers_;
};

// By linear interpolation between order statistics, as numpy's default does.
double percentile(const std::vector<double>& sorted, double share) {
    const double at = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<size_t>(at);
    const size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

bool is_tie(const Figures& figures) {
    return std::abs(figures.difference()) <= kRounding * std::max(std::abs(figures.a), std::abs(figures.b));
}

// Two-tailed, with the items as they are among the arrangements: p is never 0.
double permutation_p(const Corpus& corpus, double observed, int64_t resamples, uint64_t seed) {
    std::vector<double> sums;
    int64_t as_far = 0;
    for (int64_t r = 0; r < resamples; ++r) {
        throw_if_stopped();
        Rng rng(seed, "compare permutation", static_cast<uint64_t>(r));
        const Figures figures = corpus.permuted(rng, sums);
        const double rounding = kRounding * std::max(std::abs(figures.a), std::abs(figures.b));
        as_far += std::abs(figures.difference()) >= std::abs(observed) - rounding ? 1 : 0;
    }
    return static_cast<double>(as_far + 1) / static_cast<double>(resamples + 1);
}

}  // namespace

PairedItems paired_means(const std::vector<double>& a, const std::vector<double>& b) {
    if (a.size() != b.size()) throw std::logic_error("paired_means: as many items of A as of B");
    PairedItems items;
    for (size_t i = 0; i < a.size(); ++i) {
        items.a.push_back({a[i]});
        items.b.push_back({b[i]});
    }
    return items;
}

PairedResult paired_test(const PairedItems& items, const PairedOptions& options) {
    const Corpus corpus(items);
    if (corpus.rows() == 0) throw Error("comparison", "at least one item", "none");
    PairedResult result;
    result.resamples = options.resamples.value_or(options.test == PairedTest::sign ? 100 : 10000);
    if (result.resamples < 1) throw Error("comparison", "at least one resample", std::to_string(result.resamples));
    const Figures plain = corpus.plain();
    result.a = plain.a;
    result.b = plain.b;
    result.difference = plain.difference();

    std::vector<double> differences, sums;
    for (int64_t r = 0; r < result.resamples; ++r) {
        throw_if_stopped();
        Rng rng(options.seed, "compare bootstrap", static_cast<uint64_t>(r));
        const Figures figures = corpus.resampled(rng, sums);
        differences.push_back(figures.difference());
        if (is_tie(figures)) continue;
        ++((figures.difference() > 0) == options.higher_is_better ? result.a_better : result.b_better);
    }
    std::sort(differences.begin(), differences.end());
    result.low = percentile(differences, 0.025);
    result.high = percentile(differences, 0.975);
    switch (options.test) {
        case PairedTest::sign:
            result.p = binomial_half_tail(result.a_better + result.b_better, result.a_better);
            break;
        case PairedTest::bootstrap:
            result.p = static_cast<double>(result.resamples - result.a_better) / static_cast<double>(result.resamples);
            break;
        case PairedTest::permutation:
            result.p = permutation_p(corpus, result.difference, result.resamples, options.seed);
            break;
    }
    return result;
}

}  // namespace craft
