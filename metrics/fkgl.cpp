#include "metrics/fkgl.h"

#include <algorithm>

#include "metrics/syllables.h"
#include "metrics/text_units.h"
#include "metrics/words.h"

namespace craft {

namespace {

struct ReadingCounts {
    int64_t words = 0, sentences = 0, syllables = 0;

    double grade() const {
        if (words == 0) return 0;
        const auto all = static_cast<double>(words);
        return std::max(
            0.0, 0.39 * (all / static_cast<double>(sentences)) + 11.8 * (static_cast<double>(syllables) / all) - 15.59);
    }
    void describe(Json& figures) const {
        figures["words"] = words;
        figures["sentences"] = sentences;
        figures["syllables"] = syllables;
    }
};

class Fkgl : public Metric {
public:
    explicit Fkgl(const MetricOptions& options)
        : tokenizer_(options.tokenizer.value_or(WordTokenizer::mteval13a)),
          sentences_(options.sentences.value_or(SentenceUnit::line)) {}

    std::string name() const override { return "fkgl"; }
    std::string signature() const override {
        return "fkgl|EASSE-0.2.4|sentences:" + option_name(sentences_) + "|" + option_name(tokenizer_) + "|lowercase";
    }
    Json options() const override {
        Json options = Json::object();
        options["tokenizer"] = option_name(tokenizer_);
        options["sentences"] = option_name(sentences_);
        return options;
    }
    MetricNeeds needs() const override { return {.source = false, .prediction = true, .references = false}; }

    ItemScore measure(const MetricItem& item) const override {
        const ReadingCounts counts = count(item.prediction);
        ItemScore score;
        score.value = counts.grade();
        counts.describe(score.parts);
        score.counts = {counts.words, counts.sentences, counts.syllables};
        return score;
    }
    void add(const ItemScore& score) override {
        ++items_;
        sums_.words += score.counts.at(0);
        sums_.sentences += score.counts.at(1);
        sums_.syllables += score.counts.at(2);
    }
    Json corpus() const override {
        if (items_ == 0) return Json{{"fkgl", nullptr}};
        Json figures = Json::object();
        figures["fkgl"] = sums_.grade();
        sums_.describe(figures);
        return figures;
    }
    size_t summand_count() const override { return 3; }

private:
    ReadingCounts count(const std::string& text) const {
        ReadingCounts counts;
        for (const std::string_view sentence : text_sentences(text, sentences_)) {
            const std::string tokens = tokenised(sentence, tokenizer_, true);
            if (tokens.empty()) continue;
            ++counts.sentences;
            for_each_token(tokens, [&](std::string_view word) {
                ++counts.words;
                counts.syllables += count_syllables(word);
            });
        }
        if (text_is_one_line(counts)) counts.sentences = 1;
        return counts;
    }
    // A text without words is a line all the same, as in a file of one sentence a line.
    bool text_is_one_line(const ReadingCounts& counts) const {
        return sentences_ == SentenceUnit::line && counts.sentences == 0;
    }

    WordTokenizer tokenizer_;
    SentenceUnit sentences_;
    ReadingCounts sums_;
    int64_t items_ = 0;
};

}  // namespace

std::unique_ptr<Metric> make_fkgl(const MetricOptions& options) {
    return std::make_unique<Fkgl>(options);
}

}  // namespace craft
