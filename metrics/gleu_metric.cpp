#include "metrics/gleu_metric.h"

#include "metrics/gleu_corpus.h"
#include "metrics/words.h"

namespace craft {

namespace {

constexpr size_t kNumbersOfReference = 2 + 2 * kGleuOrder;

void append_counts(const GleuCounts& counts, std::vector<int64_t>& numbers) {
    numbers.push_back(counts.prediction_length);
    numbers.push_back(counts.reference_length);
    for (size_t n = 0; n < kGleuOrder; ++n) {
        numbers.push_back(counts.matches[n]);
        numbers.push_back(counts.totals[n]);
    }
}

std::vector<GleuCounts> read_counts(const std::vector<int64_t>& numbers) {
    std::vector<GleuCounts> references;
    for (size_t at = 0; at < numbers.size(); at += kNumbersOfReference) {
        GleuCounts& counts = references.emplace_back();
        counts.prediction_length = numbers[at];
        counts.reference_length = numbers[at + 1];
        for (size_t n = 0; n < kGleuOrder; ++n) {
            counts.matches[n] = numbers[at + 2 + 2 * n];
            counts.totals[n] = numbers[at + 3 + 2 * n];
        }
    }
    return references;
}

class GleuMetric : public Metric {
public:
    explicit GleuMetric(const MetricOptions& options)
        : tokenizer_(options.tokenizer.value_or(WordTokenizer::whitespace)),
          lowercase_(options.lowercase.value_or(false)),
          draws_(options.draws.value_or(GleuDraws::python3)) {}

    std::string name() const override { return "gleu"; }
    std::string signature() const override {
        return "gleu|jfleg-2016-11-04|n:4,draws:" + option_name(draws_) + "|" + option_name(tokenizer_) +
               (lowercase_ ? "|lowercase" : "|as given");
    }
    Json options() const override {
        return {{"tokenizer", option_name(tokenizer_)}, {"lowercase", lowercase_}, {"draws", option_name(draws_)}};
    }
    MetricNeeds needs() const override { return {.source = true, .prediction = true, .references = true}; }

    ItemScore measure(const MetricItem& item) const override {
        const auto words = [this](const std::string& text) { return tokenised(text, tokenizer_, lowercase_); };
        std::vector<std::string> references;
        references.reserve(item.references.size() + 2);  // gleu_counts() puts two before them
        for (const std::string& reference : item.references) references.push_back(words(reference));
        ItemScore score;
        score.counts.reserve(references.size() * kNumbersOfReference);
        double sum = 0;
        for (const GleuCounts& counts : gleu_counts(words(item.source), words(item.prediction), std::move(references))) {
            sum += gleu(counts, true);
            append_counts(counts, score.counts);
        }
        score.value = sum / static_cast<double>(item.references.size());
        return score;
    }
    void add(const ItemScore& score) override { corpus_.add(read_counts(score.counts)); }
    Json corpus() const override {
        if (corpus_.items() == 0) return {{"gleu", nullptr}};
        const GleuFigures figures = corpus_.figures(draws_);
        return {{"gleu", figures.mean}, {"deviation", figures.deviation}};
    }

private:
    WordTokenizer tokenizer_;
    bool lowercase_;
    GleuDraws draws_;
    GleuCorpus corpus_;
};

}  // namespace

std::unique_ptr<Metric> make_gleu(const MetricOptions& options) {
    return std::make_unique<GleuMetric>(options);
}

}  // namespace craft
