// `eval cord`: constraint adherence of revised texts (docs/definitions.md, Scores).
#include "cli/command.h"
#include "cli/common.h"
#include "cli/evaluation_options.h"
#include "eval/cord_eval.h"

namespace craft {

namespace {

struct EvalCordOptions {
    std::string items, outputs;
    std::string output = "-";
    Scoring scoring = Scoring::strict;
    SentenceRule sentences = SentenceRule::paper;
    bool rounds = false;
    JsonLinesOptions lines;
};

void bind(OptionTable& table, EvalCordOptions& o) {
    table.add("items", o.items, "instructions with their gold calls, as `constraints` writes them or rows of CORD")
        .flag("--items")
        .input()
        .required();
    table.add("outputs", o.outputs, "revised texts: {\"id\",\"text\"} per line, - for stdin")
        .flag("--outputs")
        .input()
        .required();
    table
        .add_enum("scoring", o.scoring, {{"strict", Scoring::strict}, {"published", Scoring::published}},
                  "strict checks every constraint; published repeats the paper's scoring, defects included")
        .flag("--scoring")
        .needs({"sentences", {"paper"}}, "its figures were made with it")
        .when({"published"});
    bind_sentences(table, o.sentences);
    bind_rounds_of_outputs(table, o.rounds);
    table.add("output", o.output, "result, JSON, - for stdout").flag("--output").output();
    bind_json_lines(table, o.lines);
}

int run_eval_cord(int argc, const char* const* argv);

const Command kEvalCordCommand = {"eval cord", CommandGroup::evaluate, "constraint adherence of revised texts",
                                  "craft-train eval cord --items instructions.jsonl --outputs instructions.jsonl",
                                  run_eval_cord};

int run_eval_cord(int argc, const char* const* argv) {
    CommonOptions common;
    EvalCordOptions options;
    OptionTable table;
    bind(table, options);
    if (!parse_command(kEvalCordCommand, table, common, argc, argv)) return 0;

    int64_t bad_lines = 0;
    options.lines.bad_lines = &bad_lines;
    const std::vector<Instruction> items = read_instructions(options.items, options.lines);
    const std::vector<RevisedText> outputs = options.rounds ? read_revised_rounds(options.outputs, options.lines)
                                                            : read_revised_texts(options.outputs, options.lines);
    const CordEvaluation evaluation = evaluate_cord(items, outputs, options.scoring, options.sentences);
    warn_of_empty_revisions({{"empty_outputs", evaluation.empty_outputs}});
    if (evaluation.failed_outputs > 0)
        log_warning("texts whose revision failed are scored as they were", {{"failed_outputs", evaluation.failed_outputs}});
    Json result = to_json(evaluation);
    result["bad_lines"] = bad_lines;
    if (options.rounds)
        result["corpus"]["by_round"] = evaluate_cord_rounds(items, outputs, options.scoring, options.sentences);
    write_result(options.output, result);
    return 0;
}

}  // namespace

Command eval_cord_command() {
    return kEvalCordCommand;
}

}  // namespace craft
