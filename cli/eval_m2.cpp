// `eval m2`: the M2 scorer of grammatical error correction.
#include "cli/command.h"
#include "cli/common.h"
#include "cli/edit_options.h"
#include "core/log.h"
#include "metrics/edits/edit_results.h"

namespace craft {

namespace {

struct EvalM2Options {
    std::string hypothesis, gold;
    std::string output = "-";
    M2Options scorer;
};

void bind(OptionTable& table, EvalM2Options& o) {
    table.add("hypothesis", o.hypothesis, "corrected sentences, tokenised as the source, one per line; - for stdin")
        .flag("--hypothesis")
        .input()
        .required();
    table.add("gold", o.gold, "M2 file of the source and its gold edits; - for stdin").flag("--gold").input().required();
    bind_beta(table, o.scorer.beta);
    table.add("max_unchanged_words", o.scorer.limits.max_unchanged_words, "maximum unchanged words within an edit")
        .flag("--max-unchanged-words")
        .min(0)
        .max(1000);
    table
        .add("ignore_whitespace_casing", o.scorer.ignore_whitespace_casing,
             "ignore proposed edits that change only white space or case")
        .flag("--ignore-whitespace-casing");
    table
        .add("max_arcs", o.scorer.limits.max_arcs,
             "maximum edits considered per sentence, some 180 bytes each; more is an error")
        .flag("--max-arcs")
        .min(1);
    table.add("output", o.output, "result, JSON, - for stdout").flag("--output").output();
}

int run_eval_m2(int argc, const char* const* argv);

const Command kEvalM2Command = {
    "eval m2", CommandGroup::evaluate, "corrections of grammar against an M2 file (MaxMatch)",
    "craft-train eval m2 --hypothesis share/examples/corrected.txt --gold share/examples/learners.m2", run_eval_m2};

int run_eval_m2(int argc, const char* const* argv) {
    CommonOptions common;
    EvalM2Options options;
    OptionTable table;
    bind(table, options);
    if (!parse_command(kEvalM2Command, table, common, argc, argv)) return 0;

    const M2File gold = read_m2(options.gold);
    warn_of_passed_lines(gold);
    warn_of_edits_outside(gold, "it is skipped");
    warn_of_repeated_edits(gold, "it counts once");
    warn_of_missing_annotators(gold);
    const SentenceFile hypothesis = read_sentences(options.hypothesis);
    const M2Evaluation evaluation = score_m2(hypothesis, gold, options.scorer);
    if (evaluation.empty_hypotheses > 0)
        log_warning("empty lines of the hypothesis are scored as deletions", {{"lines", evaluation.empty_hypotheses}});
    write_result(options.output, to_json(evaluation, gold, options.scorer));
    return 0;
}

}  // namespace

Command eval_m2_command() {
    return kEvalM2Command;
}

}  // namespace craft
