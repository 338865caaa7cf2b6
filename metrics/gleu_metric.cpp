#include "metrics/gleu_metric.h"

#include <algorithm>

#include "core/error.h"
#include "metrics/gleu_corpus.h"
#include "metrics/gleu_sums.h"
#include "metrics/words.h"

namespace craft {

namespace {

constexpr size_t kCommonCounts = 1 + kGleuOrder;

// What the references have in common first: the prediction's length and its n-grams. Then, for each, its length and matches.
std::vector<int64_t> as_list(const std::vector<GleuCounts>& references) {
    std::vector<int64_t> list;
    list.reserve(kCommonCounts + references.size() * kGleuVariables);
    list.push_back(references[0].prediction_length);
    list.insert(list.end(), references[0].totals.begin(), references[0].totals.end());
    for (const GleuCounts& counts : references) {
        list.push_back(counts.reference_length);
        list.insert(list.end(), counts.matches.begin(), counts.matches.end());
    }
    return list;
}

std::vector<GleuCounts> from_list(const std::vector<int64_t>& list) {
    std::vector<GleuCounts> references((list.size() - kCommonCounts) / kGleuVariables);
    const int64_t* at = list.data() + kCommonCounts;
    for (GleuCounts& counts : references) {
        counts.prediction_length = list[0];
        std::copy_n(list.data() + 1, kGleuOrder, counts.totals.begin());
        counts.reference_length = *at++;
        std::copy_n(at, kGleuOrder, counts.matches.begin());
        at += kGleuOrder;
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
        double sum = 0;
        const auto all = gleu_counts(words(item.source), words(item.prediction), std::move(references));
        for (const GleuCounts& counts : all) sum += gleu(counts, true);
        score.counts = as_list(all);
        score.value = sum / static_cast<double>(item.references.size());
        return score;
    }
    void add(const ItemScore& score) override { corpus_.add(from_list(score.counts)); }
    Json corpus() const override {
        if (corpus_.items() == 0) return {{"gleu", nullptr}};
        const GleuFigures figures = corpus_.figures(draws_, GleuCorpus::kDraws, threads_);
        return {{"gleu", figures.mean}, {"deviation", figures.deviation}};
    }
    void use_threads(int64_t threads) override { threads_ = threads; }
    bool has_summands() const override { return true; }
    std::unique_ptr<CorpusSums> sums(const std::string& figure, const SummedItems& items) const override {
        if (figure != "gleu") return nullptr;
        std::vector<std::vector<GleuCounts>> counts;
        for (const std::vector<int64_t>& list : items.counts) {
            const bool fits = list.size() > kCommonCounts && (list.size() - kCommonCounts) % kGleuVariables == 0;
            if (!fits) throw Error("gleu", "summands of one reference or more", std::to_string(list.size()) + " numbers");
            counts.push_back(from_list(list));
        }
        return gleu_sums(counts, items.places, draws_);
    }

private:
    WordTokenizer tokenizer_;
    bool lowercase_;
    GleuDraws draws_;
    int64_t threads_ = 1;
    GleuCorpus corpus_;
};

}  // namespace

std::unique_ptr<Metric> make_gleu(const MetricOptions& options) {
    return std::make_unique<GleuMetric>(options);
}

}  // namespace craft
