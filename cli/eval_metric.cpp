// `eval metric`: a metric of revised texts against sources and references (docs/metrics.md).
#include <algorithm>
#include <optional>
#include <type_traits>

#include "cli/command.h"
#include "cli/common.h"
#include "cli/evaluation_options.h"
#include "cli/model_metrics.h"
#include "cli/ranks.h"
#include "core/spool.h"
#include "eval/outputs_of_items.h"
#include "metrics/registry.h"
#include "metrics/runner.h"
#include "text/lists.h"

namespace craft {

namespace {

struct EvalMetricOptions {
    std::string metric, input;
    std::string items, outputs;  // or what systems made of items
    bool rounds = false;         // of the outputs
    std::string output = "-";
    bool lowercase = false, cased = false;
    MetricOptions of_metric;
    ModelMetricOptions of_model;
    JsonLinesOptions lines;
};

std::string flag_of(std::string key) {
    for (char& c : key)
        if (c == '_') c = '-';
    return "--" + key;
}

void bind_metric_options(OptionTable& table, EvalMetricOptions& o) {
    for_each_metric_option(o.of_metric, [&](const std::string& key, auto& field, auto&&... names_and_help) {
        if constexpr (std::is_same_v<std::decay_t<decltype(field)>, std::optional<bool>>) {
            table.add("lowercase", o.lowercase, "compare texts ignoring case").flag("--lowercase").excludes("cased");
            table.add("cased", o.cased, "compare texts as they are").flag("--cased");
        } else if constexpr (sizeof...(names_and_help) == 1) {
            table.add(key, field, names_and_help...).flag(flag_of(key));
        } else {
            Option& option = table.add_enum(key, field, names_and_help...).flag(flag_of(key));
            // What --dump-config prints of an option that was not given.
            option.assign = [&field, assign = option.assign](const Json& value) -> std::string {
                if (!value.is_null()) return assign(value);
                field.reset();
                return "";
            };
        }
    });
}

std::vector<std::string> all_metric_names() {
    std::vector<std::string> names = metric_names();
    for (const std::string& name : model_metric_names()) names.push_back(name);
    std::sort(names.begin(), names.end());
    return names;
}

void bind(OptionTable& table, EvalMetricOptions& o) {
    table.add("metric", o.metric, "one of " + join(all_metric_names(), ", ")).positional("NAME").required();
    table
        .add("input", o.input,
             "{\"id\",\"source\",\"prediction\",\"references\":[...]} per line, - for stdin; what the metric does not use "
             "may be absent")
        .flag("--input")
        .input();
    table
        .add("items", o.items,
             "texts instead: {\"id\",\"text\"} per line, with \"references\" where the metric needs them; figures also by "
             "\"domain\"")
        .flag("--items")
        .input()
        .needs("outputs");
    table.add("outputs", o.outputs, "their revisions: {\"id\",\"text\"} per line, - for stdin")
        .flag("--outputs")
        .input()
        .needs("items");
    table.expect_one({.keys = {"input", "items"}, .why = "what is measured"});
    bind_rounds_of_outputs(table, o.rounds).needs("outputs").excludes("idf", "the same references would count once a round");
    table.add("output", o.output, "result, JSON, - for stdout").flag("--output").output();
    bind_metric_options(table, o);
    bind_model_metrics(table, o.of_model);
    bind_json_lines(table, o.lines);
}

std::string unknown_name(const std::string& name, const std::vector<std::string>& known) {
    try {
        throw_unknown("metric", name, known);
    } catch (const Error& error) {
        return error.what();
    }
}

void check(OptionTable& table, EvalMetricOptions& o) {
    if (o.lowercase || o.cased) o.of_metric.lowercase = o.lowercase;
    if (o.metric.empty()) return;  // missing, which is said anyway
    if (const auto names = all_metric_names(); std::find(names.begin(), names.end(), o.metric) == names.end())
        return table.add_problem(unknown_name(o.metric, names));
    check_model_metrics(table, o.metric, o.of_metric);
    if (is_model_metric(o.metric)) return;
    for (const std::string& problem : metric_problems(o.metric, o.of_metric)) {
        const bool of_option = table.find(problem.substr(0, problem.find(':'))) != nullptr;
        table.add_problem(of_option ? flag_of(problem.substr(0, problem.find(':'))) + problem.substr(problem.find(':'))
                                    : problem);
    }
}

// Head and corpus figures first, then a line an item; the rows are put together before the figures are known.
class MetricResult {
public:
    explicit MetricResult(const std::string& output) : output_(output), rows_(spool_folder(output)) {}
    void add(const std::string& row) {
        rows_.write(rows_.empty() ? "    " : ",\n    ");
        rows_.write(row);
    }
    // `read`: what else there is to be told of the corpus.
    void write(const Metric& metric, const MetricRun& run, const Json& read) {
        Json head = Json::object();
        head["metric"] = metric.name();
        head["signature"] = metric.signature();
        head["options"] = metric.options();
        head["corpus"] = run.corpus;
        head["corpus"].update(read);
        head["count"] = run.items;
        head["without_value"] = run.without;
        head["bad_lines"] = run.bad_lines;
        head["empty_predictions"] = run.empty_predictions;
        head["empty_references"] = run.empty_references;
        std::string text = head.dump(2);
        text.resize(text.size() - 2);  // the newline and the brace that close it
        OutputFile file(output_);
        file.write(text + ",\n  \"items\": [\n");
        rows_.copy_to(file);
        file.write("\n  ]\n}\n");
        file.close();
    }

private:
    std::string output_;
    Spool rows_;
};

MetricMaker metric_maker(const EvalMetricOptions& o, const CommonOptions& common) {
    if (is_model_metric(o.metric)) return open_model_metric(o.metric, o.of_model, o.of_metric, common);
    return [&o] { return make_metric(o.metric, o.of_metric); };
}

int run_eval_metric(int argc, const char* const* argv);

const Command kEvalMetricCommand = {"eval metric", CommandGroup::evaluate,
                                    "a metric of revised texts: SARI, BLEU and others",
                                    "craft-train eval metric sari --input share/examples/revisions.jsonl", run_eval_metric};

void measure(EvalMetricOptions options, const CommonOptions& common, Ranks& ranks) {
    // What computes without a model of ours is rank 0's alone.
    const ModelMetric* of_model = find_model_metric(options.metric);
    if (!ranks.is_first() && (of_model == nullptr || of_model->needed != "model")) return;
    options.of_model.ranks = &ranks;
    // Read first: what is wrong with the outputs is said before a model is loaded.
    std::optional<OutputsOfItems> outputs;
    if (!options.outputs.empty()) outputs.emplace(options.outputs, options.rounds, options.lines);
    MetricRunOptions how;
    how.make = metric_maker(options, common);
    const std::unique_ptr<Metric> metric = how.make();
    how.threads = common.threads;
    how.lines = options.lines;
    if (outputs)
        how.read = [&](const Json& row, const std::string& where) { return outputs->read(row, metric->needs(), where); };
    MetricResult result(own_output(options.output, ranks));
    const MetricRun run =
        run_metric(*metric, outputs ? options.items : options.input, how, [&](const std::string& row) { result.add(row); });
    result.write(*metric, run, outputs ? outputs->finish() : Json::object());
}

int run_eval_metric(int argc, const char* const* argv) {
    CommonOptions common;
    EvalMetricOptions options;
    OptionTable table;
    bind(table, options);
    bind_ranks(table, common);
    if (!parse_command(kEvalMetricCommand, table, common, argc, argv, [&](OptionTable& t) { check(t, options); })) return 0;
    return in_ranks(table, common, [&](ProcessGroup& ranks) { measure(options, common, ranks); });
}

}  // namespace

Command eval_metric_command() {
    return kEvalMetricCommand;
}

}  // namespace craft
