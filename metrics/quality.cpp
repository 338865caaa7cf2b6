#include "metrics/quality.h"

#include <algorithm>
#include <array>

#include "metrics/exact_sum.h"
#include "metrics/ngrams.h"
#include "metrics/text_units.h"
#include "metrics/words.h"
#include "text/character_similarity.h"
#include "text/utf8.h"

namespace craft {

namespace {

constexpr std::array<const char*, 6> kEstimates{"compression_ratio", "sentence_splits",      "levenshtein_similarity",
                                                "exact_copies",      "additions_proportion", "deletions_proportion"};

double share(double part, double whole) {
    return whole == 0 ? 0 : part / whole;
}

double share_of_counts(size_t part, size_t whole) {
    return share(static_cast<double>(part), static_cast<double>(whole));
}

// How many words two texts have in common, each as often as both have it.
size_t common_words(const NgramIds& ids, size_t a, size_t b) {
    std::vector<int64_t> left(ids.types());
    for (const uint32_t id : ids.of(a)) ++left[id];
    size_t common = 0;
    for (const uint32_t id : ids.of(b))
        if (left[id]-- > 0) ++common;
    return common;
}

// Against the reference that fits best, 0-100.
double token_f1(const std::string& prediction, const std::vector<std::string>& references) {
    std::vector<std::string> texts = {prediction};
    texts.insert(texts.end(), references.begin(), references.end());
    const NgramIds ids(texts);
    double best = 0;
    for (size_t i = 1; i < texts.size(); ++i) {
        const auto common = static_cast<double>(common_words(ids, 0, i));
        const double precision = share(common, static_cast<double>(ids.words(0)));
        const double recall = share(common, static_cast<double>(ids.words(i)));
        best = std::max(best, share(2 * precision * recall, precision + recall));
    }
    return 100 * best;
}

class Quality : public Metric {
public:
    explicit Quality(const MetricOptions& options)
        : tokenizer_(options.tokenizer.value_or(WordTokenizer::mteval13a)),
          sentences_(options.sentences.value_or(SentenceUnit::icu)),
          lowercase_(options.lowercase.value_or(true)) {}

    std::string name() const override { return "quality"; }
    std::string signature() const override {
        return "quality|EASSE-0.2.4|sentences:" + option_name(sentences_) + ",without lexical complexity|" +
               option_name(tokenizer_) + "|" + (lowercase_ ? "lowercase" : "cased");
    }
    Json options() const override {
        Json options = Json::object();
        options["tokenizer"] = option_name(tokenizer_);
        options["lowercase"] = lowercase_;
        options["sentences"] = option_name(sentences_);
        return options;
    }
    MetricNeeds needs() const override { return {.source = true, .prediction = true, .references = false}; }

    ItemScore measure(const MetricItem& item) const override {
        const std::string source = words_of(item.source), prediction = words_of(item.prediction);
        ItemScore score;
        score.numbers = {
            share_of_counts(count_code_points(prediction), count_code_points(source)),
            share_of_counts(text_sentences(item.prediction, sentences_).size(),
                            text_sentences(item.source, sentences_).size()),
            indel_similarity(source, prediction),
            source == prediction ? 1.0 : 0.0,
        };
        add_proportions(source, prediction, score.numbers);
        if (!item.references.empty()) {
            std::vector<std::string> references;
            for (const std::string& reference : item.references) references.push_back(words_of(reference));
            score.numbers.push_back(token_f1(prediction, references));
        }
        score.value = score.numbers[0];
        for (size_t i = 0; i < kEstimates.size(); ++i) score.parts[kEstimates[i]] = score.numbers[i];
        score.parts["f1_token"] = item.references.empty() ? Json(nullptr) : Json(score.numbers.back());
        return score;
    }
    void add(const ItemScore& score) override {
        for (size_t i = 0; i < score.numbers.size(); ++i) sums_.at(i).add(score.numbers[i]);
    }
    Json corpus() const override {
        Json figures = Json::object();
        figures["quality"] = value_or_null(sums_[0].mean());
        for (size_t i = 0; i < kEstimates.size(); ++i) figures[kEstimates[i]] = value_or_null(sums_[i].mean());
        figures["f1_token"] = value_or_null(sums_.back().mean());
        return figures;
    }

private:
    std::string words_of(const std::string& text) const { return tokenised(trim_view(text), tokenizer_, lowercase_); }

    // EASSE cuts the words once more here, by NLTK's NISTTokenizer, whose rules are those of 13a.
    static void add_proportions(const std::string& source, const std::string& prediction, std::vector<double>& numbers) {
        const NgramIds ids({mteval_words(source), mteval_words(prediction)});
        const size_t common = common_words(ids, 0, 1), most = std::max(ids.words(0), ids.words(1));
        numbers.push_back(share_of_counts(ids.words(1) - common, most));
        numbers.push_back(share_of_counts(ids.words(0) - common, most));
    }

    WordTokenizer tokenizer_;
    SentenceUnit sentences_;
    bool lowercase_;
    std::array<ExactSum, kEstimates.size() + 1> sums_;  // the last: f1_token
};

}  // namespace

std::unique_ptr<Metric> make_quality(const MetricOptions& options) {
    return std::make_unique<Quality>(options);
}

}  // namespace craft
