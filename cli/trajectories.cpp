// `trajectories`: ReAct trajectories from instructions, by a teacher (CRAFT §5.1.1); `import` and `export` of stores.
#include "align/trajectory_run.h"
#include "cli/align_options.h"
#include "cli/command.h"
#include "cli/common.h"
#include "cli/inquiry.h"
#include "cli/option_groups.h"
#include "cli/ranks.h"
#include "cli/role_options.h"
#include "cli/scorer_options.h"
#include "cli/system_options.h"

namespace craft {

namespace {

struct TrajectoriesOptions : TrajectoryRunOptions {
    std::string teacher = "rules";                // what check() makes `spec` of
    std::string reviser_name = "rules";           // `reviser`
    TextFeedbackChoice text_feedback;             // `suggestions`
    std::vector<std::string> scorers = {"auto"};  // what check() makes `environment.scorers` of
};

void bind_store(OptionTable& table, StoreOptions& o) {
    table
        .add("store.segment_trajectories", o.segment_trajectories,
             "trajectories per segment file: the most that a kill can lose")
        .min(1);
    table.add("store.compression", o.compression, "deflate level of segment files; 0: off").min(0).max(9);
}

void bind(OptionTable& table, TrajectoriesOptions& o) {
    const auto data = table.group(kDataGroup);
    table.add("instructions", o.instructions, "what `constraints` writes, JSON Lines, - for stdin")
        .flag("--instructions")
        .input()
        .required();
    table.add("teacher", o.teacher, "teacher: rules (built in), local:MODEL[+ADAPTER], or openai:PROFILE")
        .flag("--teacher")
        .input();
    bind_role_systems(table, o.systems, {"teacher", "reviser", "feedback"});
    table.add("jsonl", o.json_lines, "write trajectories.jsonl (chat messages) beside the store").flag("--jsonl");
    bind_prompt(table, o.environment.prompt);
    table
        .add(
            "teacher_prompt", o.teacher_prompt,
            "prompt of a model as teacher: share/prompts/planner.NAME.txt; taught has an example; auto: taught for a hosted "
            "one, --prompt for a local one; trajectories keep --prompt")
        .flag("--teacher-prompt")
        .one_of({"auto", "taught", "full", "compact"})
        .needs({"teacher", {"local:", "openai:"}}, "the rules read no prompt");
    table.add("plan_lines", o.rules.plan_lines, "lines of the rules' plan, for sentences to change; 0: one per sentence")
        .flag("--plan-lines")
        .min(0);
    table.add("quote_words", o.rules.quote_words, "words of a sentence that the rules' plan quotes; 0: all")
        .flag("--quote-words")
        .min(0);
    table.add("max_steps", o.session.max_steps, "steps of a trajectory").flag("--max-steps").min(1).max(100);
    table.add("min_gain", o.session.epsilon, "minimum gain in S_a (0-100) of a further step").min(0);
    {
        const auto reward = table.group(kRewardGroup);
        bind_scorers(table, o.scorers, "perplexity if there is a model for it");
        bind_model(table, "perplexity_model", o.environment.perplexity_model,
                   "model for perplexity; none: a local teacher's")
            .flag("--perplexity-model");
        bind_sentences(table, o.environment.reward.sentences);
    }
    const auto teacher = table.group("Teacher");
    table.add("sampling.temperature", o.sampling.temperature, "sampling temperature of a model as teacher; 0: greedy")
        .flag("--temperature")
        .min(0);
    bind_new_tokens(table, "sampling.max_new_tokens", o.sampling.max_new_tokens, "of a model as teacher, per step")
        .flag("--max-new-tokens");
    table.add("sampling.attempts", o.asking.attempts, "maximum attempts of a model at a step whose response is malformed")
        .min(1);
    bind_constrained(table, o.sampling)
        .flag("--constrain-calls")
        .needs({"teacher", {"local:", "openai:"}}, "the rules write nothing else");
    {
        const auto reviser = table.group(kReviserGroup);
        bind_reviser(table, o.reviser_name, o.model_reviser, "who carries the teacher's plans out");
        bind_text_feedback(table, o.text_feedback, o.suggestions,
                           "show the teacher a model's suggestions for each revision that it continues from");
        table.at("text_feedback").excludes({"max_steps", {"1"}}, "nobody reads them").when(suggesting_values());
    }
    table.add("keep_wrong_calls", o.synthesis.keep_wrong_calls, "keep trajectories with wrong or missing tool calls")
        .flag("--keep-wrong-calls");
    table.add("flow.items", o.flow.items_at_once, "instructions processed concurrently").min(1).max(10000).not_identity();
    bind_store(table, o.synthesis.store);
    bind_json_lines(table, o.lines);
}

// Where "auto" is none, run_trajectories() says so.
void resolve_scorers(OptionTable& table, TrajectoriesOptions& o) {
    const bool measurable = !o.environment.perplexity_model.empty() || o.spec.kind == SystemSpec::Kind::local;
    o.environment.scorers = resolved_scorers(
        table, o.scorers, measurable,
        o.spec.kind == SystemSpec::Kind::rules ? "since the rules are no model" : "since the teacher is not a local model");
}

void check(OptionTable& table, TrajectoriesOptions& o) {
    parse_role(table, "teacher", o.teacher, o.spec);
    parse_role(table, "reviser", o.reviser_name, o.reviser);
    check_text_feedback(table, o.text_feedback, o.reviser, o.suggestions, o.feedback);
    check_role_systems(table, o.systems, {o.spec, o.reviser, o.feedback});
    check_constrained(table, o.systems, o.spec, o.sampling.constrain_calls);
    resolve_scorers(table, o);
    if (Inquiry* inquiry = Inquiry::estimating()) {
        const DataSize asked = inquiry->size_of(o.instructions);
        inquiry->tell(trajectories_work(o, asked), {{table.at("out").current().get<std::string>(),
                                                     {asked.rows, asked.text, static_cast<double>(o.session.max_steps)}}});
    }
}

int run_trajectories(int argc, const char* const* argv);

const Command kTrajectoriesCommand = {
    "trajectories",
    CommandGroup::make_data,
    "plan, revise and check instructions step by step, for SFT",
    "craft-train trajectories --instructions instructions.jsonl --out runs/trajectories --jsonl",
    run_trajectories,
    Work::generation};

int run_trajectories(int argc, const char* const* argv) {
    CommonOptions common;
    TrajectoriesOptions options;
    OptionTable table;
    bind(table, options);
    bind_run(table, common);
    bind_ranks(table, common);
    if (!parse_command(kTrajectoriesCommand, table, common, argc, argv, [&](OptionTable& t) { check(t, options); }))
        return 0;
    return in_ranks(table, common, [&](ProcessGroup& group) {
        RunFolder run = open_run(kTrajectoriesCommand, table, common, group);
        if (run.finished()) return;
        if (is_auto(options.scorers) && options.environment.scorers.empty())
            log_info("no model to measure perplexity with: S_r is absent (--perplexity-model MODEL adds it)");
        make_trajectories(options, open_placement(common), common.seed, run, group);
    });
}

}  // namespace

Command trajectories_command() {
    return kTrajectoriesCommand;
}

}  // namespace craft
