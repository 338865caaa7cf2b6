// `simplify pairs`: `judge` with what a policy asks for: its guideline, its aspect, and its instruction as the pairs' prompt
// (policy simplification §2.2, App. A.2.2).
#include "cli/command.h"
#include "cli/common.h"
#include "cli/judge_estimate.h"
#include "core/files.h"
#include "simplify/policy.h"

namespace craft {

namespace {

int run_simplify_pairs(int argc, const char* const* argv);

const Command kSimplifyPairsCommand = {
    "simplify pairs", CommandGroup::revise_and_judge, "judge simplifications by their policy, and make preference pairs",
    "craft-train simplify pairs --input candidates.jsonl --policy rewriting --judge rules --output pairs.jsonl",
    run_simplify_pairs};

// What was not given is the policy's own.
void set_defaults(OptionTable& table, SimplificationPolicy policy, JudgeOptions& options) {
    if (options.form != JudgeForm::pointwise && !table.find("guideline")->is_given)
        options.guideline = (share_folder() / "guidelines" / "sentence.txt").string();
    if (options.form != JudgeForm::pointwise && !table.find("aspect")->is_given && !table.find("guideline")->is_given)
        options.aspect = policy_aspect(policy);
}

int run_simplify_pairs(int argc, const char* const* argv) {
    CommonOptions common;
    JudgeOptions options;
    SimplificationPolicy policy = SimplificationPolicy::lexical;
    OptionTable table;
    bind_judge(table, options);
    table
        .add_enum("policy", policy, simplification_policies(),
                  "whose guideline, aspect and system prompt are taken where --guideline, --aspect and --system-prompt do "
                  "not say others")
        .flag("--policy")
        .required();
    const auto check = [&](OptionTable& t) {
        set_defaults(t, policy, options);
        if (options.only_compares()) t.add_problem("--compare: two files are compared by `judge`, which makes no pairs");
        check_judge(t, options);
    };
    if (!parse_command(kSimplifyPairsCommand, table, common, argc, argv, check)) return 0;
    if (options.system_prompt.empty())
        options.system_prompt = PromptFiles(options.prompts).path("simplify." + policy_name(policy) + ".txt");
    return judge_candidates(kSimplifyPairsCommand, table, common, options);
}

}  // namespace

Command simplify_pairs_command() {
    return kSimplifyPairsCommand;
}

}  // namespace craft
