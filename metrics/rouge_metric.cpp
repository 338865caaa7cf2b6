#include "metrics/rouge_metric.h"

#include <algorithm>

#include "metrics/exact_sum.h"
#include "metrics/rouge.h"
#include "metrics/update_rouge.h"
#include "text/python_list.h"

namespace craft {

namespace {

// Means of figures that every item has, each under its key.
class NamedMeans {
public:
    explicit NamedMeans(std::vector<std::string> keys) : keys_(std::move(keys)), sums_(keys_.size()) {}
    void write(const std::vector<double>& values, Json& object) const {
        for (size_t k = 0; k < keys_.size(); ++k) object[keys_[k]] = values[k];
    }
    void add(const std::vector<double>& values) {
        for (size_t k = 0; k < keys_.size(); ++k) sums_[k].add(values.at(k));
    }
    // The first also under the metric's name.
    Json means(const std::string& name) const {
        Json figures = {{name, value_or_null(sums_[0].mean())}};
        for (size_t k = 0; k < keys_.size(); ++k) figures[keys_[k]] = value_or_null(sums_[k].mean());
        return figures;
    }

private:
    std::vector<std::string> keys_;
    std::vector<ExactSum> sums_;
};

std::vector<std::string> rouge_keys() {
    std::vector<std::string> keys(kRougeNames.begin(), kRougeNames.end());
    for (const std::string kind : kRougeNames) {
        keys.push_back(kind + "_precision");
        keys.push_back(kind + "_recall");
    }
    return keys;
}

int64_t wordless(const std::vector<RougeWords>& texts) {
    return std::count_if(texts.begin(), texts.end(), [](const RougeWords& text) { return text.words.empty(); });
}

std::string wordless_warning(int64_t texts) {
    if (texts == 0) return "";
    return "texts without an ASCII letter or digit always score 0 in ROUGE: " + std::to_string(texts);
}

class Rouge : public Metric {
public:
    explicit Rouge(const MetricOptions& options) : published_(options.variant == MetricVariant::published) {}
    std::string name() const override { return "rouge"; }
    std::string signature() const override {
        return "rouge|rouge-score-0.1.2|" + references() + ",stemmer:no|[a-z0-9]+|as given";
    }
    Json options() const override {
        return {{"variant", option_name(published_ ? MetricVariant::published : MetricVariant::rouge_score)}};
    }
    MetricNeeds needs() const override { return {.source = false, .prediction = true, .references = true}; }
    ItemScore measure(const MetricItem& item) const override {
        const RougeWords prediction(item.prediction);
        std::vector<RougeWords> references;
        if (published_) {
            references.emplace_back(python_list(item.references));
        } else {
            for (const std::string& reference : item.references) references.emplace_back(reference);
        }
        const RougeScores best = best_rouge(rouge(prediction, references));
        ItemScore score;
        for (const RougeScore& kind : best) score.numbers.push_back(kind.f);
        for (const RougeScore& kind : best) score.numbers.insert(score.numbers.end(), {kind.precision, kind.recall});
        score.value = score.numbers[0];
        means_.write(score.numbers, score.parts);
        score.counts = {wordless({prediction}) + wordless(references)};
        return score;
    }
    void add(const ItemScore& score) override {
        means_.add(score.numbers);
        wordless_ += score.counts.at(0);
    }
    Json corpus() const override {
        Json figures = means_.means("rouge");
        figures["texts_without_words"] = wordless_;
        return figures;
    }
    std::string warning() const override { return wordless_warning(wordless_); }

private:
    std::string references() const { return published_ ? "references:printed-list" : "references:best-f"; }
    bool published_;
    NamedMeans means_{rouge_keys()};
    int64_t wordless_ = 0;
};

constexpr std::array<RougeKind, 3> kUpdateKinds{kRouge1, kRouge2, kRougeLsum};

std::vector<std::string> update_keys() {
    std::vector<std::string> keys;
    for (const std::string behind : {"", "_best"})
        for (const RougeKind kind : kUpdateKinds) keys.push_back(std::string("update_") + kRougeNames[kind] + behind);
    return keys;
}

class UpdateRouge : public Metric {
public:
    std::string name() const override { return "update_rouge"; }
    std::string signature() const override {
        return "update_rouge|EditEval-013cd20,rouge-score-0.1.2|references:mean,stemmer:no|[a-z0-9]+|as given";
    }
    Json options() const override { return Json::object(); }
    MetricNeeds needs() const override { return {.source = true, .prediction = true, .references = true}; }
    ItemScore measure(const MetricItem& item) const override {
        const std::vector<RougeScores> references = update_rouge(item.source, item.prediction, item.references);
        ItemScore score;
        std::vector<double> best;
        for (const RougeKind kind : kUpdateKinds) {
            double sum = 0, largest = 0;
            for (const RougeScores& scores : references) {
                sum += scores[kind].f;
                largest = std::max(largest, scores[kind].f);
            }
            score.numbers.push_back(sum / static_cast<double>(references.size()));
            best.push_back(largest);
        }
        score.numbers.insert(score.numbers.end(), best.begin(), best.end());
        score.value = score.numbers[0];
        means_.write(score.numbers, score.parts);
        std::vector<RougeWords> texts{RougeWords(item.prediction)};
        for (const std::string& reference : item.references) texts.emplace_back(reference);
        score.counts = {wordless(texts)};
        return score;
    }
    void add(const ItemScore& score) override {
        means_.add(score.numbers);
        wordless_ += score.counts.at(0);
    }
    Json corpus() const override {
        Json figures = means_.means("update_rouge");
        figures["texts_without_words"] = wordless_;
        return figures;
    }
    std::string warning() const override { return wordless_warning(wordless_); }

private:
    NamedMeans means_{update_keys()};
    int64_t wordless_ = 0;
};

}  // namespace

std::unique_ptr<Metric> make_rouge(const MetricOptions& options) {
    return std::make_unique<Rouge>(options);
}

std::unique_ptr<Metric> make_update_rouge(const MetricOptions&) {
    return std::make_unique<UpdateRouge>();
}

}  // namespace craft
