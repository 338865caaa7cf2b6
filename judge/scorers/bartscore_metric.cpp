#include "judge/scorers/bartscore_metric.h"

#include "metrics/exact_sum.h"

namespace craft {

namespace {

class BartScoreMetric : public Metric {
public:
    BartScoreMetric(std::shared_ptr<const BartScorer> scorer, ModelSignature model)
        : scorer_(std::move(scorer)), model_(std::move(model)) {}
    std::string name() const override { return "bartscore"; }
    std::string signature() const override {
        return "bartscore|CRAFT-D.3|sentences:" + sentence_rule_name(scorer_->options().sentences) + "," + model_.dtype +
               "|model:" + model_.hash + "|as given";
    }
    Json options() const override {
        return {{"sentences", sentence_rule_name(scorer_->options().sentences)},
                {"model", model_.hash},
                {"dtype", model_.dtype}};
    }
    MetricNeeds needs() const override {
        return {.source = true, .prediction = true, .references = false, .all_items = true};
    }
    ItemScore measure(const MetricItem& item) const override { return measured({item}).at(0); }
    std::vector<ItemScore> measure_all(const std::vector<MetricItem>& items) override { return measured(items); }
    void add(const ItemScore& score) override {
        sum_.add(score.numbers.at(0));
        cut_ += score.counts.at(0);
    }
    Json corpus() const override { return {{"bartscore", value_or_null(sum_.mean())}, {"texts_cut", cut_}}; }

private:
    std::vector<ItemScore> measured(const std::vector<MetricItem>& items) const {
        std::vector<ScoredPair> pairs;
        for (const MetricItem& item : items) pairs.push_back({item.source, item.prediction});
        std::vector<ItemScore> scores;
        for (const BartScoreFigure& figure : scorer_->figures(pairs))
            scores.push_back(
                {.value = figure.value, .parts = Json::object(), .counts = {figure.cut}, .numbers = {figure.value}});
        return scores;
    }

    std::shared_ptr<const BartScorer> scorer_;
    ModelSignature model_;
    ExactSum sum_;
    int64_t cut_ = 0;
};

}  // namespace

std::unique_ptr<Metric> bartscore_metric(std::shared_ptr<const BartScorer> scorer, const ModelSignature& model) {
    return std::make_unique<BartScoreMetric>(std::move(scorer), model);
}

}  // namespace craft
