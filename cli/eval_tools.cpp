// `eval tools`: F1 of a planner's calls against gold (docs/definitions.md, Scores and Errors of calls).
#include <cstdio>

#include "cli/command.h"
#include "cli/common.h"
#include "eval/tool_eval.h"

namespace craft {

namespace {

struct EvalToolsOptions {
    std::string items, calls, planner;
    std::string output = "-";
    bool errors = false;
    ToolReading reading = ToolReading::strict;
    JsonLinesOptions lines;
};

void bind(OptionTable& table, EvalToolsOptions& o) {
    table.add("items", o.items, "instructions with their gold calls, as `constraints` writes them or rows of CORD")
        .flag("--items")
        .input()
        .required();
    table.add("calls", o.calls, "calls to score, as `plan` writes them: {\"id\",\"calls\"} per line, - for stdin")
        .flag("--calls")
        .input();
    table.add("planner", o.planner, "score the calls that the items record for this planner (planner_calls)")
        .flag("--planner");
    table.expect_one({.keys = {"calls", "planner"}, .why = "whose calls are scored"});
    table
        .add_enum("reading", o.reading, {{"strict", ToolReading::strict}, {"published", ToolReading::published}},
                  "strict parses calls; published compares raw lines, as the paper's figures did")
        .flag("--reading");
    table
        .add("errors", o.errors,
             "also print a table on stderr of what is wrong with the calls: how many errors of each kind, by domain")
        .flag("--errors")
        .excludes({"reading", {"published"}}, "raw lines are not parsed");
    table.add("output", o.output, "result, JSON, - for stdout").flag("--output").output();
    bind_json_lines(table, o.lines);
}

int run_eval_tools(int argc, const char* const* argv);

const Command kEvalToolsCommand = {"eval tools", CommandGroup::evaluate,
                                   "F1 of tool calls against the gold calls of instructions",
                                   "craft-train eval tools --items instructions.jsonl --calls plans.jsonl", run_eval_tools};

int run_eval_tools(int argc, const char* const* argv) {
    CommonOptions common;
    EvalToolsOptions options;
    OptionTable table;
    bind(table, options);
    if (!parse_command(kEvalToolsCommand, table, common, argc, argv)) return 0;

    int64_t bad_lines = 0;
    options.lines.bad_lines = &bad_lines;
    const std::vector<ToolItem> items = read_tool_items(options.items, options.lines);
    const std::vector<PredictedCalls> predictions = options.planner.empty()
                                                        ? read_predicted_calls(options.calls, options.lines)
                                                        : recorded_calls(items, options.planner);
    const ToolEvaluation evaluation = evaluate_tools(items, predictions, options.reading);
    Json result = to_json(evaluation);
    result["bad_lines"] = bad_lines;
    write_result(options.output, result);
    if (options.errors) std::fprintf(stderr, "%s", error_table(evaluation).c_str());
    return 0;
}

}  // namespace

Command eval_tools_command() {
    return kEvalToolsCommand;
}

}  // namespace craft
