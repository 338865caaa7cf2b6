// What items add to a corpus figure that is no mean of theirs: BLEU's n-grams, SARI's, edits that are right.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace craft {

// The items of one system. Several threads may ask it at once.
class CorpusSums {
public:
    CorpusSums() = default;
    CorpusSums(const CorpusSums&) = delete;
    CorpusSums& operator=(const CorpusSums&) = delete;
    virtual ~CorpusSums() = default;

    virtual size_t items() const = 0;
    virtual size_t width() const = 0;  // how many numbers are summed
    // Adds what item i stands for times[i] times. They are whole numbers, so that up to 2^53 no order of them changes a
    // digit.
    virtual void add(std::span<const uint32_t> times, std::span<double> sums) const = 0;
    // The corpus figure of such sums.
    virtual double figure(std::span<const double> sums) const = 0;
};

// Items that stand for a few counts each, and the figure of summed counts.
class CountSums : public CorpusSums {
public:
    using Figure = std::function<double(std::span<const double> sums)>;
    // Throws std::logic_error unless every item has as many counts.
    CountSums(const std::vector<std::vector<int64_t>>& items, Figure figure);

    size_t items() const override { return items_; }
    size_t width() const override { return width_; }
    void add(std::span<const uint32_t> times, std::span<double> sums) const override;
    double figure(std::span<const double> sums) const override { return figure_(sums); }

private:
    size_t items_, width_;
    std::vector<double> counts_;  // item by item
    Figure figure_;
};

}  // namespace craft
