#include "metrics/gleu_metric.h"

#include "metrics/gleu_corpus.h"
#include "text/treebank.h"
#include "text/words.h"

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
          draws_(options.draws.value_or(GleuDraws::python3)) {}

    std::string name() const override { return "gleu"; }
    std::string signature() const override {
        return "gleu|jfleg-2016-11-04|n:4,draws:" + option_name(draws_) + "|" + option_name(tokenizer_) + "|as given";
    }
    Json options() const override { return {{"tokenizer", option_name(tokenizer_)}, {"draws", option_name(draws_)}}; }
    MetricNeeds needs() const override { return {.source = true, .prediction = true, .references = true}; }

    ItemScore measure(const MetricItem& item) const override {
        const Words source(item.source, tokenizer_), prediction(item.prediction, tokenizer_);
        std::vector<Words> words;
        for (const std::string& reference : item.references) words.emplace_back(reference, tokenizer_);
        std::vector<TokenTexts> references;
        for (const Words& reference : words) references.push_back(reference.views());
        ItemScore score;
        double sum = 0;
        for (const GleuCounts& counts : gleu_counts(source.views(), prediction.views(), references)) {
            sum += gleu(counts, true);
            append_counts(counts, score.counts);
        }
        score.value = sum / static_cast<double>(references.size());
        return score;
    }
    void add(const ItemScore& score) override { corpus_.add(read_counts(score.counts)); }
    Json corpus() const override {
        if (corpus_.items() == 0) return {{"gleu", nullptr}};
        const GleuFigures figures = corpus_.figures(draws_);
        return {{"gleu", figures.mean}, {"deviation", figures.deviation}};
    }

private:
    class Words {
    public:
        Words(const std::string& text, WordTokenizer tokenizer)
            : tokens_(tokenizer == WordTokenizer::nltk ? treebank_tokens(text) : whitespace_words(text)) {}
        TokenTexts views() const { return {tokens_.begin(), tokens_.end()}; }

    private:
        std::vector<std::string> tokens_;
    };

    WordTokenizer tokenizer_;
    GleuDraws draws_;
    GleuCorpus corpus_;
};

}  // namespace

std::unique_ptr<Metric> make_gleu(const MetricOptions& options) {
    return std::make_unique<GleuMetric>(options);
}

}  // namespace craft
