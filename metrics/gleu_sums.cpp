#include "metrics/gleu_sums.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/error.h"

namespace craft {

namespace {

constexpr size_t kCommon = 1 + kGleuOrder;  // the prediction's length and totals, which stand first in the sums

void add_common(const GleuCounts& counts, double times, std::span<double> sums) {
    sums[0] += times * static_cast<double>(counts.prediction_length);
    for (size_t n = 0; n < kGleuOrder; ++n) sums[n + 1] += times * static_cast<double>(counts.totals[n]);
}

GleuCounts common_counts(std::span<const double> sums) {
    GleuCounts counts;
    counts.prediction_length = static_cast<int64_t>(sums[0]);
    for (size_t n = 0; n < kGleuOrder; ++n) counts.totals[n] = static_cast<int64_t>(sums[n + 1]);
    return counts;
}

// After the common counts stand the variables of items with one reference, then, draw by draw, those of the references that
// were taken of the others.
class DrawnGleu : public CorpusSums {
public:
    DrawnGleu(const std::vector<std::vector<GleuCounts>>& items, const std::vector<size_t>& places, GleuDraws draws) {
        for (const std::vector<GleuCounts>& references : items) {
            items_.push_back({references[0], rows_.size(), references.size()});
            for (const GleuCounts& counts : references) {
                const GleuVariables variables = gleu_variables(counts);
                std::copy(variables.begin(), variables.end(), rows_.emplace_back().begin());
            }
        }
        choose(places, draws);
    }
    size_t items() const override { return items_.size(); }
    size_t width() const override { return kDrawn + draws_ * kGleuVariables; }
    void add(std::span<const uint32_t> times, std::span<double> sums) const override {
        std::vector<Row> rows;
        const uint16_t* chosen = chosen_.data();
        for (size_t i = 0; i < items_.size(); ++i) {
            const Item& item = items_[i];
            const bool open = item.references > 1;
            if (times[i] > 0) {
                add_common(item.common, times[i], sums);
                rows.assign(rows_.begin() + static_cast<std::ptrdiff_t>(item.first_row),
                            rows_.begin() + static_cast<std::ptrdiff_t>(item.first_row + item.references));
                for (Row& row : rows)
                    for (double& count : row) count *= times[i];
                open ? add_chosen(rows, chosen, sums.data() + kDrawn) : add_row(rows[0], sums.data() + kCommon);
            }
            if (open) chosen += draws_;
        }
    }
    double figure(std::span<const double> sums) const override {
        std::vector<double> scores;
        for (size_t draw = 0; draw < draws_; ++draw) {
            Row row;
            std::copy_n(sums.data() + kCommon, kGleuVariables, row.begin());
            add_row(&sums[kDrawn + draw * kGleuVariables], row.data());
            scores.push_back(score(sums, row));
        }
        if (draws_ == 0) {
            Row row;
            std::copy_n(sums.data() + kCommon, kGleuVariables, row.begin());
            scores.assign(size_t{GleuCorpus::kDraws}, score(sums, row));
        }
        return gleu_figures(scores).mean;
    }

private:
    using Row = std::array<double, kGleuVariables>;
    static constexpr size_t kDrawn = kCommon + kGleuVariables;
    struct Item {
        GleuCounts common;  // of its references the first
        size_t first_row = 0, references = 0;
    };

    static void add_row(const double* row, double* to) {
        for (size_t v = 0; v < kGleuVariables; ++v) to[v] += row[v];
    }
    static void add_row(const Row& row, double* to) { add_row(row.data(), to); }
    void add_chosen(const std::vector<Row>& rows, const uint16_t* chosen, double* to) const {
        for (size_t draw = 0; draw < draws_; ++draw) add_row(rows[chosen[draw]], to + draw * kGleuVariables);
    }
    static double score(std::span<const double> sums, const Row& row) {
        GleuCounts counts = common_counts(sums);
        counts.reference_length = static_cast<int64_t>(row[0]);
        for (size_t n = 0; n < kGleuOrder; ++n) counts.matches[n] = static_cast<int64_t>(row[n + 1]);
        return gleu(counts, false);
    }

    // The draws know the items in the order of their file.
    void choose(const std::vector<size_t>& places, GleuDraws draws) {
        std::vector<size_t> in_file(items_.size());
        std::iota(in_file.begin(), in_file.end(), size_t{0});
        std::sort(in_file.begin(), in_file.end(), [&](size_t a, size_t b) { return places[a] < places[b]; });
        GleuReferenceDraws references;
        for (const size_t item : in_file) references.add(items_[item].references);
        if (!references.has_choice()) return;
        make_room(size_t{GleuCorpus::kDraws});
        references.drawn(draws, 0, GleuCorpus::kDraws, [&](std::span<const uint32_t> chosen) { keep(in_file, chosen); });
    }

    void make_room(size_t draws) {
        draws_ = draws;
        begins_.resize(items_.size());
        size_t open = 0;
        for (size_t i = 0; i < items_.size(); ++i)
            if (items_[i].references > 1) begins_[i] = open++ * draws_;
        chosen_.resize(open * draws_);
    }

    // Of a draw for `items`, in this order.
    void keep(const std::vector<size_t>& items, std::span<const uint32_t> chosen) {
        for (size_t i = 0; i < items.size(); ++i)
            if (items_[items[i]].references > 1) chosen_[begins_[items[i]] + kept_] = static_cast<uint16_t>(chosen[i]);
        ++kept_;
    }

    size_t draws_ = 0;  // 0: no item has a choice, and all draws are the same
    std::vector<Item> items_;
    std::vector<Row> rows_;
    std::vector<size_t> begins_;    // of each item's part of chosen_, where it has a choice
    size_t kept_ = 0;               // draws that chosen_ knows so far
    std::vector<uint16_t> chosen_;  // of items with several references, draw by draw within an item
};

}  // namespace

std::unique_ptr<CorpusSums> gleu_sums(const std::vector<std::vector<GleuCounts>>& items, const std::vector<size_t>& places,
                                      GleuDraws draws) {
    for (const auto& item : items)
        if (item.size() > size_t{std::numeric_limits<uint16_t>::max()} + 1)
            throw Error("gleu", "at most 65536 references per item", std::to_string(item.size()));
    return std::make_unique<DrawnGleu>(items, places, draws);
}

}  // namespace craft
