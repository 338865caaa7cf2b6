#include "metrics/statistics/paired.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "core/error.h"
#include "core/rng.h"
#include "core/signals.h"
#include "metrics/statistics/binomial.h"

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

// What a thread needs for one resample after the other.
struct Scratch {
    std::vector<uint32_t> times;
    std::vector<double> sums, other_sums;
};

// The items of both systems, which can be drawn with replacement or change places.
class Arrangements {
public:
    Arrangements() = default;
    Arrangements(const Arrangements&) = delete;
    Arrangements& operator=(const Arrangements&) = delete;
    virtual ~Arrangements() = default;
    virtual size_t items() const = 0;
    virtual Figures plain() const = 0;
    virtual Figures resampled(Rng& rng, Scratch& scratch) const = 0;
    // Each item's A and B change places with probability 1/2.
    virtual Figures permuted(Rng& rng, Scratch& scratch) const = 0;
};

// Calls on_item(item, whether it changes places).
template <class OnItem>
void toss(Rng& rng, size_t items, OnItem on_item) {
    uint64_t coins = 0;
    for (size_t item = 0; item < items; ++item) {
        if (item % 64 == 0) coins = rng.next();
        on_item(item, coins >> (item % 64) & 1);
    }
}

class MeanArrangements : public Arrangements {
public:
    explicit MeanArrangements(const PairedMeans& items) : items_(items.a.size()) {
        if (items.a.size() != items.b.size()) throw std::logic_error("paired_test: as many items of A as of B");
        for (size_t i = 0; i < items_; ++i) numbers_.insert(numbers_.end(), {items.a[i], items.b[i]});
    }
    size_t items() const override { return items_; }
    Figures plain() const override {
        Figures sums;
        for (size_t item = 0; item < items_; ++item) add(item, sums);
        return mean(sums);
    }
    Figures resampled(Rng& rng, Scratch&) const override {
        Figures sums;
        RowDraws draws(rng, static_cast<uint32_t>(items_));
        for (size_t i = 0; i < items_; ++i) add(draws.next(), sums);
        return mean(sums);
    }
    Figures permuted(Rng& rng, Scratch&) const override {
        Figures sums;
        toss(rng, items_, [&](size_t item, size_t swapped) {
            sums.a += numbers_[2 * item + swapped];
            sums.b += numbers_[2 * item + 1 - swapped];
        });
        return mean(sums);
    }

private:
    void add(size_t item, Figures& sums) const {
        sums.a += numbers_[2 * item];
        sums.b += numbers_[2 * item + 1];
    }
    Figures mean(const Figures& sums) const {
        return {sums.a / static_cast<double>(items_), sums.b / static_cast<double>(items_)};
    }

    size_t items_;
    std::vector<double> numbers_;  // A's and B's of an item side by side
};

// How often each item was drawn is counted first: so items are read once each, in their order.
class SumArrangements : public Arrangements {
public:
    explicit SumArrangements(const PairedSums& items) : a_(items.a), b_(items.b) {
        if (a_.items() != b_.items() || a_.width() != b_.width())
            throw std::logic_error("paired_test: as many items and summands of A as of B");
        total_a_ = sums_of(a_, std::vector<uint32_t>(a_.items(), 1));
        total_b_ = sums_of(b_, std::vector<uint32_t>(b_.items(), 1));
    }
    size_t items() const override { return a_.items(); }
    Figures plain() const override { return {a_.figure(total_a_), b_.figure(total_b_)}; }
    Figures resampled(Rng& rng, Scratch& scratch) const override {
        scratch.times.assign(items(), 0);
        RowDraws draws(rng, static_cast<uint32_t>(items()));
        for (size_t i = 0; i < items(); ++i) ++scratch.times[draws.next()];
        add(scratch);
        return {a_.figure(scratch.sums), b_.figure(scratch.other_sums)};
    }
    // Only what changes places is summed: the rest is what is left of the whole.
    Figures permuted(Rng& rng, Scratch& scratch) const override {
        scratch.times.assign(items(), 0);
        toss(rng, items(), [&](size_t item, size_t swapped) { scratch.times[item] = static_cast<uint32_t>(swapped); });
        add(scratch);
        for (size_t i = 0; i < total_a_.size(); ++i) {
            const double to_a = scratch.other_sums[i] - scratch.sums[i];
            scratch.sums[i] = total_a_[i] + to_a;
            scratch.other_sums[i] = total_b_[i] - to_a;
        }
        return {a_.figure(scratch.sums), b_.figure(scratch.other_sums)};
    }

private:
    static std::vector<double> sums_of(const CorpusSums& items, const std::vector<uint32_t>& times) {
        std::vector<double> sums(items.width());
        items.add(times, sums);
        return sums;
    }
    void add(Scratch& scratch) const {
        scratch.sums.assign(total_a_.size(), 0);
        scratch.other_sums.assign(total_b_.size(), 0);
        a_.add(scratch.times, scratch.sums);
        b_.add(scratch.times, scratch.other_sums);
    }

