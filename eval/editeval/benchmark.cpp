#include "eval/editeval/benchmark.h"

#include <algorithm>
#include <atomic>
#include <set>

#include "core/error.h"
#include "core/files.h"
#include "core/log.h"
#include "core/metrics.h"
#include "core/other_cpu_load.h"
#include "core/rng.h"
#include "core/utf8.h"
#include "eval/editeval/prompts.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

bool is_asked_for(const EditBenchmarkOptions& o, const EditDataset& dataset) {
    const auto holds = [](const std::vector<std::string>& list, const std::string& name) {
        return list.empty() || std::find(list.begin(), list.end(), name) != list.end();
    };
    return holds(o.tasks, task_name(dataset.task)) && holds(o.datasets, dataset.name);
}

void add_ids(const EditDataset& dataset, const ReadDataset& read, EditIds& ids) {
    for (const EditItem& item : read.rows.items)
        if (!ids.known.insert(item.id).second)
            throw Error(dataset.name + ": id '" + item.id + "'", "one that no other data set has", "one that two have");
    ids.dropped.insert(read.rows.dropped_ids.begin(), read.rows.dropped_ids.end());
    ids.absent.insert(ids.absent.end(), read.absent_ids.begin(), read.absent_ids.end());
}

// What the data set has less of than its authors published.
void warn_of_gaps(const EditDataset& dataset, const ReadDataset& read) {
    for (const std::string& split : read.missing_splits)
        log_warning("a split is missing and skipped", {{"dataset", dataset.name}, {"split", split}});
    const int64_t references = references_of(read.rows);
    if (read.rows.items.empty())
        log_warning("a data set has no items", {{"dataset", dataset.name}, {"dropped", read.rows.dropped}});
    else if (references < dataset.expected_references)
        log_warning("a data set has fewer references than its authors published",
                    {{"dataset", dataset.name}, {"references", references}, {"expected", dataset.expected_references}});
}

}  // namespace

std::set<std::string> ChosenDataset::ids() const {
    std::set<std::string> ids;
    for (const EditItem& item : rows.items) ids.insert(item.id);
    return ids;
}

int64_t EditBenchmark::bad_lines() const {
    std::map<fs::path, int64_t> of_files;
    for (const ChosenDataset& one : chosen)
        if (!one.rows.files.empty()) of_files[one.rows.files.front()] = one.bad_lines;
    int64_t all = 0;
    for (const auto& [file, count] : of_files) all += count;
    return all;
}

EditBenchmark read_benchmark(const EditBenchmarkOptions& o, const EditNormaliser& normaliser, uint64_t seed) {
    EditBenchmark all;
    const DataFolder folder(o.data);
    for (const EditDataset& dataset : edit_datasets()) {
        const bool asked = is_asked_for(o, dataset);
        // Others are read for their ids alone, which may stand in a file of predictions.
        if (!asked && o.predictions.empty()) continue;
        ReadDataset read = read_edit_dataset(dataset, folder, o.splits, o.lines);
        add_ids(dataset, read, all.ids);
        if (!asked) continue;
        if (read.rows.files.empty()) {
            all.absent[dataset.name] = dataset.layout;
            log_warning("a data set is missing and skipped", {{"dataset", dataset.name}, {"expected", dataset.layout}});
            continue;
        }
        warn_of_gaps(dataset, read);
        const auto available = static_cast<int64_t>(read.rows.items.size());
        if (o.items > 0) {
            Rng rng(seed, "editeval.items", dataset.name);
            draw_items(read.rows.items, o.items, rng);
        }
        for (EditItem& item : read.rows.items) item = normaliser.prepared(dataset, std::move(item));
        for (const fs::path& file : read.rows.files)
            if (std::find(all.files.begin(), all.files.end(), file) == all.files.end()) all.files.push_back(file);
        all.chosen.push_back({&dataset, std::move(read.rows), available, read.bad_lines, std::move(read.split_counts),
                              std::move(read.missing_splits)});
    }
    if (all.chosen.empty())
        throw Error(o.data.string(), "files of at least one of the data sets", "none", "docs/editeval.md lists their names");
    return all;
}

