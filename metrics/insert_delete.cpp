#include "metrics/insert_delete.h"

#include <algorithm>

#include "metrics/exact_sum.h"
#include "metrics/id_counts.h"
#include "metrics/ngrams.h"
#include "metrics/words.h"

namespace craft {

namespace {

struct Shared {
    size_t both = 0, prediction = 0, reference = 0;
    double ratio() const {
        if (prediction == 0 && reference == 0) return 1;
        return static_cast<double>(both) / static_cast<double>(std::max(prediction, reference));
    }
};

// The n-grams that each of two texts has and the source lacks.
Shared insertions(const IdCounts& source, const IdCounts& prediction, const IdCounts& reference) {
    Shared shared;
    for (const uint32_t id : prediction.distinct()) {
        if (source[id] > 0) continue;
        ++shared.prediction;
        if (reference[id] > 0) ++shared.both;
    }
    for (const uint32_t id : reference.distinct()) shared.reference += source[id] > 0 ? 0 : 1;
    return shared;
}

// The n-grams of the source that each of two texts lacks.
Shared deletions(const IdCounts& source, const IdCounts& prediction, const IdCounts& reference) {
    Shared shared;
    for (const uint32_t id : source.distinct()) {
        const bool mine = prediction[id] == 0, theirs = reference[id] == 0;
        shared.prediction += mine ? 1 : 0;
        shared.reference += theirs ? 1 : 0;
        shared.both += mine && theirs ? 1 : 0;
    }
    return shared;
}

class InsertDelete : public Metric {
public:
    std::string name() const override { return "insert_delete"; }
    std::string signature() const override { return "insert_delete|EditEval-013cd20|n:1-3|whitespace|as given"; }
    Json options() const override { return Json::object(); }
    MetricNeeds needs() const override { return {.source = true, .prediction = true, .references = true}; }
    ItemScore measure(const MetricItem& item) const override {
        const auto words = [](const std::string& text) { return tokenised(text, WordTokenizer::whitespace, false); };
        std::vector<std::string> references;
        for (const std::string& reference : item.references) references.push_back(words(reference));
        ItemScore score;
        score.value = insert_delete(words(item.source), words(item.prediction), references);
        score.numbers = {*score.value};
        return score;
    }
    void add(const ItemScore& score) override { sum_.add(score.numbers.at(0)); }
    Json corpus() const override { return {{"insert_delete", value_or_null(sum_.mean())}}; }

private:
    ExactSum sum_;
};

}  // namespace

double insert_delete(const std::string& source, const std::string& prediction, const std::vector<std::string>& references) {
    std::vector<std::string> texts{source, prediction};
    texts.insert(texts.end(), references.begin(), references.end());
    std::vector<double> scores(references.size(), 0);
    NgramIds ngrams(texts);
    for (int n = 1; n <= 3; ++n) {
        if (n > 1) ngrams.advance();
        IdCounts from(ngrams.types()), mine(ngrams.types()), theirs(ngrams.types());
        from.set(ngrams.of(0));
        mine.set(ngrams.of(1));
        for (size_t r = 0; r < scores.size(); ++r) {
            theirs.set(ngrams.of(r + 2));
            scores[r] += (insertions(from, mine, theirs).ratio() + deletions(from, mine, theirs).ratio()) / 2;
        }
    }
    return *std::max_element(scores.begin(), scores.end()) / 3;
}

std::unique_ptr<Metric> make_insert_delete(const MetricOptions&) {
    return std::make_unique<InsertDelete>();
}

}  // namespace craft
