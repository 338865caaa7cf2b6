// `judge`: which of several candidates is best and which worst, by models, and preference pairs made of that (policy
// simplification §2.2).
#include "cli/command.h"
#include "cli/common.h"
#include "cli/judge_estimate.h"
#include "judge/verdicts/judging_figures.h"
#include "judge/verdicts/judging_report.h"

namespace craft {

namespace {

int run_judge(int argc, const char* const* argv);

const Command kJudgeCommand = {
    "judge",
    CommandGroup::revise_and_judge,
    "judge candidates by a guideline, and make preference pairs",
    "craft-train judge --input share/examples/candidates.jsonl --output - --guideline share/guidelines/brief.txt --judge "
    "local:weights/smollm2-135m-instruct.gguf --max-new-tokens 12",
    run_judge,
    Work::generation};

int compare_files(const JudgeOptions& options) {
    const Json compared = compare_judgings(read_judgements(options.compare[0], options.lines),
                                           read_judgements(options.compare[1], options.lines));
    if (options.output == "-")
        write_stdout(comparison_report(compared));
    else
        write_result(options.output, compared);
    return 0;
}

int run_judge(int argc, const char* const* argv) {
    CommonOptions common;
    JudgeOptions options;
    OptionTable table;
    bind_judge(table, options);
    if (!parse_command(kJudgeCommand, table, common, argc, argv, [&](OptionTable& t) { check_judge(t, options); })) return 0;
    if (options.only_compares()) return compare_files(options);
    return judge_candidates(kJudgeCommand, table, common, options);
}

}  // namespace

Command judge_command() {
    return kJudgeCommand;
}

}  // namespace craft
