#include "judge/scorers/some_metric.h"

#include "metrics/exact_sum.h"

namespace craft {

namespace {

class SomeMetric : public Metric {
public:
    SomeMetric(std::shared_ptr<const SomeScorer> scorer, ModelSignature model)
        : scorer_(std::move(scorer)), model_(std::move(model)) {}
    std::string name() const override { return "some"; }
    std::string signature() const override {
        return "some|CRAFT-D.3|weights:" + weights() + ",tokens:" + std::to_string(scorer_->options().max_tokens) +
               ",sentences:" + sentence_rule_name(scorer_->options().sentences) + "," + model_.dtype +
               "|model:" + model_.hash + "|as given";
    }
    Json options() const override {
        return {{"weights", weights()},
                {"tokens", scorer_->options().max_tokens},
                {"sentences", sentence_rule_name(scorer_->options().sentences)},
                {"model", model_.hash},
                {"dtype", model_.dtype}};
    }
    MetricNeeds needs() const override {
        return {.source = true, .prediction = true, .references = false, .all_items = true};
    }
    ItemScore measure(const MetricItem& item) const override { return measured({item}).at(0); }
    std::vector<ItemScore> measure_all(const std::vector<MetricItem>& items) override { return measured(items); }
    void add(const ItemScore& score) override {
        for (size_t i = 0; i < score.numbers.size(); ++i) sums_[i].add(score.numbers[i]);
        cut_ += score.counts.at(0);
    }
    Json corpus() const override {
        Json figures = Json::object();
        for (size_t i = 0; i < names().size(); ++i) figures[names()[i]] = value_or_null(sums_[i].mean());
        figures["inputs_cut"] = cut_;
        return figures;
    }

private:
    std::string weights() const { return scorer_->options().grammaticality_alone ? "1/0/0" : ".55/.43/.02"; }
    std::vector<std::string> names() const {
        if (scorer_->options().grammaticality_alone) return {"some", "grammaticality"};
        return {"some", "grammaticality", "fluency", "meaning"};
    }
    std::vector<ItemScore> measured(const std::vector<MetricItem>& items) const {
        std::vector<ScoredPair> pairs;
        for (const MetricItem& item : items) pairs.push_back({item.source, item.prediction});
        std::vector<ItemScore> scores;
        for (const SomeFigures& figures : scorer_->figures(pairs)) {
            ItemScore& score = scores.emplace_back();
            score.value = figures.some;
            score.counts = {figures.cut};
            score.numbers = {figures.some, figures.grammaticality};
            if (figures.fluency) score.numbers.push_back(*figures.fluency);
            if (figures.meaning) score.numbers.push_back(*figures.meaning);
            for (size_t i = 1; i < score.numbers.size(); ++i) score.parts[names()[i]] = score.numbers[i];
        }
        return scores;
    }

    std::shared_ptr<const SomeScorer> scorer_;
    ModelSignature model_;
    ExactSum sums_[4];
    int64_t cut_ = 0;
};

}  // namespace

std::unique_ptr<Metric> some_metric(std::shared_ptr<const SomeScorer> scorer, const ModelSignature& model) {
    return std::make_unique<SomeMetric>(std::move(scorer), model);
}

}  // namespace craft
