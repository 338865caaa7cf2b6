// `eval table`: results in the layouts of CRAFT's tables (eval/results/table_layouts.h).
#include <algorithm>

#include "cli/command.h"
#include "cli/common.h"
#include "core/files.h"
#include "eval/cord_eval.h"
#include "eval/results/instruction_tables.h"
#include "eval/results/round_figure.h"
#include "eval/results/table_layouts.h"
#include "text/lists.h"

namespace craft {

namespace {

enum class PageFormat { markdown, latex, csv, svg };

struct EvalTableOptions {
    std::vector<std::string> results;
    TableLayout layout = TableLayout::t3;
    PageFormat format = PageFormat::markdown;
    JsonLinesOptions lines;  // of instructions
    std::string baseline = "Iter";
    bool skip_missing = false;
    std::string output = "-";
    std::map<std::string, std::vector<std::string>> missing;  // by system: files that are skipped
};

void bind(OptionTable& table, EvalTableOptions& o) {
    table
        .add(
            "results", o.results,
            "NAME=FILE, or NAME:c2=FILE for a file that does not say its domain (t9: NAME:style=FILE, NAME:semantic=FILE): "
            "results of `eval`, marks of `judge`, in t11 manifests of `revise`, in t12 and t13 instructions; several of one "
            "cell are averaged")
        .positional("RESULT")
        .input()
        .filled()
        .required();
    table
        .add_enum(
            "layout", o.layout,
            {{"t1", TableLayout::t1},
             {"t2", TableLayout::t2},
             {"t3", TableLayout::t3},
             {"t4", TableLayout::t4},
             {"t5", TableLayout::t5},
             {"t6", TableLayout::t6},
             {"t7", TableLayout::t7},
             {"t8", TableLayout::t8},
             {"t9", TableLayout::t9},
             {"t10", TableLayout::t10},
             {"t11", TableLayout::t11},
             {"t12", TableLayout::t12},
             {"t13", TableLayout::t13},
             {"f3", TableLayout::f3},
             {"f8", TableLayout::f8},
             {"e5", TableLayout::e5}},
            "a table or figure of CRAFT: t1 quality over C0-C4, t2 accuracy and what is gained over the first system, t3 "
            "accuracy and quality on C1-C4, t4 and t6 quality on C0, t5 a judge's marks and the cases that it prefers, t7 "
            "accuracy, t8 LaTeX, t9 easy constraints, t10 factuality, t11 cost, t12 texts by domain, t13 constraints by "
            "sub-type, f3 rounds, f8 F1 of tools, e5 all marks of a judge")
        .flag("--layout");
    table
        .add_enum("format", o.format,
                  {{"markdown", PageFormat::markdown},
                   {"latex", PageFormat::latex},
                   {"csv", PageFormat::csv},
                   {"svg", PageFormat::svg}},
                  "latex is a tabular with booktabs' rules; svg a picture")
        .flag("--format")
        .needs({"layout", {"f3"}}, "the others are tables")
        .when({"svg"});
    table.add("baseline", o.baseline, "the system whose cost is 1 (t11)").flag("--baseline");
    table
        .add("skip_missing", o.skip_missing,
             "leave out files that are not there, and say below the table which; without any it is an error")
        .flag("--skip-missing");
    table.add("output", o.output, "the table, - for stdout").flag("--output").output();
    bind_json_lines(table, o.lines);
}

bool is_there(const std::string& file) {
    std::error_code code;
    return std::filesystem::exists(file, code);
}

void check(OptionTable& table, EvalTableOptions& o) {
    table.at("results").reads({});
    std::vector<std::string> there;
    for (const std::string& written : o.results) {
        try {
            const TableSource source = table_source(written);
            if (o.skip_missing && !is_there(source.file)) {
                o.missing[source.system].push_back(source.file);
                continue;
            }
            table.at("results").reads({source.file});
            there.push_back(written);
        } catch (const Error& error) {
            table.add_problem(error.what());
        }
    }
    if (o.missing.empty()) return;
    if (there.empty())
        table.add_problem("RESULT: expected a file that is there, got none of " + std::to_string(o.results.size()));
    else
        o.results = std::move(there);
}

std::vector<std::string> notes_of_missing(const EvalTableOptions& o) {
    std::vector<std::string> notes;
    for (const auto& [system, files] : o.missing) notes.push_back(system + ": not there: " + join(files, ", "));
    return notes;
}

std::vector<TableInput> read_results(const EvalTableOptions& o) {
    std::vector<TableInput> inputs;
    for (const std::string& written : o.results) {
        TableSource source = table_source(written);
        Json document = read_json_file(source.file);
        if (document.is_object()) document.erase("items");  // figures of the corpus alone are shown
        inputs.push_back({std::move(source), std::move(document)});
    }
    return inputs;
}

// Files of one name are one set.
std::vector<NamedInstructions> read_sets(const EvalTableOptions& o) {
    std::vector<NamedInstructions> sets;
    for (const std::string& written : o.results) {
        const TableSource source = table_source(written);
        if (!source.domain.empty())
            throw Error(source.file, "no domain in its name: instructions say theirs", source.domain);
        auto set = std::find_if(sets.begin(), sets.end(), [&](const auto& one) { return one.name == source.system; });
        if (set == sets.end()) set = sets.insert(set, {source.system, {}});
        for (Instruction& one : read_instructions(source.file, o.lines)) set->instructions.push_back(std::move(one));
    }
    return sets;
}

Table table_of(const EvalTableOptions& o) {
    if (o.layout == TableLayout::t12) return domain_table(read_sets(o));
    if (o.layout == TableLayout::t13) return sub_type_table(read_sets(o));
    return make_table(o.layout, read_results(o), o.baseline);
}

std::string page_of(const EvalTableOptions& o) {
    if (o.format == PageFormat::svg) {
        for (const std::string& note : notes_of_missing(o)) log_warning(note);
        return round_figure_svg(round_figures(read_results(o)));
    }
    Table table = table_of(o);
    for (std::string& note : notes_of_missing(o)) table.notes.push_back(std::move(note));
    if (o.format == PageFormat::csv)  // which has no place for notes
        for (const std::string& note : table.notes) log_warning(note);
    return print_table(table, o.format == PageFormat::csv     ? TableFormat::csv
                              : o.format == PageFormat::latex ? TableFormat::latex
                                                              : TableFormat::markdown);
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

    const std::string page = page_of(options);
    OutputFile file(options.output);
    file.write(page);
    file.close();
    return 0;
}

}  // namespace

Command eval_table_command() {
    return kEvalTableCommand;
}

}  // namespace craft
