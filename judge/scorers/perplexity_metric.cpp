#include "judge/scorers/perplexity_metric.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "metrics/exact_sum.h"

namespace craft {

namespace {

class PerplexityMetric : public Metric {
public:
    PerplexityMetric(std::shared_ptr<const PerplexityScorer> scorer, ModelSignature model)
        : scorer_(std::move(scorer)), model_(std::move(model)) {}
    std::string name() const override { return "perplexity"; }
    std::string signature() const override {
        return "perplexity|CRAFT-D.3|sentences:" + sentence_rule_name(scorer_->options().sentences) + "," + model_.dtype +
               "|model:" + model_.hash + "|as given";
    }
    Json options() const override {
        return {{"sentences", sentence_rule_name(scorer_->options().sentences)},
                {"model", model_.hash},
                {"dtype", model_.dtype}};
    }
    MetricNeeds needs() const override {
        return {.source = false, .prediction = true, .references = false, .all_items = true};
    }
    ItemScore measure(const MetricItem& item) const override { return measured({item}).at(0); }
    std::vector<ItemScore> measure_all(const std::vector<MetricItem>& items) override { return measured(items); }
    void add(const ItemScore& score) override {
        nll_.add(score.numbers.at(0));
        tokens_ += score.counts.at(0);
        if (score.value) items_.add(*score.value);
    }
    Json corpus() const override {
        return {{"perplexity", finite_or_null(TokenNll{nll_.sum(), tokens_})},
                {"mean", value_or_null(items_.mean())},
                {"nll", nll_.sum()},
                {"tokens", tokens_}};
    }

private:
    static Json finite_or_null(const TokenNll& text) {
        const double value = text.perplexity();
        return std::isfinite(value) ? Json(value) : Json(nullptr);
    }
    // The last bits of a sentence's value depend on what is computed beside it: texts are asked for once each and in an
    // order of their own, so that the items' order does not change them.
    std::vector<ItemScore> measured(const std::vector<MetricItem>& items) const {
        std::vector<std::string> texts;
        for (const MetricItem& item : items) texts.push_back(item.prediction);
        std::sort(texts.begin(), texts.end());
        texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
        const std::vector<TokenNll> all = scorer_->likelihoods(texts);
        std::vector<ItemScore> scores;
        for (const MetricItem& item : items) {
            const auto found = std::lower_bound(texts.begin(), texts.end(), item.prediction) - texts.begin();
            const TokenNll& text = all.at(static_cast<size_t>(found));
            if (!std::isfinite(text.sum))
                throw Error("item '" + item.id + "'", "finite log-probabilities", "others", "the weights are broken");
            ItemScore& score = scores.emplace_back();
            if (std::isfinite(text.perplexity())) score.value = text.perplexity();
            score.parts = {{"nll", text.sum}, {"tokens", text.tokens}};
            score.counts = {text.tokens};
            score.numbers = {text.sum};
        }
        return scores;
    }

    std::shared_ptr<const PerplexityScorer> scorer_;
    ModelSignature model_;
    ExactSum nll_, items_;
    int64_t tokens_ = 0;
};

}  // namespace

std::unique_ptr<Metric> perplexity_metric(std::shared_ptr<const PerplexityScorer> scorer, const ModelSignature& model) {
    return std::make_unique<PerplexityMetric>(std::move(scorer), model);
}

}  // namespace craft
