#include "metrics/bleu.h"

#include "metrics/bleu_counts.h"
#include "metrics/words.h"
#include "text/code_points.h"

namespace craft {

namespace {

// As str.rstrip(), which sacreBLEU does before it tokenises: `intl` sees whether a blank comes after the last mark.
std::string_view without_end(std::string_view text) {
    while (!text.empty()) {
        const CodePoint last = code_point_before(text, text.size());
        if (!is_space(last.value)) break;
        text.remove_suffix(last.bytes);
    }
    return text;
}

struct BleuText {
    WordTokenizer tokenizer;
    bool lowercase;

    std::string words(const std::string& text) const { return tokenised(without_end(text), tokenizer, lowercase); }
    std::string signature() const { return option_name(tokenizer) + "|" + (lowercase ? "lowercase" : "cased"); }
    void describe(Json& options) const {
        options["tokenizer"] = option_name(tokenizer);
        options["lowercase"] = lowercase;
    }
};

Json bleu_parts(const BleuFigure& figure, const BleuCounts& counts) {
    Json parts = Json::object();
    parts["precisions"] = figure.precisions;
    parts["bp"] = figure.brevity_penalty;
    parts["sys_len"] = counts.length;
    parts["ref_len"] = counts.reference_length;
    return parts;
}

double smoothing_value(const MetricOptions& options, BleuSmoothing smoothing) {
    if (smoothing == BleuSmoothing::floor) return options.smoothing_value.value_or(0.1);
    return smoothing == BleuSmoothing::add_k ? options.smoothing_value.value_or(1) : 0;
}

class Bleu : public Metric {
public:
    explicit Bleu(const MetricOptions& options)
        : editeval_(options.variant == MetricVariant::editeval),
          text_{options.tokenizer.value_or(editeval_ ? WordTokenizer::nltk : WordTokenizer::mteval13a),
                options.lowercase.value_or(false)} {
        rule_.smoothing = options.smoothing.value_or(editeval_ ? BleuSmoothing::none : BleuSmoothing::exp);
        rule_.value = smoothing_value(options, rule_.smoothing);
    }

    std::string name() const override { return "bleu"; }
    std::string signature() const override {
        std::string smoothing = option_name(rule_.smoothing);
        if (rule_.value != 0) smoothing += "[" + Json(rule_.value).dump() + "]";
        const std::string version = editeval_ ? "tensorflow/nmt" : "sacreBLEU-2.6.0";
        return "bleu|" + version + "|smoothing:" + smoothing + "|" + text_.signature();
    }
    Json options() const override {
        Json options = Json::object();
        options["variant"] = editeval_ ? "editeval" : "sacrebleu";
        text_.describe(options);
        options["smoothing"] = option_name(rule_.smoothing);
        if (rule_.value != 0) options["smoothing_value"] = rule_.value;
        return options;
    }
    MetricNeeds needs() const override { return {.source = false, .prediction = true, .references = true}; }

    ItemScore measure(const MetricItem& item) const override {
        std::vector<std::string> texts = {text_.words(item.prediction)};
        for (const std::string& reference : item.references) texts.push_back(text_.words(reference));
        const BleuCounts counts = count_bleu(texts, editeval_ ? ReferenceLength::shortest : ReferenceLength::closest);
        const BleuFigure figure = figure_of(counts, true);
        ItemScore score;
        score.value = figure.score;
        score.parts = bleu_parts(figure, counts);
        score.counts = counts.as_list();
        return score;
    }
    void add(const ItemScore& score) override {
        ++items_;
        sums_ += BleuCounts::from_list(score.counts.data());
    }
    Json corpus() const override {
        if (items_ == 0) return Json{{"bleu", nullptr}};
        const BleuFigure figure = figure_of(sums_, false);
        Json figures = Json::object();
        figures["bleu"] = figure.score;
        figures.update(bleu_parts(figure, sums_));
        figures["counts"] = sums_.matches;
        figures["totals"] = sums_.totals;
        return figures;
    }
    size_t summand_count() const override { return BleuCounts::kListSize; }

private:
    BleuFigure figure_of(const BleuCounts& counts, bool of_item) const {
        if (editeval_) return nmt_bleu(counts);
        BleuRule rule = rule_;
        rule.effective_order = of_item;
        return sacre_bleu(counts, rule);
    }

    bool editeval_;
    BleuText text_;
    BleuRule rule_;
    BleuCounts sums_;
    int64_t items_ = 0;
};

class Ibleu : public Metric {
public:
    explicit Ibleu(const MetricOptions& options)
        : text_{options.tokenizer.value_or(WordTokenizer::nltk), options.lowercase.value_or(false)} {}

    std::string name() const override { return "ibleu"; }
    std::string signature() const override { return "ibleu|EditEval-013cd20|alpha:0.9|" + text_.signature(); }
    Json options() const override {
        Json options = Json::object();
        options["alpha"] = kAlpha;
        text_.describe(options);
        return options;
    }
    MetricNeeds needs() const override { return {.source = true, .prediction = true, .references = true}; }

    ItemScore measure(const MetricItem& item) const override {
        std::vector<std::string> texts = {text_.words(item.prediction)};
        const BleuCounts of_source = count_bleu({texts[0], text_.words(item.source)}, ReferenceLength::shortest);
        for (const std::string& reference : item.references) texts.push_back(text_.words(reference));
        const BleuCounts of_references = count_bleu(texts, ReferenceLength::shortest);
        ItemScore score;
        const Json figures = figures_of(of_references, of_source);
        score.value = figures.at("ibleu").get<double>();
        score.parts["bleu"] = figures.at("bleu");
        score.parts["source_bleu"] = figures.at("source_bleu");
        score.counts = of_references.as_list();
        const std::vector<int64_t> more = of_source.as_list();
        score.counts.insert(score.counts.end(), more.begin(), more.end());
        return score;
    }
    void add(const ItemScore& score) override {
        ++items_;
        of_references_ += BleuCounts::from_list(score.counts.data());
        of_source_ += BleuCounts::from_list(score.counts.data() + BleuCounts::kListSize);
    }
    Json corpus() const override {
        if (items_ == 0) return Json{{"ibleu", nullptr}};
        return figures_of(of_references_, of_source_);
    }
    size_t summand_count() const override { return 2 * BleuCounts::kListSize; }

private:
    static constexpr double kAlpha = 0.9;

    static Json figures_of(const BleuCounts& of_references, const BleuCounts& of_source) {
        const double bleu = nmt_bleu(of_references).score, source_bleu = nmt_bleu(of_source).score;
        Json figures = Json::object();
        figures["ibleu"] = kAlpha * bleu - (1 - kAlpha) * source_bleu;
        figures["bleu"] = bleu;
        figures["source_bleu"] = source_bleu;
        return figures;
    }

    BleuText text_;
    BleuCounts of_references_, of_source_;
    int64_t items_ = 0;
};

}  // namespace

std::unique_ptr<Metric> make_bleu(const MetricOptions& options) {
    return std::make_unique<Bleu>(options);
}

std::unique_ptr<Metric> make_ibleu(const MetricOptions& options) {
    return std::make_unique<Ibleu>(options);
}

}  // namespace craft