Json choose_prompts(const EditBenchmarkOptions& o, const EditPredictions* predictions, EditBenchmark& benchmark) {
    const EditPrompts prompts = o.prompts.empty() ? EditPrompts::shipped() : EditPrompts::load(o.prompts);
    for (ChosenDataset& one : benchmark.chosen) {
        const std::vector<std::string>& known = prompts.of(one.dataset->task);
        one.prompts = known;
        if (predictions == nullptr) {
            if (known.empty())
                throw Error(o.prompts.string(), "prompts of " + task_name(one.dataset->task), "none",
                            "exclude the task with --tasks");
            continue;
        }
        const std::set<std::string> ids = one.ids();
        const std::vector<std::string> there = predictions->prompts_of(ids, known);
        if (o.prompts.empty()) {
            one.prompts = there;
        } else if (there.size() > known.size() ||
                   (!there.empty() && std::find(known.begin(), known.end(), there.back()) == known.end())) {
            throw Error(predictions->place_of(ids, there.back()) + ": field 'prompt'",
                        "those of " + task_name(one.dataset->task) + " in " + o.prompts.string(),
                        "'" + shortened(there.back(), 80) + "'");
        }
    }
    Json note = {{"file", o.prompts.empty() ? "share/prompts/editeval.json" : o.prompts.string()},
                 {"version", prompts.version()}};
    if (predictions != nullptr && o.prompts.empty()) note = {{"file", "those of the predictions"}};
    for (const ChosenDataset& one : benchmark.chosen) note["tasks"][task_name(one.dataset->task)] = one.prompts;
    return note;
}

namespace {

// What a data set's result says beside its figures.
Json facts_of(const ChosenDataset& one) {
    Json splits = Json::object();
    for (const auto& [split, count] : one.split_counts)
        splits[split] = {{"count", count}, {"expected", value_or_null(one.dataset->expected_count({split}))}};
    return {{"available", one.available},
            {"splits", splits},
            {"references", {{"count", references_of(one.rows)}, {"expected", one.dataset->expected_references}}},
            {"bad_lines", one.bad_lines},
            {"dropped", one.rows.dropped},
            {"noted", one.rows.noted},
            {"missing_splits", one.missing_splits}};
}

void warn_of_missing(const ChosenDataset& one, const DatasetScores& scores) {
    if (one.prompts.empty())
        log_warning("a data set without any prediction has no figures", {{"dataset", one.dataset->name}});
    else if (const int64_t missing = scores.missing(); missing > 0)
        log_warning("predictions are missing: prompts are measured on different items",
                    {{"dataset", one.dataset->name},
                     {"missing", missing},
                     {"of", scores.count * static_cast<int64_t>(one.prompts.size())}});
    if (const int64_t empty = scores.empty(); empty > 0)
        log_warning("empty predictions are measured like others",
                    {{"dataset", one.dataset->name}, {"empty_predictions", empty}});
}

}  // namespace

EditBenchmarkRun::EditBenchmarkRun(const EditBenchmarkOptions& options, uint64_t seed)
    : options_(options),
      seed_(seed),
      normaliser_(options.normalisation, options.t5_file),
      benchmark_(read_benchmark(options, normaliser_, seed)) {
    JsonLinesOptions lines = options.lines;
    lines.bad_lines = &bad_predictions_;
    if (!options.predictions.empty()) given_ = EditPredictions::read(options.predictions, benchmark_.ids, lines);
    prompts_ = choose_prompts(options, given_ ? &*given_ : nullptr, benchmark_);
}

void EditBenchmarkRun::begin(RunFolder& run) const {
    if (given_) run.replace_former();
    for (const ChosenDataset& one : benchmark_.chosen)
        for (const auto& [reason, count] : one.rows.dropped) run.set_dropped(one.dataset->name + ": " + reason, count);
    run.note("prompts", prompts_);
}

std::vector<EditBenchmarkRun::Question> EditBenchmarkRun::questions() const {
    std::vector<Question> questions;
    for (const ChosenDataset& one : benchmark_.chosen)
        for (const std::string& prompt : one.prompts)
            for (const EditItem& item : one.rows.items) questions.push_back({&item, &prompt});
    return questions;
}

void EditBenchmarkRun::take_answer(const Json& row) {
    const std::string where = "predictions.jsonl";
    answers_.add(string_field(row, "id", where), string_field(row, "prompt", where),
                 optional_string_field(row, "prediction", where));
    const std::string status = string_field(row, "status", where);
    ++counted_[status == "failed" ? string_field(row, "failure", where) : status];
}

bool EditBenchmarkRun::ask(System& system, Asking& asking, RunFolder& run) {
    const fs::path file = run.path() / "predictions.jsonl";
    PartialRows& rows = rows_.emplace(PartialRows::of_stage(
        file, asking.ranks(), [](const Json& row) { return row.value("status", std::string()) != "failed"; }));
    const std::vector<Question> asked = questions();
    const SamplingOptions sampling = edit_sampling(options_.asking);
    std::atomic<bool> has_answer = false;
    const auto answer = [&](size_t number) {
        const auto& [item, prompt] = asked[number];
        const Request request = edit_request(options_.asking, *prompt, *item);
        Json row = prediction_row(options_.asking, *prompt, *item, system.answer({request}, sampling).at(0));
        if (row.at("status") == "finished") has_answer = true;
        return row;
    };
    const auto note = [&] {
        // Until here a run without a usable answer would have taken the former one's place.
        if (has_answer || counted_.contains("finished")) run.replace_former();
        run.note("usage", asking.usage());
        run.save_manifest();
    };
    JsonLinesWriter writer(own_output(file.string(), asking.ranks()));
    const auto write = [&](const Json& row) {
        take_answer(row);
        writer.write(row);
    };
    if (!ask_for_rows(asked_rows("editing", "texts", asked.size(), answer), asking, rows, note, write)) return false;
    if (!asking.ranks().is_first()) return false;
    log_info("answers", counted_);
    run.note("answers", counted_);
    note();
    UsableAnswers answers;
    for (const auto& [status, times] : counted_) answers.add(status == "finished" ? "" : status, times);
    answers.require_any(system.name(), "rerun to retry those that failed");
    writer.close();
    return true;
}

