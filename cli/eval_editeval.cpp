// `eval editeval`: the EditEval benchmark on any system, or on predictions that were made elsewhere (docs/editeval.md).
#include "cli/command.h"
#include "cli/eval_editeval_options.h"
#include "cli/ranks.h"
#include "core/files.h"
#include "eval/editeval/benchmark.h"
#include "eval/editeval/comparison.h"
#include "metrics/external_metric.h"

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

void evaluate(const EvalEditevalOptions& o, OptionTable& table, const CommonOptions& common, ProcessGroup& group) {
    EditBenchmarkRun benchmark(o, common.seed);
    table.find("data")->reads(benchmark.files());
    RunFolder run = open_run(kEvalEditevalCommand, table, common, group);
    if (run.finished()) return;
    benchmark.begin(run);
    if (!o.system.empty()) {
        AskingRun asking(with_ranks(o.systems, &group), o.flow, open_placement(common), common.seed,
                         run.manifest().value("notes", Json::object()).value("usage", Json()));
        if (!benchmark.ask(asking.open(o.system_spec, "editor"), asking, run)) return;
    }
    if (!group.is_first()) return;
    std::vector<AddedEditMetric> added;
    if (!o.bertscore.model.empty())
        added.push_back({"bertscore", {"bertscore"}, open_model_metric("bertscore", o.bertscore, {}, common)});
    if (!o.lens.command.empty()) added.push_back({"lens", {"lens"}, kept_external_metric("lens", o.lens)});
    benchmark.score(run, added, common.threads);
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
    bind_ranks(table, common);
    if (!parse_command(kEvalEditevalCommand, table, common, argc, argv,
                       [&](OptionTable& t) { check_eval_editeval(t, options); }))
        return 0;
    if (!options.results.empty()) return compare(options, table, common);
    return in_ranks(table, common, [&](ProcessGroup& group) { evaluate(options, table, common, group); });
}

}  // namespace

Command eval_editeval_command() {
    return kEvalEditevalCommand;
}

}  // namespace craft
