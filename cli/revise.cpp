// `revise`: texts revised by one of several methods on any systems; each row with what it cost and how it came about.
#include "cli/command.h"
#include "cli/english_options.h"
#include "cli/ranks.h"
#include "cli/revise_options.h"
#include "core/files.h"
#include "rollout/revision_estimate.h"

namespace craft {

namespace {

int run_revise(int argc, const char* const* argv);

const Command kReviseCommand = {
    "revise",
    CommandGroup::revise_and_judge,
    "revise texts: directly, by a plan, in rounds, best of several, by a search",
    "craft-train revise --reviser local:weights/smollm2-135m-instruct.gguf --method direct --text \"The mill was built in "
    "1841. It "
    "was closed, due to the fact that the river silted up.\" --instruction \"Use less than 15 words:\"",
    run_revise,
    Work::generation};

int run_revise(int argc, const char* const* argv) {
    CommonOptions common;
    ReviseOptions options;
    OptionTable table;
    bind_revise(table, options);
    bind_ranks(table, common);
    if (!parse_command(kReviseCommand, table, common, argc, argv, [&](OptionTable& t) { check_revise(t, options); }))
        return 0;
    const NameFinder names = find_names(options.english);
    table.add_fact("names", names.signature);
    options.environment.prompt =
        planner_prompt(options.environment.prompt, options.planner_spec.model, options.planner_spec.adapter,
                       options.method.method == Method::plan && !options.method.planner.constrain_calls ? "plan" : "full");
    options.method.preserve.find_names = options.model_reviser.preserve.find_names = names.find;
    if (options.dry_run) {
        write_stdout(revision_estimate(options).dump(2) + "\n");
        return 0;
    }
    return in_ranks(table, common, [&](ProcessGroup& group) {
        const Placement place = open_placement(common);
        if (options.text.empty())
            revise_file(options, place, common.seed, rows_identity(kReviseCommand, table, common, place), common.overwrite,
                        group);
        else
            group.run_on_first_rank([&] { revise_one(options, place, common.seed); });
    });
}

}  // namespace

Command revise_command() {
    return kReviseCommand;
}

}  // namespace craft