// Figures of all data sets, and what has been made of them.
Json EditBenchmarkRun::scores(const EditPredictions& predictions, const RunFolder& run, ScoreOptions options,
                              int64_t threads) const {
    WorkerThreads workers(threads);
    MetricsLog log(run.path() / "metrics.jsonl", run.path() / "tb", "editeval", -1);
    int64_t step = 0;
    std::vector<DatasetScores> scores;
    Json result = {{"datasets", Json::object()}}, copy = Json::object();
    for (const ChosenDataset& one : benchmark_.chosen) {
        options.threads = workers.now();
        scores.push_back(score_dataset(*one.dataset, one.rows.items, one.prompts, predictions, normaliser_, options,
                                       [&](const PromptScores& prompt) {
                                           Json row = {{"dataset", one.dataset->name}, {"prompt", prompt.prompt}};
                                           row.update(figures_json(prompt.figures));
                                           log.write(step++, row);
                                       }));
        scores.back().expected_count = one.dataset->expected_count(options_.splits);
        Json& object = result["datasets"][one.dataset->name] = to_json(scores.back());
        object.update(facts_of(one));
        warn_of_missing(one, scores.back());
        copy[one.dataset->name] = figures_json(scores.back().copy);
    }
    log.flush();
    result["overall"] = overall_of(scores);
    result["copy"] = std::move(copy);
    result["absent"] = benchmark_.absent;
    result["metrics"] = Json::object();
    for (const EditMetric& metric : edit_metrics())
        if (options.metrics.empty() ||
            std::find(options.metrics.begin(), options.metrics.end(), metric.name) != options.metrics.end())
            result["metrics"][metric.name] = make_metric(metric.name, metric.options)->signature();
    for (const AddedEditMetric& metric : options.added) result["metrics"][metric.name] = metric.make()->signature();
    write_file_atomic(run.path() / "table.txt", score_table(scores));
    write_stdout(score_table(scores));
    return result;
}

// Predictions of data sets that were not asked for, or of items that were not drawn.
void EditBenchmarkRun::note_left_out(RunFolder& run) const {
    std::set<std::string> ids;
    for (const ChosenDataset& one : benchmark_.chosen) ids.merge(one.ids());
    run.set_dropped("predictions of items that are skipped", given_->size() - given_->rows_of(ids));
    for (const auto& [reason, count] : given_->left_out()) {
        run.set_dropped("predictions " + reason, count);
        log_warning("predictions " + reason + " are left out", {{"predictions", count}});
    }
}

// What else decides the figures; null: it does not, or nobody knows.
Json EditBenchmarkRun::settings() const {
    const EditBenchmarkOptions& o = options_;
    Json settings = {{"splits", o.splits}, {"items", o.items}, {"seed", nullptr}, {"t5", nullptr}};
    if (o.items > 0) settings["seed"] = seed_;
    if (!o.t5_file.empty()) settings["t5"] = file_hash(o.t5_file);
    const bool asked = o.predictions.empty();
    settings["first_word"] = asked ? Json(o.asking.first_word) : Json(nullptr);
    settings["most_documents"] = asked ? Json(o.asking.max_documents) : Json(nullptr);
    settings["max_new_tokens"] = asked ? Json(edit_sampling(o.asking).limit()) : Json(nullptr);
    return settings;
}

void EditBenchmarkRun::score(RunFolder& run, const std::vector<AddedEditMetric>& added, int64_t threads) {
    if (given_) note_left_out(run);
    ScoreOptions options = options_.scores;
    options.added = added;
    Json result = scores(given_ ? *given_ : answers_, run, std::move(options), threads);
    result["system"] = given_ ? Json(nullptr) : Json(options_.system);
    result["normalize"] = options_.normalize;
    result["settings"] = settings();
    result["bad_lines"] = bad_predictions_ + benchmark_.bad_lines();
    if (bad_predictions_ > 0) run.set_dropped("bad line of predictions", bad_predictions_);
    result["prompts"] = prompts_;
    result["answers"] = counted_;
    write_json_file(run.path() / "editeval.json", result);
    run.finish();
    if (rows_) rows_->remove();
}

}  // namespace craft
