// `judge`: which of several candidates is best and which worst, by models, and preference pairs made of that (policy
// simplification §2.2).
#include "cli/command.h"
#include "cli/common.h"
#include "cli/judge_options.h"
#include "cli/ranks.h"
#include "core/files.h"
#include "judge/run/judge_run.h"
#include "judge/run/judging_estimate.h"
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
    bind_ranks(table, common);
    if (!parse_command(kJudgeCommand, table, common, argc, argv, [&](OptionTable& t) { check_judge(t, options); })) return 0;
    if (options.only_compares()) return compare_files(options);
    return judge_candidates(kJudgeCommand, table, common, options);
}

}  // namespace

int judge_candidates(const Command& command, const OptionTable& table, CommonOptions& common, JudgeOptions& options,
                     const std::function<void(const JudgeInput&)>& on_input) {
    std::optional<Guideline> guideline = read_judge_guideline(options);
    if (options.dry_run) {
        const JudgeInput input = read_judge_input(options, common.seed);
        write_stdout(judging_estimate(options, guideline, input, common, common.seed).dump(2) + "\n");
        return 0;
    }
    return in_ranks(table, common, [&](ProcessGroup& ranks) {
        const RunIdentity identity = rows_identity(command, table, common, open_placement(common));
        // Made before the input is read.
        JudgeRun run(options, std::move(guideline), identity, common.overwrite, common, ranks);
        const JudgeInput input = read_judge_input(options, common.seed);
        if (on_input) on_input(input);
        run.run(input);
    });
}

Command judge_command() {
    return kJudgeCommand;
}

}  // namespace craft
