#include "metrics/sari.h"

#include <algorithm>
#include <array>
#include <limits>

#include "metrics/ngrams.h"
#include "metrics/words.h"
#include "text/utf8.h"

namespace craft {

namespace {

constexpr size_t kAdd = 0, kKeep = 1, kDelete = 2, kOperations = 3;
constexpr size_t kCorrect = 0, kSystem = 1, kReference = 2, kSariCounts = 3;

// Counts by operation, kind and n, in this order in ItemScore::counts.
constexpr size_t count_index(size_t operation, size_t kind, size_t n) {
    return (operation * kSariCounts + kind) * kMaxNgram + n;
}
constexpr size_t kSariSize = kOperations * kSariCounts * kMaxNgram;
using SariStatistics = std::array<int64_t, kSariSize>;

// How often each n-gram stands in source, prediction and all references together.
struct NgramTally {
    std::vector<int64_t> source, prediction, references;

    explicit NgramTally(const NgramIds& ids, size_t texts)
        : source(ids.types()), prediction(ids.types()), references(ids.types()) {
        for (const uint32_t id : ids.of(0)) ++source[id];
        for (const uint32_t id : ids.of(1)) ++prediction[id];
        for (size_t text = 2; text < texts; ++text)
            for (const uint32_t id : ids.of(text)) ++references[id];
    }
};

// Added n-grams count once each. Kept and deleted ones count as often as they stand there, those of source and prediction
// times the number of references, so that an n-gram that half of the references keep is half kept.
void count_ngrams(const NgramTally& tally, int64_t references, size_t n, SariStatistics& counts) {
    const auto count = [&](size_t operation, int64_t system, int64_t reference, int64_t correct) {
        counts[count_index(operation, kSystem, n)] += system;
        counts[count_index(operation, kReference, n)] += reference;
        counts[count_index(operation, kCorrect, n)] += correct;
    };
    for (size_t id = 0; id < tally.source.size(); ++id) {
        const int64_t source = tally.source[id] * references, prediction = tally.prediction[id] * references;
        const int64_t wanted = tally.references[id];
        if (source == 0) {
            const bool added = prediction > 0, to_add = wanted > 0;
            count(kAdd, added ? 1 : 0, to_add ? 1 : 0, added && to_add ? 1 : 0);
            continue;
        }
        const int64_t kept = std::min(source, prediction), to_keep = std::min(source, wanted);
        count(kKeep, kept, to_keep, std::min(kept, to_keep));
        const int64_t deleted = source - kept, to_delete = source - to_keep;
        count(kDelete, deleted, to_delete, std::min(deleted, to_delete));
    }
}

double ratio(int64_t part, int64_t whole) {
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

double harmonic_mean(double precision, double recall) {
    return precision > 0 && recall > 0 ? 2 * precision * recall / (precision + recall) : 0.0;
}

double operation_score(const SariStatistics& counts, size_t operation, MetricVariant variant) {
    const bool precision_alone = operation == kDelete && variant == MetricVariant::del_precision;
    double precisions = 0, recalls = 0, scores = 0;
    for (size_t n = 0; n < kMaxNgram; ++n) {
        const int64_t correct = counts[count_index(operation, kCorrect, n)];
        const double precision = ratio(correct, counts[count_index(operation, kSystem, n)]);
        const double recall = ratio(correct, counts[count_index(operation, kReference, n)]);
        precisions += precision / kMaxNgram;
        recalls += recall / kMaxNgram;
        scores += (precision_alone ? precision : harmonic_mean(precision, recall)) / kMaxNgram;
    }
    return 100 * (variant == MetricVariant::micro ? harmonic_mean(precisions, recalls) : scores);
}

struct SariScores {
    double sari = 0, add = 0, keep = 0, del = 0;
};

SariScores scores_of(const SariStatistics& counts, MetricVariant variant) {
    SariScores scores;
    scores.add = operation_score(counts, kAdd, variant);
    scores.keep = operation_score(counts, kKeep, variant);
    scores.del = operation_score(counts, kDelete, variant);
    scores.sari = (scores.add + scores.keep + scores.del) / 3;
    return scores;
}

class Sari : public Metric {
public:
    explicit Sari(const MetricOptions& options)
        : variant_(options.variant.value_or(MetricVariant::easse)),
          tokenizer_(options.tokenizer.value_or(WordTokenizer::mteval13a)),
          lowercase_(options.lowercase.value_or(variant_ != MetricVariant::legacy)) {}

    std::string name() const override { return "sari"; }
    std::string signature() const override {
        return "sari|EASSE-0.2.4|" + option_name(variant_) + "|" + option_name(tokenizer_) + "|" +
               (lowercase_ ? "lowercase" : "cased");
    }
    Json options() const override {
        Json options = Json::object();
        options["variant"] = option_name(variant_);
        options["tokenizer"] = option_name(tokenizer_);
        options["lowercase"] = lowercase_;
        return options;
    }
    // How many references count is known when all items are.
    MetricNeeds needs() const override {
        return {.source = true, .prediction = true, .references = true, .all_items = variant_ == MetricVariant::published};
    }
    std::vector<ItemScore> measure_all(const std::vector<MetricItem>& items) override {
        size_t fewest = std::numeric_limits<size_t>::max();
        if (variant_ == MetricVariant::published)
            for (const MetricItem& item : items) fewest = std::min(fewest, item.references.size());
        std::vector<ItemScore> scores;
        for (const MetricItem& item : items) {
            MetricItem cut = item;
            if (cut.references.size() > fewest) {
                references_cut_ += static_cast<int64_t>(cut.references.size() - fewest);
                cut.references.resize(fewest);
            }
            scores.push_back(measure(cut));
        }
        return scores;
    }

    ItemScore measure(const MetricItem& item) const override {
        const SariStatistics counts = statistics(item);
        const SariScores scores = scores_of(counts, variant_);
        ItemScore score;
        score.value = scores.sari;
        score.parts["add"] = scores.add;
        score.parts["keep"] = scores.keep;
        score.parts["del"] = scores.del;
        score.counts.assign(counts.begin(), counts.end());
        return score;
    }
    void add(const ItemScore& score) override {
        ++items_;
        for (size_t i = 0; i < kSariSize; ++i) sums_[i] += score.counts.at(i);
    }
    Json corpus() const override {
        if (items_ == 0) return Json{{"sari", nullptr}};
        const SariScores scores = scores_of(sums_, variant_);
        Json figures = Json::object();
        figures["sari"] = scores.sari;
        figures["add"] = scores.add;
        figures["keep"] = scores.keep;
        figures["del"] = scores.del;
        if (variant_ == MetricVariant::published) figures["references_cut"] = references_cut_;
        return figures;
    }
    size_t summand_count() const override { return kSariSize; }

private:
    SariStatistics statistics(const MetricItem& item) const {
        const bool legacy = variant_ == MetricVariant::legacy;
        std::vector<std::string> texts;
        texts.reserve(2 + item.references.size());
        texts.push_back(legacy ? tokenised(item.source, WordTokenizer::whitespace, false) : words_of(item.source));
        texts.push_back(words_of(item.prediction));
        for (const std::string& reference : item.references) texts.push_back(words_of(reference));
        SariStatistics counts{};
        NgramIds ids(texts);
        for (size_t n = 0; n < kMaxNgram; ++n) {
            if (n > 0) ids.advance();
            count_ngrams(NgramTally(ids, texts.size()), static_cast<int64_t>(item.references.size()), n, counts);
        }
        return counts;
    }
    // EASSE's commands read texts line by line, without white space at the ends.
    std::string words_of(const std::string& text) const { return tokenised(trim_view(text), tokenizer_, lowercase_); }

    MetricVariant variant_;
    WordTokenizer tokenizer_;
    bool lowercase_;
    SariStatistics sums_{};
    int64_t items_ = 0;
    int64_t references_cut_ = 0;  // by the variant `published`
};

}  // namespace

std::unique_ptr<Metric> make_sari(const MetricOptions& options) {
    return std::make_unique<Sari>(options);
}

}  // namespace craft
