// `eval editeval`: the EditEval benchmark on any system, or on predictions that were made elsewhere (docs/editeval.md).
#include <algorithm>
#include <set>

#include "cli/asking_run.h"
#include "cli/command.h"
#include "cli/eval_editeval_options.h"
#include "core/files.h"
#include "core/metrics.h"
#include "core/neighbours.h"
#include "core/progress.h"
#include "core/utf8.h"
#include "eval/editeval/comparison.h"
#include "eval/editeval/prediction_log.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

int run_eval_editeval(int argc, const char* const* argv);

const Command kEvalEditevalCommand = {
    "eval editeval",
    CommandGroup::evaluate,
    "the EditEval benchmark: seven tasks of editing, several prompts each",
    "craft-train eval editeval --data share/examples/editeval --predictions share/examples/editeval/predictions.jsonl --out "
    "runs/editeval",
    run_eval_editeval,
    Work::generation};

// A data set that is there and asked for, with prepared items.
struct Chosen {
    const EditDataset* dataset = nullptr;
    EditItems rows;
    int64_t available = 0;  // before items were drawn
    int64_t bad_lines = 0;
    std::vector<std::string> missing_splits;
    std::vector<std::string> prompts = {};
};

struct Benchmark {
    std::vector<Chosen> chosen;
    std::map<std::string, std::string> absent;  // data sets that were asked for: their layouts
    EditIds ids;                                // of all data sets, asked for or not, drawn or not
    std::vector<fs::path> files;                // that were read
};

bool is_asked_for(const EvalEditevalOptions& o, const EditDataset& dataset) {
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
        log_warning("a split is not there and left out", {{"dataset", dataset.name}, {"split", split}});
    const int64_t references = references_of(read.rows);
    if (read.rows.items.empty())
        log_warning("a data set has no items", {{"dataset", dataset.name}, {"dropped", read.rows.dropped}});
    else if (references < dataset.expected_references)
        log_warning("a data set has fewer references than its authors published",
                    {{"dataset", dataset.name}, {"references", references}, {"expected", dataset.expected_references}});
}

Benchmark read_benchmark(const EvalEditevalOptions& o, const EditNormaliser& normaliser, uint64_t seed) {
    Benchmark all;
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
            log_warning("a data set is not there and left out", {{"dataset", dataset.name}, {"expected", dataset.layout}});
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
        all.chosen.push_back({&dataset, std::move(read.rows), available, read.bad_lines, std::move(read.missing_splits)});
    }
    if (all.chosen.empty())
        throw Error(o.data.string(), "files of at least one of the data sets", "none", "docs/editeval.md lists their names");
    return all;
}

struct Question {
    const EditItem* item;
    const std::string* prompt;
};

// Whether all was answered: what stands in a batch file was not.
bool ask_system(const EvalEditevalOptions& o, const CommonOptions& common, const Benchmark& benchmark, RunFolder& run,
                PredictionLog& log) {
    AskingRun asking(o.systems, o.flow, common, run.manifest()["notes"].value("usage", Json()));
    System& system = asking.open(o.system_spec, "editor");
    std::vector<Question> questions;
    for (const Chosen& one : benchmark.chosen)
        for (const std::string& prompt : one.prompts)
            for (const EditItem& item : one.rows.items)
                if (!log.all().has_row(item.id, prompt)) questions.push_back({&item, &prompt});
    Progress progress("editing", static_cast<int64_t>(questions.size()) + log.all().size(), "texts", log.all().size());
    size_t next = 0;
    bool is_first = true;
    const SamplingOptions sampling = edit_sampling(o.asking);
    const auto note_usage = [&] {
        log.sync();
        run.note("usage", asking.systems().usage());
        run.note("answers", log.counted());
        run.save_manifest();
    };
    const bool all = asking.run<Question, Json>(
        [&]() { return next < questions.size() ? std::optional(questions[next++]) : std::nullopt; },
        [&](Question& one) {
            const std::vector<Reply> replies = system.answer({edit_request(o.asking, *one.prompt, *one.item)}, sampling);
            return prediction_row(o.asking, *one.prompt, *one.item, replies.at(0));
        },
        [&](Question&, std::optional<Json>& row) {
            if (row) log.add(*row);
            if (row && is_first && row->at("status") == "finished") {
                run.replace_former();  // until here a run without a usable answer would have taken its place
                is_first = false;
            }
            progress.advance();
        },
        note_usage);
    progress.finish();
    note_usage();
    log_info("answers", log.counted());
    asking.report(all);
    if (!all) return false;
    UsableAnswers answers;
    for (const auto& [status, times] : log.counted()) answers.add(status == "finished" ? "" : status, times);
    answers.require_any(system.name(), "the same command asks again for those that failed");
    return all;
}

