#include "eval/editeval/scores.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <iomanip>
#include <mutex>
#include <sstream>
#include <thread>

#include "core/signals.h"
#include "data/revised_text.h"
#include "eval/editeval/statistics.h"

namespace craft {

namespace {

// Measured by several threads in blocks.
std::vector<ItemScore> measured_by_threads(const Metric& metric, const std::vector<MetricItem>& items, int64_t threads) {
    constexpr size_t kBlock = 32;
    std::vector<ItemScore> scores(items.size());
    std::atomic<size_t> next = 0;
    std::mutex mutex;
    std::map<size_t, std::exception_ptr> failures;  // by item: the first one is thrown, whatever thread met it
    const auto work = [&] {
        for (size_t begin = next.fetch_add(kBlock); begin < items.size(); begin = next.fetch_add(kBlock)) {
            for (size_t i = begin; i < std::min(begin + kBlock, items.size()); ++i) {
                try {
                    scores[i] = metric.measure(items[i]);
                } catch (...) {
                    const std::lock_guard<std::mutex> lock(mutex);
                    failures.emplace(i, std::current_exception());
                    return;
                }
            }
        }
    };
    std::vector<std::jthread> others;
    const auto useful = static_cast<int64_t>((items.size() + kBlock - 1) / kBlock);
    for (int64_t i = 1; i < std::min(threads, useful); ++i) others.emplace_back(work);
    work();
    others.clear();
    if (!failures.empty()) std::rethrow_exception(failures.begin()->second);
    return scores;
}

Json corpus_figures(Metric& metric, const std::vector<MetricItem>& items, int64_t threads) {
    const std::vector<ItemScore> scores =
        metric.needs().all_items ? metric.measure_all(items) : measured_by_threads(metric, items, threads);
    for (const ItemScore& score : scores) metric.add(score);
    return metric.corpus();
}

bool is_chosen(const ScoreOptions& options, const std::string& name) {
    return options.metrics.empty() ||
           std::find(options.metrics.begin(), options.metrics.end(), name) != options.metrics.end();
}

EditFigures figures_of(const std::vector<MetricItem>& items, const ScoreOptions& options) {
    EditFigures figures;
    const auto measure = [&](const std::unique_ptr<Metric>& metric, const std::vector<std::string>& keys) {
        Json corpus = Json::object();
        if (!items.empty()) corpus = corpus_figures(*metric, items, options.threads);
        for (const std::string& key : keys)
            figures.emplace_back(key, has_value(corpus, key) ? std::optional(corpus.at(key).get<double>()) : std::nullopt);
    };
    for (const EditMetric& one : edit_metrics())
        if (is_chosen(options, one.name)) measure(make_metric(one.name, one.options), one.figures);
    for (const AddedEditMetric& one : options.added)
        if (is_chosen(options, one.name)) measure(one.make(), one.figures);
    return figures;
}

std::optional<Spread> spread_over_prompts(const DatasetScores& scores, const std::string& figure) {
    std::vector<double> values;
    for (const PromptScores& prompt : scores.prompts)
        for (const auto& [name, value] : prompt.figures)
            if (name == figure && value) values.push_back(*value);
    return spread_of(values);
}

// Sets object["mean"][name] and so on.
void put_spread(Json& object, const std::string& name, const std::optional<Spread>& spread) {
    object["mean"][name] = spread ? Json(spread->mean) : Json(nullptr);
    object["max"][name] = spread ? Json(spread->max) : Json(nullptr);
    object["min"][name] = spread ? Json(spread->min) : Json(nullptr);
    object["cv"][name] = spread ? value_or_null(spread->cv) : Json(nullptr);
}

Json no_spreads() {
    return {{"mean", Json::object()}, {"max", Json::object()}, {"min", Json::object()}, {"cv", Json::object()}};
}

// The mean of what is there; null if nothing is.
Json mean_or_null(const std::vector<double>& values) {
    return values.empty() ? Json(nullptr) : Json(mean_of(values));
}

std::optional<double> figure_of(const EditFigures& figures, const std::string& name) {
    for (const auto& [key, value] : figures)
        if (key == name) return value;
    return std::nullopt;
}

// The copy baseline beside the mean over prompts.
std::optional<double> copy_beside(const DatasetScores& scores, const std::string& figure) {
    if (scores.missing() == 0) return figure_of(scores.copy, figure);
    std::vector<double> values;
    for (const PromptScores& prompt : scores.prompts)
        if (const auto value = figure_of(prompt.missing > 0 ? prompt.copy : scores.copy, figure)) values.push_back(*value);
    return values.empty() ? std::nullopt : std::optional(mean_of(values));
}

std::string cell(const std::optional<Spread>& spread, const std::optional<double>& copy, double scale) {
    std::ostringstream out;
    out << std::fixed << std::setprecision(1);
    if (spread)
        out << scale * spread->mean << " (" << scale * spread->max << ", " << scale * spread->min << ")";
    else
        out << "-";
    if (copy) out << " copy " << scale * *copy;
    return out.str();
}

}  // namespace

const std::vector<EditMetric>& edit_metrics() {
    static const std::vector<EditMetric> kMetrics = [] {
        MetricOptions as_editeval, of_words;
        as_editeval.variant = MetricVariant::editeval;
        of_words.tokenizer = WordTokenizer::nltk;
        return std::vector<EditMetric>{
            {"sari", {}, {"sari"}},
            {"gleu", of_words, {"gleu"}},
            {"exact_match", {}, {"exact_match"}},
            {"diff_match", {}, {"diff_match"}},
            {"insert_delete", {}, {"insert_delete"}},
            {"rouge", {}, {"rouge1", "rouge2", "rougeL"}},
            {"update_rouge", {}, {"update_rouge1", "update_rouge2", "update_rougeLsum"}},
            {"bleu", as_editeval, {"bleu"}},
            {"ibleu", {}, {"ibleu"}},
        };
    }();
    return kMetrics;
}

std::string second_figure(EditTask task) {
    switch (task) {
        case EditTask::fluency:
        case EditTask::clarity:
        case EditTask::coherence:
            return "gleu";
        case EditTask::neutralization:
            return "exact_match";
        case EditTask::updating:
            return "update_rouge1";
        case EditTask::paraphrasing:
        case EditTask::simplification:
            return "";
    }
    return "";
}

DatasetScores score_dataset(const EditDataset& dataset, const std::vector<EditItem>& items,
                            const std::vector<std::string>& prompts, const EditPredictions& predictions,
                            const EditNormaliser& normaliser, const ScoreOptions& options,
                            const std::function<void(const PromptScores&)>& on_prompt) {
    std::vector<MetricItem> plain;
    for (const EditItem& item : items) {
        MetricItem one = {.id = item.id, .source = normaliser.source(dataset, item), .prediction = "", .references = {}};
        one.prediction = one.source;  // the copy baseline
        for (const std::string& reference : item.references)
            one.references.push_back(normaliser.reference(dataset, item, reference));
        plain.push_back(std::move(one));
    }
    DatasetScores scores = {.dataset = &dataset, .count = static_cast<int64_t>(items.size()), .prompts = {}, .copy = {}};
    scores.copy = figures_of(plain, options);
    for (const std::string& prompt : prompts) {
        throw_if_stopped();
        std::vector<MetricItem> predicted, copied;
        int64_t empty = 0;
        for (size_t i = 0; i < items.size(); ++i) {
            const std::string* text = predictions.find(items[i].id, prompt);
            if (text == nullptr) continue;
            copied.push_back(plain[i]);
            predicted.push_back(plain[i]);
            predicted.back().prediction = normaliser.prediction(dataset, items[i], *text);
            empty += is_empty_text(*text) ? 1 : 0;
        }
        PromptScores one = {.prompt = prompt,
                            .items = static_cast<int64_t>(predicted.size()),
                            .missing = static_cast<int64_t>(items.size() - predicted.size()),
                            .empty = empty,
                            .figures = figures_of(predicted, options)};
        if (one.missing > 0) one.copy = figures_of(copied, options);
        if (on_prompt) on_prompt(one);
        scores.prompts.push_back(std::move(one));
    }
    return scores;
}

int64_t DatasetScores::missing() const {
    if (prompts.empty()) return count;
    int64_t all = 0;
    for (const PromptScores& prompt : prompts) all += prompt.missing;
    return all;
}

int64_t DatasetScores::empty() const {
    int64_t all = 0;
    for (const PromptScores& prompt : prompts) all += prompt.empty;
    return all;
}

Json figures_json(const EditFigures& figures) {
    Json object = Json::object();
    for (const auto& [name, value] : figures) object[name] = value_or_null(value);
    return object;
}

Json to_json(const DatasetScores& scores) {
    Json object = {{"task", task_name(scores.dataset->task)},
                   {"abbreviation", scores.dataset->abbreviation},
                   {"count", scores.count},
                   {"expected_count", value_or_null(scores.expected_count)},
                   {"prompts", Json::array()}};
    for (const PromptScores& prompt : scores.prompts) {
        Json one = {{"prompt", prompt.prompt},
                    {"items", prompt.items},
                    {"missing", prompt.missing},
                    {"empty_predictions", prompt.empty},
                    {"metrics", figures_json(prompt.figures)}};
        if (prompt.missing > 0) one["copy"] = figures_json(prompt.copy);
        object["prompts"].push_back(std::move(one));
    }
    object["missing"] = scores.missing();
    object["empty_predictions"] = scores.empty();
    object.update(no_spreads());
    for (const auto& [name, value] : scores.copy) put_spread(object, name, spread_over_prompts(scores, name));
    return object;
}

Json overall_of(const std::vector<DatasetScores>& scores) {
    const auto measured = std::count_if(scores.begin(), scores.end(), [](const DatasetScores& one) {
        return std::any_of(one.prompts.begin(), one.prompts.end(),
                           [](const PromptScores& prompt) { return prompt.items > 0; });
    });
    Json overall = {{"datasets", measured}};
    overall.update(no_spreads());
    if (scores.empty()) return overall;
    for (const auto& [name, value] : scores.front().copy) {
        std::vector<double> means, maxima, minima, cvs;
        for (const DatasetScores& one : scores) {
            const auto spread = spread_over_prompts(one, name);
            if (!spread) continue;
            means.push_back(spread->mean);
            maxima.push_back(spread->max);
            minima.push_back(spread->min);
            if (spread->cv) cvs.push_back(*spread->cv);
        }
        overall["mean"][name] = mean_or_null(means);
        overall["max"][name] = mean_or_null(maxima);
        overall["min"][name] = mean_or_null(minima);
        overall["cv"][name] = mean_or_null(cvs);
    }
    return overall;
}

std::string score_table(const std::vector<DatasetScores>& scores) {
    std::ostringstream out;
    out << std::left << std::setw(20) << "data set" << std::setw(7) << "items" << std::setw(10) << "expected"
        << std::setw(34) << "SARI: mean (max, min)"
        << "second figure\n";
    for (const DatasetScores& one : scores) {
        const std::string second = second_figure(one.dataset->task);
        out << std::setw(20) << one.dataset->name << std::setw(7) << one.count << std::setw(10)
            << (one.expected_count ? std::to_string(*one.expected_count) : "-") << std::setw(34)
            << cell(spread_over_prompts(one, "sari"), copy_beside(one, "sari"), 1);
        if (!second.empty()) out << second << " " << cell(spread_over_prompts(one, second), copy_beside(one, second), 100);
        if (const int64_t missing = one.missing(); missing > 0)
            out << "  missing " << missing << " of "
                << one.count * std::max<int64_t>(1, static_cast<int64_t>(one.prompts.size()));
        out << "\n";
    }
    const Json overall = overall_of(scores);
    const auto number = [](const Json& value) {
        std::ostringstream text;
        text << std::fixed << std::setprecision(1);
        if (value.is_number())
            text << value.get<double>();
        else
            text << "-";
        return text.str();
    };
    if (overall["mean"].contains("sari"))
        out << "mean of " << overall["datasets"] << ": SARI " << number(overall["mean"]["sari"]) << " ("
            << number(overall["max"]["sari"]) << ", " << number(overall["min"]["sari"]) << "), CV "
            << number(overall["cv"]["sari"]) << "\n";
    return out.str();
}

}  // namespace craft
