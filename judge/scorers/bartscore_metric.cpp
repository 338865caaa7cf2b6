#include "judge/scorers/bartscore_metric.h"

#include "metrics/exact_sum.h"

namespace craft {

namespace {

class BartScoreMetric : public Metric {
public:
    BartScoreMetric(std::shared_ptr<const BartScorer> scorer, ModelSignature model, bool references)
        : scorer_(std::move(scorer)), model_(std::move(model)), references_(references) {}
    std::string name() const override { return "bartscore"; }
    std::string signature() const override {
        const bool is_plain = direction() == BartScoreDirection::forward && !references_;
        return "bartscore|CRAFT-D.3|sentences:" + sentence_rule_name(scorer_->options().sentences) +
               (is_plain ? "" : ",direction:" + bartscore_direction_name(direction()) + ",against:" + against()) + "," +
               model_.dtype + "|model:" + model_.hash + "|as given";
    }
    Json options() const override {
        return {{"sentences", sentence_rule_name(scorer_->options().sentences)},
                {"direction", bartscore_direction_name(direction())},
                {"against", against()},
                {"model", model_.hash},
                {"dtype", model_.dtype}};
    }
    MetricNeeds needs() const override {
        return {.source = !references_, .prediction = true, .references = references_, .all_items = true};
    }
    ItemScore measure(const MetricItem& item) const override { return measured({item}).at(0); }
    std::vector<ItemScore> measure_all(const std::vector<MetricItem>& items) override { return measured(items); }
    void add(const ItemScore& score) override {
        sum_.add(score.numbers.at(0));
        cut_ += score.counts.at(0);
        if (!is_both()) return;
        forward_.add(score.parts.at("forward").get<double>());
        backward_.add(score.parts.at("backward").get<double>());
    }
    Json corpus() const override {
        Json figures = {{"bartscore", value_or_null(sum_.mean())}};
        if (is_both()) {
            figures["forward"] = value_or_null(forward_.mean());
            figures["backward"] = value_or_null(backward_.mean());
        }
        figures["texts_cut"] = cut_;
        return figures;
    }

private:
    BartScoreDirection direction() const { return scorer_->options().direction; }
    bool is_both() const { return direction() == BartScoreDirection::f; }
    std::string against() const { return references_ ? "references" : "source"; }

    std::vector<ItemScore> measured(const std::vector<MetricItem>& items) const {
        std::vector<ScoredPair> pairs;
        for (const MetricItem& item : items) {
            if (references_)
                for (const std::string& reference : item.references) pairs.push_back({reference, item.prediction});
            else
                pairs.push_back({item.source, item.prediction});
        }
        const std::vector<BartScoreFigure> figures = scorer_->figures(pairs);
        std::vector<ItemScore> scores;
        auto next = figures.begin();
        for (const MetricItem& item : items) {
            const auto count = static_cast<std::ptrdiff_t>(references_ ? item.references.size() : 1);
            scores.push_back(mean_of({next, next + count}));
            next += count;
        }
        return scores;
    }

    ItemScore mean_of(const std::vector<BartScoreFigure>& figures) const {
        double value = 0, forward = 0, backward = 0;
        int64_t cut = 0;
        for (const BartScoreFigure& figure : figures) {
            value += figure.value;
            forward += figure.forward.value_or(0);
            backward += figure.backward.value_or(0);
            cut += figure.cut;
        }
        const auto count = static_cast<double>(figures.size());
        ItemScore score{.value = value / count, .parts = Json::object(), .counts = {cut}, .numbers = {value / count}};
        if (is_both()) score.parts = {{"forward", forward / count}, {"backward", backward / count}};
        return score;
    }

    std::shared_ptr<const BartScorer> scorer_;
    ModelSignature model_;
    bool references_;
    ExactSum sum_, forward_, backward_;
    int64_t cut_ = 0;
};

}  // namespace

std::unique_ptr<Metric> bartscore_metric(std::shared_ptr<const BartScorer> scorer, const ModelSignature& model,
                                         bool references) {
    return std::make_unique<BartScoreMetric>(std::move(scorer), model, references);
}

}  // namespace craft