// Figures of all data sets, and what has been made of them.
Json score_all(const EvalEditevalOptions& o, const CommonOptions& common, const Benchmark& benchmark,
               const EditPredictions& predictions, const EditNormaliser& normaliser, const RunFolder& run) {
    ScoreOptions options = o.scores;
    WorkerThreads threads(common.threads);
    if (!o.bertscore.model.empty())
        options.added.push_back({"bertscore", {"bertscore"}, open_model_metric("bertscore", o.bertscore, {}, common)});
    MetricsLog log(run.path() / "metrics.jsonl", run.path() / "tb", "editeval", -1);
    int64_t step = 0;
    std::vector<DatasetScores> scores;
    Json result = {{"datasets", Json::object()}}, copy = Json::object();
    for (const Chosen& one : benchmark.chosen) {
        options.threads = threads.now();
        scores.push_back(score_dataset(*one.dataset, one.rows.items, one.prompts, predictions, normaliser, options,
                                       [&](const PromptScores& prompt) {
                                           Json row = {{"dataset", one.dataset->name}, {"prompt", prompt.prompt}};
                                           row.update(figures_json(prompt.figures));
                                           log.write(step++, row);
                                       }));
        Json& object = result["datasets"][one.dataset->name] = to_json(scores.back());
        object["available"] = one.available;
        object["references"] = {{"count", references_of(one.rows)}, {"expected", one.dataset->expected_references}};
        object["bad_lines"] = one.bad_lines;
        if (one.prompts.empty())
            log_warning("a data set without any prediction has no figures", {{"dataset", one.dataset->name}});
        else if (const int64_t missing = scores.back().missing(); missing > 0)
            log_warning("predictions are missing: prompts are measured on different items",
                        {{"dataset", one.dataset->name},
                         {"missing", missing},
                         {"of", scores.back().count * static_cast<int64_t>(one.prompts.size())}});
        if (const int64_t empty = scores.back().empty(); empty > 0)
            log_warning("empty predictions are measured like others",
                        {{"dataset", one.dataset->name}, {"empty_predictions", empty}});
        object["dropped"] = one.rows.dropped;
        object["noted"] = one.rows.noted;
        object["missing_splits"] = one.missing_splits;
        copy[one.dataset->name] = figures_json(scores.back().copy);
    }
    log.flush();
    result["overall"] = overall_of(scores);
    result["copy"] = std::move(copy);
    result["absent"] = benchmark.absent;
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

// Where the prompts come from, and which of them each data set has.
Json choose_prompts(const EvalEditevalOptions& o, const EditPrompts& prompts, const EditPredictions* predictions,
                    Benchmark& benchmark) {
    for (Chosen& one : benchmark.chosen) {
        const std::vector<std::string>& known = prompts.of(one.dataset->task);
        one.prompts = known;
        if (predictions == nullptr) {
            if (known.empty())
                throw Error(o.prompts.string(), "prompts of " + task_name(one.dataset->task), "none",
                            "leave the task out with --tasks");
            continue;
        }
        std::set<std::string> ids;
        for (const EditItem& item : one.rows.items) ids.insert(item.id);
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
    for (const Chosen& one : benchmark.chosen) note["tasks"][task_name(one.dataset->task)] = one.prompts;
    return note;
}

// What else decides the figures; null: it does not, or nobody knows.
Json settings_of(const EvalEditevalOptions& o, uint64_t seed) {
    Json settings = {{"splits", o.splits}, {"items", o.items}, {"seed", nullptr}, {"t5", nullptr}};
    if (o.items > 0) settings["seed"] = seed;
    if (!o.t5_file.empty()) settings["t5"] = file_hash(o.t5_file);
    const bool asked = o.predictions.empty();
    settings["first_word"] = asked ? Json(o.asking.first_word) : Json(nullptr);
    settings["most_documents"] = asked ? Json(o.asking.most_documents) : Json(nullptr);
    settings["max_new_tokens"] = asked ? Json(edit_sampling(o.asking).limit()) : Json(nullptr);
    return settings;
}

// Data sets that are parts of the same files have the same bad lines.
int64_t bad_lines_of(const Benchmark& benchmark) {
    std::map<fs::path, int64_t> of_files;
    for (const Chosen& one : benchmark.chosen)
        if (!one.rows.files.empty()) of_files[one.rows.files.front()] = one.bad_lines;
    int64_t all = 0;
    for (const auto& [file, count] : of_files) all += count;
    return all;
}

int evaluate(const EvalEditevalOptions& o, OptionTable& table, const CommonOptions& common) {
    const EditNormaliser normaliser(o.normalisation, o.t5_file);
    const EditPrompts prompts = o.prompts.empty() ? EditPrompts::shipped() : EditPrompts::load(o.prompts);
    Benchmark benchmark = read_benchmark(o, normaliser, common.seed);
    std::optional<EditPredictions> given;
    JsonLinesOptions lines = o.lines;
    int64_t bad_predictions = 0;
    lines.bad_lines = &bad_predictions;
    if (!o.predictions.empty()) given = EditPredictions::read(o.predictions, benchmark.ids, lines);
    const Json asked_with = choose_prompts(o, prompts, given ? &*given : nullptr, benchmark);

    table.find("data")->reads(benchmark.files);
    RunFolder run = open_run(kEvalEditevalCommand, table, common);
    if (run.finished()) return 0;
    if (given) run.replace_former();
    for (const Chosen& one : benchmark.chosen)
        for (const auto& [reason, count] : one.rows.dropped) run.set_dropped(one.dataset->name + ": " + reason, count);
    run.note("prompts", asked_with);
    std::optional<PredictionLog> log;
    if (!given) {
        log.emplace(run.path() / "predictions.jsonl");
        if (!ask_system(o, common, benchmark, run, *log)) return 0;
    }
    if (given) {  // of data sets that were not asked for, or of items that were not drawn
        std::set<std::string> ids;
        for (const Chosen& one : benchmark.chosen)
            for (const EditItem& item : one.rows.items) ids.insert(item.id);
        run.set_dropped("predictions of items that are left out", given->size() - given->rows_of(ids));
        for (const auto& [reason, count] : given->left_out()) {
            run.set_dropped("predictions " + reason, count);
            log_warning("predictions " + reason + " are left out", {{"predictions", count}});
        }
    }
    Json result = score_all(o, common, benchmark, given ? *given : log->all(), normaliser, run);
    result["system"] = given ? Json(nullptr) : Json(o.system);
    result["normalize"] = o.normalize;
    result["settings"] = settings_of(o, common.seed);
    result["bad_lines"] = bad_predictions + bad_lines_of(benchmark);
    if (bad_predictions > 0) run.set_dropped("bad line of predictions", bad_predictions);
    result["prompts"] = asked_with;
    result["answers"] = log ? Json(log->counted()) : Json::object();
    write_json_file(run.path() / "editeval.json", result);
    run.finish();
    return 0;
}

int compare(const EvalEditevalOptions& o, OptionTable& table, const CommonOptions& common) {
    std::vector<fs::path> files;
    for (const std::string& folder : o.results) files.push_back(fs::path(folder) / "editeval.json");
    const EditComparison comparison = compare_editeval(files);
    table.find("results")->reads(files);
    RunFolder run = open_run(kEvalEditevalCommand, table, common);
    if (run.finished()) return 0;
    run.replace_former();
    constexpr size_t kLongestNote = 300;  // lists of prompts stand in comparison.json alone
    for (const ConditionDifference& one : comparison.differences) {
        const Json values = one.values;
        log_warning("results differ in more than the system: " + one.condition,
                    dump_line(values).size() <= kLongestNote ? values : Json::object());
    }
    write_comparison(comparison, o.figure, run.path());
    write_stdout(comparison_table(comparison, o.figure));
    run.finish();
    return 0;
}

int run_eval_editeval(int argc, const char* const* argv) {
    CommonOptions common;
    EvalEditevalOptions options;
    OptionTable table;
    bind_eval_editeval(table, options);
    bind_run(table, common);
    if (!parse_command(kEvalEditevalCommand, table, common, argc, argv,
                       [&](OptionTable& t) { check_eval_editeval(t, options); }))
        return 0;
    return options.results.empty() ? evaluate(options, table, common) : compare(options, table, common);
}

}  // namespace

Command eval_editeval_command() {
    return kEvalEditevalCommand;
}

}  // namespace craft
