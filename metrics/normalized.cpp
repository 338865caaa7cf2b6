#include "metrics/normalized.h"

#include "text/treebank_detokenizer.h"

namespace craft {

namespace {

class Detokenized : public Metric {
public:
    explicit Detokenized(std::unique_ptr<Metric> metric) : metric_(std::move(metric)) {}
    std::string name() const override { return metric_->name(); }
    std::string signature() const override {
        return metric_->signature() + ",detokenised-nltk-3.10.4";  // the part before still says what becomes of case
    }
    Json options() const override {
        Json all = metric_->options();
        all["normalize"] = option_name(TextNormalizer::treebank);
        return all;
    }
    MetricNeeds needs() const override { return metric_->needs(); }
    ItemScore measure(const MetricItem& item) const override { return metric_->measure(plain(item)); }
    std::vector<ItemScore> measure_all(const std::vector<MetricItem>& items) override {
        std::vector<MetricItem> all;
        for (const MetricItem& item : items) all.push_back(plain(item));
        return metric_->measure_all(all);
    }
    void add(const ItemScore& score) override { metric_->add(score); }
    Json corpus() const override { return metric_->corpus(); }
    void use_threads(int64_t threads) override { metric_->use_threads(threads); }
    std::string warning() const override { return metric_->warning(); }
    bool has_summands() const override { return metric_->has_summands(); }
    size_t summand_count() const override { return metric_->summand_count(); }
    std::unique_ptr<CorpusSums> sums(const std::string& figure, const SummedItems& items) const override {
        return metric_->sums(figure, items);
    }

private:
    static MetricItem plain(const MetricItem& item) {
        MetricItem made{.id = item.id,
                        .source = treebank_detokenize(item.source),
                        .prediction = treebank_detokenize(item.prediction),
                        .references = {}};
        for (const std::string& reference : item.references) made.references.push_back(treebank_detokenize(reference));
        return made;
    }

    std::unique_ptr<Metric> metric_;
};

}  // namespace

std::unique_ptr<Metric> normalized(std::unique_ptr<Metric> metric, TextNormalizer normalizer) {
    if (normalizer == TextNormalizer::none) return metric;
    return std::make_unique<Detokenized>(std::move(metric));
}

}  // namespace craft
