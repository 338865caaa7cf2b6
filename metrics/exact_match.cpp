#include "metrics/exact_match.h"

#include <algorithm>

namespace craft {

namespace {

class ExactMatch : public Metric {
public:
    std::string name() const override { return "exact_match"; }
    std::string signature() const override { return "exact_match|EditEval-013cd20|-|text|as given"; }
    Json options() const override { return Json::object(); }
    MetricNeeds needs() const override { return {.source = false, .prediction = true, .references = true}; }
    ItemScore measure(const MetricItem& item) const override {
        const bool met = std::find(item.references.begin(), item.references.end(), item.prediction) != item.references.end();
        ItemScore score;
        score.value = met ? 1.0 : 0.0;
        score.counts = {met ? 1 : 0};
        return score;
    }
    void add(const ItemScore& score) override {
        ++items_;
        met_ += score.counts.at(0);
    }
    Json corpus() const override {
        Json figures = Json::object();
        figures["exact_match"] = items_ == 0 ? Json(nullptr) : Json(static_cast<double>(met_) / static_cast<double>(items_));
        figures["matches"] = met_;
        return figures;
    }

private:
    int64_t items_ = 0, met_ = 0;
};

}  // namespace

std::unique_ptr<Metric> make_exact_match(const MetricOptions&) {
    return std::make_unique<ExactMatch>();
}

}  // namespace craft
