// `eval table`: results in the layouts of CRAFT's tables (eval/results/table_layouts.h).
#include "cli/command.h"
#include "cli/common.h"
#include "core/files.h"
#include "eval/results/table_layouts.h"

namespace craft {

namespace {

struct EvalTableOptions {
    std::vector<std::string> results;
    TableLayout layout = TableLayout::t3;
    TableFormat format = TableFormat::markdown;
    std::string baseline = "Iter";
    std::string output = "-";
};

void bind(OptionTable& table, EvalTableOptions& o) {
    table
        .add("results", o.results,
             "NAME=FILE, or NAME:c2=FILE for a file that does not say its domain (t9: NAME:style=FILE, NAME:semantic=FILE): "
             "results of `eval`, in t11 manifests of "
             "`revise`; several of one cell are averaged")
        .positional("RESULT")
        .input()
        .filled()
        .required();
    table
        .add_enum(
            "layout", o.layout,
            {{"t3", TableLayout::t3},
             {"t4", TableLayout::t4},
             {"t5", TableLayout::t5},
             {"t6", TableLayout::t6},
             {"t7", TableLayout::t7},
             {"t8", TableLayout::t8},
             {"t9", TableLayout::t9},
             {"t10", TableLayout::t10},
             {"t11", TableLayout::t11},
             {"f8", TableLayout::f8},
             {"e5", TableLayout::e5}},
            "a table or figure of CRAFT: t3 accuracy and quality on C1-C4, t4 and t6 quality on C0, t5 a judge's scores and "
            "the cases that it prefers, t7 accuracy, t8 LaTeX, t9 easy constraints, t10 factuality, t11 cost, f8 F1 of "
            "tools, "
            "e5 all scores of a judge")
        .flag("--layout");
    table
        .add_enum("format", o.format,
                  {{"markdown", TableFormat::markdown}, {"latex", TableFormat::latex}, {"csv", TableFormat::csv}},
                  "latex is a tabular with booktabs' rules")
        .flag("--format");
    table.add("baseline", o.baseline, "the system whose cost is 1 (t11)").flag("--baseline");
    table.add("output", o.output, "the table, - for stdout").flag("--output").output();
}

void check(OptionTable& table, const EvalTableOptions& o) {
    for (const std::string& written : o.results) {
        try {
            table_source(written);
        } catch (const Error& error) {
            table.add_problem(error.what());
        }
    }
}

int run_eval_table(int argc, const char* const* argv);

const Command kEvalTableCommand = {
    "eval table", CommandGroup::evaluate, "results as a table in Markdown, LaTeX or CSV",
    "craft-train eval table --layout t7 A=share/examples/results_a.json B=share/examples/results_b.json", run_eval_table};

int run_eval_table(int argc, const char* const* argv) {
    CommonOptions common;
    EvalTableOptions options;
    OptionTable table;
    bind(table, options);
    if (!parse_command(kEvalTableCommand, table, common, argc, argv, [&](OptionTable& t) { check(t, options); })) return 0;

    std::vector<TableInput> inputs;
    for (const std::string& written : options.results) {
        TableSource source = table_source(written);
        Json document = read_json_file(source.file);
        if (document.is_object()) document.erase("items");  // figures of the corpus alone are shown
        inputs.push_back({std::move(source), std::move(document)});
    }
    const Table made = make_table(options.layout, inputs, options.baseline);
    if (options.format == TableFormat::csv)  // which has no place for notes
        for (const std::string& note : made.notes) log_warning(note);
    OutputFile file(options.output);
    file.write(print_table(made, options.format));
    file.close();
    return 0;
}

}  // namespace

Command eval_table_command() {
    return kEvalTableCommand;
}

}  // namespace craft
