// `align`: preference training, on given pairs (--pairs) or in rounds of self-training (--iter, CRAFT Algorithm 1).
#include "align/align_inputs.h"
#include "cli/align_options.h"
#include "cli/command.h"
#include "cli/judging_options.h"
#include "cli/option_groups.h"
#include "cli/ranks.h"
#include "cli/system_options.h"
#include "cli/training.h"
#include "core/files.h"
#include "judge/scorers/registry.h"
#include "rollout/model_reviser.h"

namespace craft {

namespace {

namespace fs = std::filesystem;

struct RoundsOptions : AlignInputOptions {
    std::optional<int64_t> rounds;
    AlignOptions align;
    EnvironmentOptions environment;
    std::string reviser = "rules";
    SystemSpec reviser_spec;  // what it says
    ModelReviserOptions model_reviser;
    RoleSystemOptions systems;
    RoundJudgeOptions judge;
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

void bind_reviser(OptionTable& table, RoundsOptions& o) {
    const auto group = table.group(kReviserGroup);
    table.add("reviser", o.reviser, "reviser, which carries out plans: rules, local:MODEL[+ADAPTER], or openai:PROFILE")
        .flag("--reviser")
        .input()
        .reads({});
    table
        .add("reviser_sampling.temperature", o.model_reviser.sampling.temperature,
             "sampling temperature of a reviser model; 0: greedy")
        .min(0);
    bind_new_tokens(table, "reviser_sampling.max_new_tokens", o.model_reviser.sampling.max_new_tokens, "of a reviser model");
    table.add("reviser_sampling.attempts", o.model_reviser.attempts, "maximum attempts of a model at one revision").min(1);
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
    table.add("texts", o.texts, "texts to make instructions from: {\"id\",\"text\"} per line")
        .flag("--texts")
        .input()
        .required_with("rounds.count");
    table.add("dev", o.dev, "instructions to report on; empty: made from a held-out tenth of the texts")
        .flag("--dev")
        .input();
    table.add("selection", o.selection, "instructions that choose the best round; empty: from another held-out tenth")
        .flag("--selection")
        .input();
    table.add("dev_count", o.dev_count, "instructions made for the dev set").min(1);
    table.add("selection_count", o.selection_count, "instructions made for the selection set").min(1);
    bind_test_set(table, o.align);
    bind_rounds(table, o.align);
    bind_environment(table, o.environment);
    bind_reviser(table, o);
    bind_role_systems(table, o.systems, {"reviser", "judge"}, /*with_chat=*/false);
    bind_round_judge(table, o.judge);
    for (Option& option : table.added_since(of_both)) option.excludes("pairs");
}

void bind_both(OptionTable& table, CommonOptions& common, TrainingOptions& training) {
    bind_training(table, training);
    table.at("estimate").excludes("rounds.count", "rounds make their own data");
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
    add_round_problems(table, o.align);
    parse_role(table, "reviser", o.reviser, o.reviser_spec);
    check_round_judge(table, o.judge);
    std::vector<SystemSpec> systems = {o.reviser_spec};
    if (!o.judge.is_reward() && o.judge.spec.kind == CandidateJudgeSpec::Kind::system)
        systems.push_back(o.judge.spec.system);
    check_role_systems(table, o.systems, systems);
    if (is_same_file(o.dev, o.selection))
        table.add_problem(
            "--dev and --selection: expected two files, got one; the set that chooses the best round is not the one to "
            "report");
}

int rounds_in_ranks(const OptionTable& table, const CommonOptions& common, const RoundsOptions& o,
                    const TrainingOptions& training, ProcessGroup& group) {
    RunFolder run_folder = open_run(kAlignCommand, table, common, group);
    if (run_folder.finished()) {
        group.run_on_first_rank([&] { write_stdout(summary_table(read_summary(run_folder.path()))); });
        return 0;
    }

    int64_t bad_lines = 0;
    JsonLinesOptions lines = training.lines;
    lines.bad_lines = &bad_lines;
    AlignInputs inputs = read_align_inputs(o, lines);
    if (bad_lines > 0) run_folder.set_dropped("bad line", bad_lines);
    run_folder.note("loss", to_json(training.train.loss));
    run_folder.save_manifest();
    const Placement place = open_placement(common);
    group.connect(place.device);
    if (group.size() > 1) run_folder.note("parallel", to_json(group));
    Planner planner = Planner::open(training.model, place.dtype, place.device, training.quantize, training.chat);
    run_folder.note("base", to_json(planner.base));
    if (!training.adapter.empty()) planner.load_adapter(training.adapter);
    RevisionEnvironment environment = environment_around(planner, o.environment, place.dtype, place.device);
    AskingRun systems(o.systems, {.items_at_once = 64, .items_ahead = 256}, place, common.seed,
                      run_folder.manifest().value("notes", Json::object()).value("usage", Json()));
    if (o.reviser_spec.kind != SystemSpec::Kind::rules)
        environment.set_reviser(
            std::make_unique<ModelReviser>(systems.open(o.reviser_spec, "reviser"), PromptFiles(), o.model_reviser));
    run_folder.note("assets", environment.versions());
    AlignOptions options = o.align;
    options.rounds = *o.rounds;
    options.seed = common.seed;
    std::unique_ptr<OpenedRoundJudge> judge;
    if (!o.judge.is_reward()) {
        judge = std::make_unique<OpenedRoundJudge>(
            o.judge, common, common.seed, [&](const SystemSpec& spec) -> System& { return systems.open(spec, "judge"); });
        options.judge = judge->judge();
        options.pairs.rank_by = o.judge.rank_by;
        run_folder.note("judge", judge->record());
    }
    const bool asks = judge && o.judge.spec.kind == CandidateJudgeSpec::Kind::system;
    if (asks || o.reviser_spec.kind != SystemSpec::Kind::rules) options.flow = &systems.flow();
    options.train = training.train;
    options.examples = training.examples;
    inputs = group.first_rank_first([&] {
        AlignInputs made = inputs;
        make_evaluation_sets(made, o, environment, run_folder.path());
        return made;
    });
    run_folder.replace_former();
    const Summary summary =
        align(planner, environment, inputs, options, run_folder.path(), training.adapter.empty() ? "base" : "sft", group);
    group.run_on_first_rank([&] {
        write_summary(run_folder.path(), summary);
        systems.finish();
        if (options.flow != nullptr) run_folder.note("usage", systems.usage());
        systems.report(true);
        for (const auto& stage : summary.stages)
            for (const auto& [reason, count] : stage.dropped) run_folder.set_dropped(stage.name + ": " + reason, count);
        run_folder.finish();
        write_stdout(summary_table(summary));
    });
    return 0;
}

int run_rounds(const OptionTable& table, CommonOptions common, const RoundsOptions& o, const TrainingOptions& training) {
    ProcessGroup group = join_ranks(common, training.group, {o.texts, o.dev.string(), o.selection.string()});
    int code = 0;
    group.guard([&] { code = rounds_in_ranks(table, common, o, training, group); });
    group.leave();
    return code;
}

int run_align(int argc, const char* const* argv) {
    CommonOptions common;
    TrainingOptions training;
    RoundsOptions rounds;
    std::string pairs;
    OptionTable table;
    bind(table, rounds, pairs);
    bind_both(table, common, training);
    const auto check_all = [&](OptionTable& t) {
        check_training(t, training);
        check(t, rounds);
    };
    if (!parse_command(kAlignCommand, table, common, argc, argv, check_all)) return 0;
    if (rounds.rounds) return run_rounds(table, common, rounds, training);
    return run_training(kAlignCommand, table, common, training, pairs, DataForm::pairs);
}

}  // namespace

Command align_command() {
    return kAlignCommand;
}

}  // namespace craft
