// `simplify pairs`: `judge` with what a policy asks for: its guideline, its aspect, and its instruction as the pairs' prompt
// (policy simplification §2.2, App. A.2.2).
#include <map>

#include "cli/command.h"
#include "cli/common.h"
#include "cli/judge_options.h"
#include "cli/ranks.h"
#include "core/files.h"
#include "core/log.h"
#include "simplify/policy.h"

namespace craft {

namespace {

int run_simplify_pairs(int argc, const char* const* argv);

const Command kSimplifyPairsCommand = {
    "simplify pairs",
    CommandGroup::revise_and_judge,
    "judge simplifications by their policy, and make preference pairs",
    "craft-train simplify pairs --input candidates.jsonl --policy rewriting --judge rules --output pairs.jsonl",
    run_simplify_pairs,
    Work::generation};

// What was not given is the policy's own.
void set_defaults(OptionTable& table, SimplificationPolicy policy, JudgeOptions& options) {
    const bool goes_by_scores = options.judge == "scores" && options.panel.empty();  // which read no guideline
    if (goes_by_scores || gives_marks(options.form) || table.at("guideline").is_given) return;
    options.guideline = (share_folder() / "guidelines" / policy_guideline(policy)).string();
    if (!table.at("aspect").is_given) options.aspect = policy_aspect(policy);
}

void check_policy(OptionTable& table, SimplificationPolicy policy, const JudgeOptions& options) {
    if (options.only_compares()) table.add_problem("--compare: two files are compared by `judge`, which makes no pairs");
    if (policy == SimplificationPolicy::document && options.has(CandidateJudgeSpec::Kind::rules))
        table.add_problem(
            "--policy document: rules judge single sentences; whole texts are judged by local:MODEL[+ADAPTER], "
            "openai:PROFILE or scores");
}

// Candidates that were made for another policy can be judged by this one, which is seldom what was meant.
void warn_of_policies(const JudgeInput& input, SimplificationPolicy policy) {
    std::map<std::string, int64_t> others;
    for (const CandidateGroup& group : input.groups)
        if (!group.policy.empty() && group.policy != policy_name(policy)) ++others[group.policy];
    if (!others.empty())
        log_warning("candidates were made for another policy than --policy " + policy_name(policy), {{"groups", others}});
}

int run_simplify_pairs(int argc, const char* const* argv) {
    CommonOptions common;
    JudgeOptions options;
    SimplificationPolicy policy = SimplificationPolicy::lexical;
    OptionTable table;
    bind_judge(table, options);
    bind_ranks(table, common);
    table
        .add_enum("policy", policy, simplification_policies(),
                  "whose guideline, aspect and system prompt are the defaults of --guideline, --aspect and --system-prompt")
        .flag("--policy")
        .required();
    const auto check = [&](OptionTable& t) {
        set_defaults(t, policy, options);
        check_judge(t, options);
        check_policy(t, policy, options);
    };
    if (!parse_command(kSimplifyPairsCommand, table, common, argc, argv, check)) return 0;
    if (options.system_prompt.empty())
        options.system_prompt = PromptFiles(options.prompts).path("simplify." + policy_name(policy) + ".txt");
    return judge_candidates(kSimplifyPairsCommand, table, common, options,
                            [&](const JudgeInput& input) { warn_of_policies(input, policy); });
}

}  // namespace

Command simplify_pairs_command() {
    return kSimplifyPairsCommand;
}

}  // namespace craft
