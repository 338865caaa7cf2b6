#include "metrics/gleu_sums.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include "core/error.h"
#include "metrics/gleu_choices.h"

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

// Behind the common counts stand the variables of items with one reference, then, draw by draw, those of the references that
// were taken of the others.
class DrawnGleu : public CorpusSums {
public:
    // `exact` is how `exact` draws are made.
    DrawnGleu(const std::vector<std::vector<GleuCounts>>& items, const std::vector<size_t>& places, GleuDraws draws,
              const ExactGleuPlan& exact) {
        for (const std::vector<GleuCounts>& references : items) {
            items_.push_back({references[0], rows_.size(), references.size()});
            for (const GleuCounts& counts : references) {
                const GleuVariables variables = gleu_variables(counts);
                std::copy(variables.begin(), variables.end(), rows_.emplace_back().begin());
            }
        }
        draws == GleuDraws::exact ? choose(exact) : choose(places, draws);
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
            scores.assign(equal_draws_, score(sums, row));
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
        equal_draws_ = size_t{GleuCorpus::kDraws};
        if (references.choices(1) == 1) return;
        make_room(size_t{GleuCorpus::kDraws});
        references.drawn(draws, 0, GleuCorpus::kDraws, [&](std::span<const uint32_t> chosen) { keep(in_file, chosen); });
    }

    // All choices are those of the items that have several references.
    void choose(const ExactGleuPlan& exact) {
        equal_draws_ = 1;
        if (exact.choices == 1) return;
        make_room(static_cast<size_t>(exact.choices));
        std::vector<size_t> open(items_.size());
        std::iota(open.begin(), open.end(), size_t{0});
        std::erase_if(open, [&](size_t item) { return items_[item].references == 1; });
        const auto keep_open = [&](std::span<const uint32_t> chosen) { keep(open, chosen); };
        if (exact.way == ExactGleuWay::enumerated) {
            GleuReferenceDraws references;
            for (const size_t item : open) references.add(items_[item].references);
            return references.all(keep_open);
        }
        std::vector<std::vector<GleuVariables>> counts;
        GleuItemRows rows;
        for (const size_t item : open) {
            auto& references = counts.emplace_back(items_[item].references);
            for (size_t r = 0; r < references.size(); ++r)
                for (size_t v = 0; v < kGleuVariables; ++v)
                    references[r][v] = static_cast<int64_t>(rows_[items_[item].first_row + r][v]);
        }
        rows.assign(counts.begin(), counts.end());
        sample_gleu_choices(rows, exact.choices, keep_open);
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

    size_t draws_ = 0;        // 0: no item has a choice
    size_t equal_draws_ = 0;  // how many the mean is of in that case
    std::vector<Item> items_;
    std::vector<Row> rows_;
    std::vector<size_t> begins_;    // of each item's part of chosen_, where it has a choice
    size_t kept_ = 0;               // draws that chosen_ knows so far
    std::vector<uint16_t> chosen_;  // of items with several references, draw by draw within an item
};

// Behind the common counts stand the moments of items with one number of references after the other.
class ExpectedGleu : public CorpusSums {
public:
    explicit ExpectedGleu(const std::vector<std::vector<GleuCounts>>& items) {
        for (const auto& references : items) groups_.emplace(references.size(), 0);
        size_t at = kCommon;
        for (auto& [references, begin] : groups_) {
            begin = at;
            at += kGleuMomentCounts;
        }
        width_ = at;
        for (const auto& references : items) {
            std::vector<GleuVariables> rows;
            for (const GleuCounts& counts : references) rows.push_back(gleu_variables(counts));
            items_.push_back({references[0], groups_.at(references.size()), gleu_moment_counts(rows)});
        }
    }
    size_t items() const override { return items_.size(); }
    size_t width() const override { return width_; }
    void add(std::span<const uint32_t> times, std::span<double> sums) const override {
        for (size_t i = 0; i < items_.size(); ++i) {
            if (times[i] == 0) continue;
            add_common(items_[i].common, times[i], sums);
            for (size_t m = 0; m < kGleuMomentCounts; ++m) sums[items_[i].at + m] += times[i] * items_[i].moments[m];
        }
    }
    double figure(std::span<const double> sums) const override {
        GleuMoments moments;
        for (const auto& [references, begin] : groups_)
            add_moments(sums.subspan(begin, kGleuMomentCounts), references, moments);
        return expected_gleu(common_counts(sums), moments).mean;
    }

private:
    struct Item {
        GleuCounts common;
        size_t at = 0;  // of its group in the sums
        std::array<double, kGleuMomentCounts> moments{};
    };
    std::map<size_t, size_t> groups_;  // numbers of references, and where their sums begin
    std::vector<Item> items_;
    size_t width_ = 0;
};

}  // namespace

std::unique_ptr<CorpusSums> gleu_sums(const std::vector<std::vector<GleuCounts>>& items, const std::vector<size_t>& places,
                                      GleuDraws draws) {
    std::vector<std::vector<GleuVariables>> counts;
    for (const auto& item : items) {
        if (item.size() > size_t{std::numeric_limits<uint16_t>::max()} + 1)
            throw Error("gleu", "at most 65536 references an item", std::to_string(item.size()));
        if (draws != GleuDraws::exact) continue;
        auto& references = counts.emplace_back();
        for (const GleuCounts& reference : item) references.push_back(gleu_variables(reference));
    }
    ExactGleuPlan plan;
    if (draws == GleuDraws::exact) plan = plan_exact_gleu({counts.begin(), counts.end()});
    if (plan.way == ExactGleuWay::expansion) return std::make_unique<ExpectedGleu>(items);
    return std::make_unique<DrawnGleu>(items, places, draws, plan);
}

}  // namespace craft