    const CorpusSums &a_, &b_;
    std::vector<double> total_a_, total_b_;
};

void check_finite(const Figures& figures) {
    if (std::isfinite(figures.a) && std::isfinite(figures.b)) return;
    throw Error("comparison", "figures that are finite numbers", "one of these items that is none");
}

// Calls work(r, the thread's scratch) for every resample; which thread takes which is left to chance. Throws what one of
// them threw.
template <class Work>
void for_each_resample(int64_t resamples, int64_t threads, Work work) {
    std::atomic<int64_t> next{0};
    std::mutex mutex;
    std::exception_ptr failure;
    const auto run = [&] {
        Scratch scratch;
        try {
            for (int64_t r = next++; r < resamples; r = next++) {
                throw_if_stopped();
                work(r, scratch);
            }
        } catch (...) {
            const std::lock_guard lock(mutex);
            failure = std::current_exception();
            next = resamples;
        }
    };
    std::vector<std::thread> others;
    for (int64_t i = 1; i < std::min(threads, resamples); ++i) others.emplace_back(run);
    run();
    for (std::thread& thread : others) thread.join();
    if (failure) std::rethrow_exception(failure);
}

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
double permutation_p(const Arrangements& corpus, double observed, int64_t resamples, const PairedOptions& options) {
    std::atomic<int64_t> as_far{0};
    for_each_resample(resamples, options.threads, [&](int64_t r, Scratch& scratch) {
        Rng rng(options.seed, "compare permutation", static_cast<uint64_t>(r));
        const Figures figures = corpus.permuted(rng, scratch);
        check_finite(figures);
        const double rounding = kRounding * std::max(std::abs(figures.a), std::abs(figures.b));
        if (std::abs(figures.difference()) >= std::abs(observed) - rounding) ++as_far;
    });
    return static_cast<double>(as_far + 1) / static_cast<double>(resamples + 1);
}

// Draws the resamples into the result's interval and counts.
void draw_resamples(const Arrangements& corpus, const PairedOptions& options, PairedResult& result) {
    std::vector<double> differences(static_cast<size_t>(result.resamples));
    std::atomic<int64_t> a_better{0}, b_better{0};
    for_each_resample(result.resamples, options.threads, [&](int64_t r, Scratch& scratch) {
        Rng rng(options.seed, "compare bootstrap", static_cast<uint64_t>(r));
        const Figures figures = corpus.resampled(rng, scratch);
        check_finite(figures);
        differences[static_cast<size_t>(r)] = figures.difference();
        if (!is_tie(figures)) ++((figures.difference() > 0) == options.higher_is_better ? a_better : b_better);
    });
    result.a_better = a_better;
    result.b_better = b_better;
    std::sort(differences.begin(), differences.end());
    result.low = percentile(differences, 0.025);
    result.high = percentile(differences, 0.975);
}

PairedOptions bootstrap() {
    PairedOptions options;
    options.test = PairedTest::bootstrap;
    return options;
}

PairedResult test(const Arrangements& corpus, const PairedOptions& options) {
    if (corpus.items() == 0) throw Error("comparison", "at least one item", "none");
    PairedResult result;
    result.resamples = options.resamples.value_or(options.test == PairedTest::sign ? 100 : 10000);
    if (result.resamples < 1) throw Error("comparison", "at least one resample", std::to_string(result.resamples));
    const Figures plain = corpus.plain();
    check_finite(plain);
    result.a = plain.a;
    result.b = plain.b;
    result.difference = plain.difference();
    draw_resamples(corpus, options, result);
    switch (options.test) {
        case PairedTest::sign:
            result.p = binomial_half_tail(result.a_better + result.b_better, result.a_better);
            break;
        case PairedTest::bootstrap:
            result.p = static_cast<double>(result.resamples - result.a_better) / static_cast<double>(result.resamples);
            break;
        case PairedTest::permutation:
            result.p = permutation_p(corpus, result.difference, result.resamples, options);
            break;
    }
    return result;
}

}  // namespace

PairedResult paired_test(const PairedMeans& items, const PairedOptions& options) {
    return test(MeanArrangements(items), options);
}

PairedResult paired_test(const PairedSums& items, const PairedOptions& options) {
    return test(SumArrangements(items), options);
}

// The interval of a figure is that of its difference from nothing.
Interval interval_of_mean(const std::vector<double>& items) {
    const PairedResult result = paired_test(PairedMeans{items, std::vector<double>(items.size())}, bootstrap());
    return {result.low, result.high};
}

FigureInterval interval_of_figure(const CorpusSums& items) {
    const CountSums nothing(std::vector(items.items(), std::vector<int64_t>(items.width())),
                            [](std::span<const double>) { return 0.0; });
    const PairedResult result = paired_test(PairedSums{items, nothing}, bootstrap());
    return {result.a, {result.low, result.high}};
}

}  // namespace craft
