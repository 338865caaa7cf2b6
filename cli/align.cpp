// `align`: preference training, on given pairs (--pairs) or in rounds of self-training (--iter, CRAFT Algorithm 1).
#include "align/align_inputs.h"
#include "align/round_roles.h"
#include "cli/align_options.h"
#include "cli/command.h"
#include "cli/inquiry.h"
#include "cli/judging_options.h"
#include "cli/option_groups.h"
#include "cli/ranks.h"
#include "cli/role_options.h"
#include "cli/training.h"
#include "core/files.h"
#include "judge/scorers/registry.h"

namespace craft {

namespace {

namespace fs = std::filesystem;

struct RoundsOptions : AlignInputOptions {
    std::optional<int64_t> rounds;
    AlignOptions align;
    EnvironmentOptions environment;
    std::string reviser = "rules", rewriter;  // what check() makes `roles` of
    TextFeedbackChoice text_feedback;         // likewise
    RoundRoleOptions roles;
    RoleSystemOptions systems;
    WorkRates rates;  // for --estimate
};

int run_align(int argc, const char* const* argv);

const Command kAlignCommand = {
    "align",
    CommandGroup::train,
    "preference training on given pairs, or in rounds of self-training",
    "craft-train align --iter 1 --model weights/smollm2-135m-instruct.gguf --texts share/texts/train.jsonl --out runs/align",
    run_align,
    Work::training,
    {{"pairs", "pairs", "preference training on given pairs, by --pairs FILE",
      "craft-train align --pairs share/examples/simplify_pairs.jsonl --model weights/smollm2-135m-instruct.gguf --out "
      "runs/align"},
     {"rounds", "rounds.count", "rounds of self-training, by --iter N: responses are sampled, judged, paired and trained on",
      "craft-train align --iter 1 --model weights/smollm2-135m-instruct.gguf --texts share/texts/train.jsonl --out "
      "runs/align"}}};

// What rounds make instructions of, or take in their place.
void bind_instructions(OptionTable& table, RoundsOptions& o) {
    table.add("texts", o.texts, "texts to make instructions from: {\"id\",\"text\"} per line").flag("--texts").input();
    table
        .add("revisions", o.revisions,
             "revised versions of the texts to read values from, same form and ids; none: see rounds.values")
        .flag("--revisions")
        .input()
        .needs("texts");
    table
        .add("instructions", o.instructions,
             "ready instructions with their gold calls, in place of --texts: what `constraints` writes")
        .flag("--instructions")
        .input();
    table.expect_one(
        {.keys = {"texts", "instructions"}, .why = "what rounds train on", .only_if = {OptionState("rounds.count")}});
}

void bind_authors(OptionTable& table, RoundsOptions& o) {
    {
        const auto group = table.group(kReviserGroup);
        bind_reviser(table, o.reviser, o.roles.model_reviser, "who carries plans out");
    }
    bind_text_feedback(table, o.text_feedback, o.roles.suggestions,
                       "show planners a model's suggestions for each revision of a history");
    table.at("text_feedback").excludes({"rounds.history_steps", {"1"}}, "nobody reads them").when(suggesting_values());
    bind_rewriter(table, o.rewriter, o.roles.rewriting);
    table.at("rewriter").excludes("instructions", "their wordings are ready");
    const auto group = table.group(kRoundsGroup);
    table
        .add_enum("rounds.values", o.roles.values_by_reviser, {{"rules", false}, {"reviser", true}},
                  "whose free revisions the values of constraints are read from")
        .excludes("revisions", "they are given")
        .when({"reviser"})
        .excludes("instructions", "they have values")
        .when({"reviser"})
        .needs({"reviser", {"local:", "openai:"}})
        .when({"reviser"});
}

void bind(OptionTable& table, RoundsOptions& o, std::string& pairs) {
    const auto data = table.group(kDataGroup);
    table
        .add("pairs", pairs,
             "preference pairs: JSON Lines of {\"prompt\",\"chosen\",\"rejected\"}, strings or message lists, or HDF5")
        .flag("--pairs")
        .input();
    table.add("rounds.count", o.rounds, "maximum rounds of self-training").flag("--iter").min(1);
    table.expect_one({.keys = {"pairs", "rounds.count"}, .why = "what align trains on: pairs that are given, or rounds"});
    const size_t of_both = table.options().size();
    bind_instructions(table, o);
    table.add("dev", o.dev, "instructions to report on; empty: of a held-out tenth of the texts").flag("--dev").input();
    table.add("selection", o.selection, "instructions that choose the best round; empty: of another held-out tenth")
        .flag("--selection")
        .input();
    table.add("dev_count", o.dev_count, "instructions made for the dev set").min(1);
    table.add("selection_count", o.selection_count, "instructions made for the selection set").min(1);
    bind_test_set(table, o.align);
    bind_rounds(table, o.align);
    bind_environment(table, o.environment);
    bind_authors(table, o);
    bind_role_systems(table, o.systems, {"reviser", "feedback", "rewriter", "judge"}, /*with_chat=*/false);
    table.at("batch_folder").excludes("rounds.count", "each step of a round depends on the answers before it");
    bind_round_judge(table, o.roles.judge);
    bind_rates(table, o.rates);
    for (Option& option : table.added_since(of_both)) option.excludes("pairs");
}

void bind_both(OptionTable& table, CommonOptions& common, TrainingOptions& training, AlignOptions& rounds) {
    bind_training(table, training);
    const size_t before = table.options().size();
    bind_method(table, rounds, {.loss_name = "loss.name", .loss = "loss", .train = "train"});
    for (Option& option : table.added_since(before)) option.excludes("pairs");
    const OptionState groups = learning_from_groups();
    table.at(groups.key).needs({"judge", {"scores"}}, "a judge's verdicts are no rewards").when(groups.values);
    bind_ranks(table, common);
    table.at("train.full").excludes("rounds.count", "rounds train an adapter");
    table.at("eval_data").excludes("rounds.count", "rounds evaluate on --dev");
    bind_run(table, common, "estimate");
}

bool is_same_file(const fs::path& a, const fs::path& b) {
    std::error_code code;
    return !a.empty() && a != "-" && (a == b || fs::equivalent(a, b, code));
}

void check(OptionTable& table, RoundsOptions& o) {
    if (!o.rounds) return;
    table.find("reward.scorers")->reads(scorer_models(o.environment.scorers));
    add_round_problems(table, o.align, "loss");
    parse_role(table, "reviser", o.reviser, o.roles.reviser);
    check_text_feedback(table, o.text_feedback, o.roles.reviser, o.roles.suggestions, o.roles.feedback);
    check_rewriter(table, o.rewriter, o.roles.rewriter);
    check_round_judge(table, o.roles.judge);
    std::vector<SystemSpec> systems = {o.roles.reviser, o.roles.feedback, o.roles.rewriter};
    if (!o.roles.judge.is_reward() && o.roles.judge.spec.kind == CandidateJudgeSpec::Kind::system)
        systems.push_back(o.roles.judge.spec.system);
    check_role_systems(table, o.systems, systems);
    if (is_same_file(o.dev, o.selection))
        table.add_problem(
            "--dev and --selection: expected two files, got one; the set that chooses the best round is not the one to "
            "report");
}

AlignInputs read_inputs(const RoundsOptions& o, JsonLinesOptions lines, RunFolder& run) {
    int64_t bad_lines = 0;
    lines.bad_lines = &bad_lines;
    std::map<std::string, int64_t> dropped;
    AlignInputs inputs = read_align_inputs(o, lines, o.environment.reward.sentences, dropped);
    if (bad_lines > 0) dropped["bad line"] += bad_lines;
    for (const auto& [reason, count] : dropped) run.set_dropped(reason, count);
    return inputs;
}

void rounds_in_ranks(const OptionTable& table, const CommonOptions& common, const RoundsOptions& o,
                     const TrainingOptions& training, ProcessGroup& group) {
    RunFolder run_folder = open_run(kAlignCommand, table, common, group);
    if (run_folder.finished()) {
        group.run_on_first_rank([&] { write_stdout(summary_table(read_summary(run_folder.path()))); });
        return;
    }

    AlignInputs inputs = read_inputs(o, training.lines, run_folder);
    if (!o.align.method) run_folder.note("loss", to_json(training.train.loss));
    run_folder.save_manifest();
    const Placement place = open_placement(common);
    group.connect(place.device);
    if (group.size() > 1) run_folder.note("parallel", to_json(group));
    Planner planner = Planner::open(training.model, place.dtype, place.device, training.quantize, training.chat);
    run_folder.note("base", to_json(planner.base));
    if (!training.adapter.empty()) planner.load_adapter(training.adapter);
    RevisionEnvironment environment = environment_around(planner, o.environment, place.dtype, place.device);
    AskingRun systems(with_ranks(o.systems, &group), {.items_at_once = 64, .items_ahead = 256}, place, common.seed,
                      run_folder.manifest().value("notes", Json::object()).value("usage", Json()));
    RoundRoles roles(o.roles, systems, environment, common, common.seed);
    Json assets = environment.versions();
    if (!roles.versions().empty()) assets["prompts"] = roles.versions();
    run_folder.note("assets", assets);
    if (const Json judge = roles.judge(); !judge.is_null()) run_folder.note("judge", judge);
    AlignOptions options = o.align;
    options.rounds = *o.rounds;
    options.seed = common.seed;
    roles.give_to(options);
    options.train = training.train;
    options.examples = training.examples;
    inputs = group.first_rank_first([&] {
        AlignInputs made = inputs;
        make_evaluation_sets(made, o, environment, options.authors, run_folder.path());
        return made;
    });
    run_folder.replace_former();
    const Summary summary =
        align(planner, environment, inputs, options, run_folder.path(), training.adapter.empty() ? "base" : "sft", group);
    systems.finish();
    systems.add_other_ranks();
    group.run_on_first_rank([&] {
        write_summary(run_folder.path(), summary);
        if (options.flow != nullptr) run_folder.note("usage", systems.usage());
        systems.report(true);
        for (const auto& stage : summary.stages)
            for (const auto& [reason, count] : stage.dropped) run_folder.set_dropped(stage.name + ": " + reason, count);
        run_folder.finish();
        write_stdout(summary_table(summary));
    });
}

WorkEstimate work_of_rounds(const RoundsOptions& o, const TrainingOptions& training, double text) {
    AlignOptions align = o.align;
    align.rounds = *o.rounds;
    align.train = training.train;
    return rounds_work({.align = align,
                        .roles = o.roles,
                        .planner = {SystemSpec::Kind::local, training.model, training.adapter},
                        .quantize = training.quantize,
                        .dev = o.dev_count,
                        .selection = o.selection_count,
                        .text = text});
}

std::string source_of_instructions(const RoundsOptions& o) {
    return o.texts.empty() ? o.instructions.string() : o.texts;
}

// For whoever asks what the command would take.
void tell_work(const RoundsOptions& o, const TrainingOptions& training, const std::string& pairs) {
    Inquiry* const inquiry = Inquiry::estimating();
    if (inquiry == nullptr) return;
    if (o.rounds)
        inquiry->tell(work_of_rounds(o, training, inquiry->size_of(source_of_instructions(o)).text));
    else
        inquiry->tell({.trained = {estimated(pair_training(inquiry->size_of(pairs)), training)}});
}

int estimate_rounds(const CommonOptions& common, const RoundsOptions& o, const TrainingOptions& training) {
    const WorkEstimate work = work_of_rounds(o, training, measured_size(source_of_instructions(o)).text);
    write_stdout(to_json(work, o.systems.profiles, o.rates, open_placement(common)).dump(2) + "\n");
    return 0;
}

int run_align(int argc, const char* const* argv) {
    CommonOptions common;
    TrainingOptions training;
    RoundsOptions rounds;
    std::string pairs;
    OptionTable table;
    bind(table, rounds, pairs);
    bind_both(table, common, training, rounds.align);
    const auto check_all = [&](OptionTable& t) {
        check_training(t, training);
        check(t, rounds);
        tell_work(rounds, training, pairs);
    };
    if (!parse_command(kAlignCommand, table, common, argc, argv, check_all)) return 0;
    if (rounds.rounds && training.estimate) return estimate_rounds(common, rounds, training);
    if (rounds.rounds)
        return in_ranks(table, common,
                        [&](ProcessGroup& group) { rounds_in_ranks(table, common, rounds, training, group); });
    return run_training(kAlignCommand, table, common, training, pairs, DataForm::pairs);
}

}  // namespace

Command align_command() {
    return kAlignCommand;
}

}  // namespace craft
