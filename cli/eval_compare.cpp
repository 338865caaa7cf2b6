// `eval compare`: is one result better than another on the same items (docs/comparison.md).
#include "cli/command.h"
#include "cli/common.h"
#include "core/other_cpu_load.h"
#include "eval/results/comparison.h"

namespace craft {

namespace {

enum class Better { by_name, higher, lower };

struct EvalCompareOptions {
    std::string a, b;
    std::vector<std::string> metrics;  // none: the main figure
    std::string output = "-";
    PairedTest test = PairedTest::permutation;  // its p holds for few items, and for many resamples, too
    std::optional<int64_t> resamples;           // absent: 100 for sign, else 10,000
    Better better = Better::by_name;
};

void bind(OptionTable& table, EvalCompareOptions& o) {
    table.add("a", o.a, "a result of `eval`, JSON").flag("--a").input().required();
    table.add("b", o.b, "another one over the same ids").flag("--b").input().required();
    table
        .add("metric", o.metrics,
             "the items' figure to compare; none: the main one of both. Several are corrected by Holm's method")
        .flag("--metric");
    table
        .add_enum(
            "test", o.test,
            {{"permutation", PairedTest::permutation}, {"bootstrap", PairedTest::bootstrap}, {"sign", PairedTest::sign}},
            "permutation: A and B are swapped item by item, two-tailed, for any number of items; bootstrap: share of "
            "resamples in which A is not better; sign: one-tailed over resamples, as in CRAFT, where more of them make p "
            "smaller")
        .flag("--test");
    table.add("resamples", o.resamples, "resamples of the items; none: 100 for sign, else 10,000")
        .flag("--resamples")
        .min(1)
        .max(1e7);
    table
        .add_enum("better", o.better, {{"auto", Better::by_name}, {"higher", Better::higher}, {"lower", Better::lower}},
                  "whether higher or lower is better; auto: lower for perplexity, errors, ne_er and similar figures")
        .flag("--better");
    table.add("output", o.output, "result, JSON, - for stdout").flag("--output").output();
}

int run_eval_compare(int argc, const char* const* argv);

const Command kEvalCompareCommand = {
    "eval compare", CommandGroup::evaluate, "is one result better than another, and is it significant",
    "craft-train eval compare --a share/examples/results_a.json --b share/examples/results_b.json", run_eval_compare};

int run_eval_compare(int argc, const char* const* argv) {
    CommonOptions common;
    EvalCompareOptions options;
    OptionTable table;
    bind(table, options);
    if (!parse_command(kEvalCompareCommand, table, common, argc, argv)) return 0;

    WorkerThreads threads(common.threads);
    ComparisonOptions how{options.test, options.resamples, common.seed, std::nullopt, 1};
    if (options.better != Better::by_name) how.higher_is_better = options.better == Better::higher;
    if (options.metrics.empty()) options.metrics.emplace_back();
    const EvalResult a = read_eval_result(options.a), b = read_eval_result(options.b);
    how.threads = threads.now();
    write_result(options.output, to_json(compare_figures(a, b, options.metrics, how)));
    return 0;
}

}  // namespace

Command eval_compare_command() {
    return kEvalCompareCommand;
}

}  // namespace craft
