// `gec traces`: what the agent does with sentences whose correction is known, as data to train on: conversations for `sft`,
// pairs for `align --pairs`.
#include "cli/command.h"
#include "cli/gec_options.h"
#include "cli/option_groups.h"
#include "gec/run/trace_run.h"

namespace craft {

namespace {

int run_gec_traces(int argc, const char* const* argv);

const Command kGecTracesCommand = {
    "gec traces",
    CommandGroup::make_data,
    "useful traces of the grammar agent, as conversations and pairs to train on",
    "craft-train gec traces --input share/examples/learners.m2 --output traces.jsonl --model gold --tools none",
    run_gec_traces,
    Work::generation};

void bind_traces(OptionTable& table, TraceRunOptions& o) {
    const auto data = table.group(kDataGroup);
    table
        .add("input", o.gec.input,
             "sentences and their corrections: {\"id\",\"source\",\"target\"} per line, an .m2 file, or a .tsv of two "
             "columns")
        .flag("--input")
        .input()
        .required();
    o.gec.may_be_taught = true;
    bind_gec(table, o.gec);
    table
        .add("mistakes", o.gec.teaching.mistakes,
             "with --model gold: share of sentences in which it first makes a wrong change and undoes it")
        .flag("--mistakes")
        .min(0)
        .max(1)
        .needs({"model", {"gold"}})
        .excludes("no_reflection", "nothing could be undone");
    table
        .add("observed_only", o.gec.teaching.observed_only,
             "with --model gold: make only the corrections that error_parsing suggests; sentences without any are dropped "
             "unless they are correct")
        .flag("--observed-only")
        .needs({"model", {"gold"}})
        .needs({"tools", {"all", "error_parsing"}});
    table.add("pairs", o.pairs, "file of preference pairs, JSON Lines or .h5; empty: none are made")
        .flag("--pairs")
        .output()
        .resumed()
        .needs(OptionState::at_least("samples", 2));
    table.add("scratchpads", o.scratchpads, "file of all traces with their scores; empty: none")
        .flag("--scratchpads")
        .output()
        .resumed();
    table.add("samples", o.samples, "traces per sentence; the best is kept").flag("--samples").min(1).max(1000);
    table.at("model").excludes(OptionState::at_least("samples", 2), "traces of gold are identical").when({"gold"});
    table
        .add_enum("form", o.form,
                  {{"react", TraceForm::react}, {"tool_calls", TraceForm::tool_calls}, {"direct", TraceForm::direct}},
                  "react: the agent's own messages; tool_calls: actions as calls, with tool schemas; direct: no steps, the "
                  "corrected sentence as --method zero_shot asks for it")
        .flag("--form");
    table
        .add_enum("score_by", o.rows.score_by, {{"f0.5", CorrectionMetric::f05}, {"gleu", CorrectionMetric::gleu}},
                  "score of a trace: F0.5 of its edits, or the sentence's GLEU")
        .flag("--score-by")
        .was("worth")
        .was("--worth");
    table.add("penalty", o.rows.penalty, "subtracted from a trace's score for each edit that gold does not have").min(0);
    table.add("min_gap", o.rows.min_gap, "minimum score gap between a pair's sides").flag("--min-gap").min(0);
}

void check_traces(OptionTable& table, TraceRunOptions& o) {
    check_gec(table, o.gec);
    if (o.samples > 1 && !is_taught(o.gec) && o.gec.agent.sampling.temperature == 0)
        table.add_problem("--samples: expected --temperature above 0 with it: greedy traces are identical");
}

int run_gec_traces(int argc, const char* const* argv) {
    CommonOptions common;
    TraceRunOptions options;
    OptionTable table;
    bind_traces(table, options);
    if (!parse_command(kGecTracesCommand, table, common, argc, argv, [&](OptionTable& t) { check_traces(t, options); }))
        return 0;
    options.gec.teaching.seed = common.seed;
    const RunIdentity identity = rows_identity(kGecTracesCommand, table, common, open_placement(common), /*by_parts=*/true);
    make_traces(options, common, common.seed, identity, common.overwrite);
    return 0;
}

}  // namespace

Command gec_traces_command() {
    return kGecTracesCommand;
}

}  // namespace craft
