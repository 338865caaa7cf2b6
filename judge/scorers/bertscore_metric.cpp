#include "judge/scorers/bertscore_metric.h"

#include "metrics/exact_sum.h"

namespace craft {

namespace {

class BertScoreMetric : public Metric {
public:
    BertScoreMetric(std::shared_ptr<const BertScorer> scorer, ModelSignature model, BertScoreFiles files)
        : scorer_(std::move(scorer)), model_(std::move(model)), files_(std::move(files)) {}
    std::string name() const override { return "bertscore"; }
    std::string signature() const override {
        return "bertscore|bert-score-0.3.13|layer:" + std::to_string(scorer_->layers()) + ",idf:" + documents() +
               ",rescale:" + (files_.baseline.empty() ? "none" : files_.baseline) + "," + model_.dtype +
               "|model:" + model_.hash + "|as given";
    }
    Json options() const override {
        return {{"layer", scorer_->layers()},
                {"idf", documents()},
                {"baseline", files_.baseline.empty() ? Json(nullptr) : Json(files_.baseline)},
                {"model", model_.hash},
                {"dtype", model_.dtype}};
    }
    MetricNeeds needs() const override {
        return {.source = false, .prediction = true, .references = true, .all_items = true};
    }
    ItemScore measure(const MetricItem& item) const override { return measured({item}).at(0); }
    std::vector<ItemScore> measure_all(const std::vector<MetricItem>& items) override { return measured(items); }
    void add(const ItemScore& score) override {
        add_figure(f1_, score.value ? Json(*score.value) : Json(nullptr));
        add_figure(precision_, score.parts.at("precision"));
        add_figure(recall_, score.parts.at("recall"));
        for (size_t i = 0; i < kCounts; ++i) counts_[i] += score.counts.at(i);
    }
    Json corpus() const override {
        Json figures = {{"bertscore", value_or_null(f1_.mean())},
                        {"precision", value_or_null(precision_.mean())},
                        {"recall", value_or_null(recall_.mean())},
                        {"f1", value_or_null(f1_.mean())}};
        static constexpr const char* kNames[kCounts] = {"predictions_cut", "references_cut", "empty_predictions",
                                                        "empty_references"};
        for (size_t i = 0; i < kCounts; ++i) figures[kNames[i]] = counts_[i];
        return figures;
    }

private:
    static constexpr size_t kCounts = 4;

    std::string documents() const {
        if (!scorer_->options().idf) return "none";
        return files_.documents.empty() ? "references" : files_.documents;
    }

    static void add_figure(ExactSum& sum, const Json& figure) {
        if (figure.is_number()) sum.add(figure.get<double>());
    }
    std::vector<ItemScore> measured(const std::vector<MetricItem>& items) const {
        std::vector<BertScoreTexts> texts;
        for (const MetricItem& item : items) texts.push_back({item.prediction, item.references});
        std::vector<ItemScore> scores;
        for (const BertScoreFigures& figures : scorer_->score(texts)) {
            ItemScore& score = scores.emplace_back();
            score.value = figures.f1;
            score.parts = {{"precision", value_or_null(figures.precision)},
                           {"recall", value_or_null(figures.recall)},
                           {"f1", value_or_null(figures.f1)}};
            score.counts = {figures.prediction_cut ? 1 : 0, figures.references_cut, figures.prediction_empty ? 1 : 0,
                            figures.references_empty};
        }
        return scores;
    }

    std::shared_ptr<const BertScorer> scorer_;
    ModelSignature model_;
    BertScoreFiles files_;
    ExactSum precision_, recall_, f1_;
    int64_t counts_[kCounts] = {};
};

}  // namespace

std::unique_ptr<Metric> bertscore_metric(std::shared_ptr<const BertScorer> scorer, const ModelSignature& model,
                                         const BertScoreFiles& files) {
    return std::make_unique<BertScoreMetric>(std::move(scorer), model, files);
}

}  // namespace craft
