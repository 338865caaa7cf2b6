// `quickstart`: the whole main job in one run folder.
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "align/main_job.h"
#include "cli/align_options.h"
#include "cli/chat_options.h"
#include "cli/command.h"
#include "cli/common.h"
#include "cli/option_groups.h"
#include "cli/training.h"
#include "core/files.h"
#include "judge/scorers/registry.h"
#include "model/spec/lora_targets.h"

namespace craft {

namespace {

namespace fs = std::filesystem;

int run_quickstart(int argc, const char* const* argv);

const Command kQuickstartCommand = {"quickstart",
                                    CommandGroup::train,
                                    "the whole main job on the texts that ship with the project",
                                    "craft-train quickstart --config configs/quickstart-smoke.json --model "
                                    "weights/smollm2-135m-instruct.gguf --out runs/smoke",
                                    run_quickstart,
                                    Work::training};

void bind_data(OptionTable& table, MainJobOptions& o) {
    const auto group = table.group(kDataGroup);
    table.add("texts", o.texts, "folder with train.jsonl, select.jsonl and dev.jsonl; empty: the texts that ship")
        .flag("--texts")
        .input();
    table.add("data.passages", o.passages, "share of the short texts that is joined to passages of two to eight; 0: none")
        .min(0)
        .max(1);
    table.add("data.text_words", o.text_words, "maximum words of a text; longer ones are dropped; 0: no limit").min(0);
    table.add("data.trajectories", o.trajectories, "trajectories for SFT").min(1);
    table
        .add("data.per_text", o.per_text,
             "consecutive trajectories per text: SFT computes the text once for them and counts them as one example")
        .min(1);
    table.add("data.teacher_steps", o.teacher_steps, "maximum steps of a trajectory; with 1, its S_r is not measured")
        .min(1);
    table.add("data.plan_lines", o.plan_lines, "lines of a plan, for sentences to change; 0: one per sentence").min(0);
    table.add("data.quote_words", o.quote_words, "words of a sentence in its plan line; 0: the whole sentence").min(0);
    bind_plans(table, o.align.examples);
    bind_domains(table, "data.domains", o.domains,
                 "domains of the trajectories, cycled through; one listed twice comes twice as often");
    table.add("data.selection", o.selection, "instructions that choose the round; as many others choose the epoch of SFT")
        .min(1);
    table.add("data.dev", o.dev, "instructions to report on").min(1);
    table
        .add("data.asked_per_text", o.asked_per_text,
             "instructions per text in these sets and in rounds: a planner reads the text once for them")
        .min(1);
    table.add("data.base", o.base_dev, "of these, those for the base model, whose answers seldom end; 0: all").min(0);
    table.add("data.others", o.others, "instructions of C0 and of C4 for the best planner; 0: none").min(0);
    bind_test_set(table, o.align);
}

void bind_sft(OptionTable& table, MainJobOptions& o) {
    const auto group = table.group("SFT");
    bind_train(table, o.sft, "sft");
    table.add("sft.min_epoch_gain", o.sft.min_epoch_gain,
              "SFT ends after an epoch that adds less constraint F1; none: never");
}

void bind_lora(OptionTable& table, MainJobOptions& o) {
    const auto group = table.group(kLoraGroup);
    table.add("lora.rank", o.sft.lora.rank, "of the adapter").min(1);
    table.add("lora.alpha", o.sft.lora.alpha, "scale is alpha / rank");
    table.add("lora.targets", o.sft.lora.targets, "projections, or all-linear").one_of(lora_target_names());
    table.add("lora.upper", o.sft.lora.upper, "share of the layers, from the last down, that get an adapter").min(0).max(1);
}

void bind(OptionTable& table, MainJobOptions& o, LossCoefficients& loss) {
    {
        const auto group = table.group(kModelGroup);
        bind_model(table, "base_model", o.base_model, "to start from").flag("--model").required();
        bind_chat_template(table, o.chat_template);
    }
    bind_data(table, o);
    bind_sft(table, o);
    bind_lora(table, o);
    const auto group = table.group(kRoundsGroup);
    table.add("rounds.count", o.align.rounds, "maximum rounds of self-training; 0: SFT alone").flag("--iter").min(0);
    bind_rounds(table, o.align);
    bind_loss(table, o.align.train.loss, loss, "rounds.loss", "rounds");
    bind_train(table, o.align.train, "rounds.train");
    bind_part_norms(table, o.align.train, "rounds.train");
    bind_method(table, o.align, {.loss_name = "rounds.loss", .loss = "rounds", .train = "rounds.train"});
    bind_environment(table, o.environment);
}

std::string above(const FigureDifference& d, const std::string& other) {
    std::array<char, 160> text{};
    std::snprintf(text.data(), text.size(), "%.3f %s %s (95 %%: %.3f to %.3f; %lld instructions)", std::abs(d.difference),
                  d.difference < 0 ? "below" : "above", other.c_str(), d.interval.first, d.interval.second,
                  static_cast<long long>(d.items));
    return text.data();
}

bool has_rounds(const Summary& summary) {
    return std::any_of(summary.stages.begin(), summary.stages.end(),
                       [](const SummaryStage& stage) { return stage.name.starts_with("round-"); });
}

// What SFT taught, what the rounds added, and what to do about it.
void print_learned(const Summary& summary) {
    std::printf("\nWhat was learned, in constraint F1\n");
    bool is_above = true, is_below = false;  // what the round is compared with
    std::string rounds;
    for (const StageDifference& rows : summary.differences) {
        const FigureDifference& d = rows.figures.at("constraint_f1");
        const auto& [low, high] = d.interval;
        if (rows.other == "base") {
            std::printf("  SFT is %s: %s.\n", above(d, "the base").c_str(),
                        low > 0 ? "it learned to call the checks" : "too little to tell from chance");
            continue;
        }
        rounds += (rounds.empty() ? rows.row + " is " : " and ") + above(d, rows.other == "sft" ? "SFT" : "the control");
        is_above = is_above && low > 0;
        is_below = is_below || high < 0;
    }
    if (rounds.empty()) {
        if (has_rounds(summary)) std::printf("  No round gave a pair or a group to train on.\n");
    } else {
        std::printf("  %s: %s.\n", rounds.c_str(),
                    is_above   ? "self-training taught it"
                    : is_below ? "self-training did harm"
                               : "indistinguishable from chance");
    }
    std::printf(
        "  More instructions teach more: scripts/quickstart.sh --full, or --set data.trajectories=N; --seed S repeats "
        "it.\n");
}

// What the user can type next holds this program and its files.
void print_end(const Summary& summary, const CommonOptions& common, const std::string& program) {
    const std::string out = common.out.string(), share = share_folder().string();
    std::printf("\n%s(* best on the selection set; measured on %lld dev instructions that no training saw)\n",
                summary_table(summary).c_str(), static_cast<long long>(summary.stages.back().dev.overall.items));
    if (const int64_t asked = summary.stages.front().dev.overall.items; asked < summary.stages.back().dev.overall.items)
        std::printf("(base: the first %lld of them)\n", static_cast<long long>(asked));
    for (const SummaryStage& stage : summary.stages)
        if (stage.quality_share)
            std::printf("(%s: S_r explains %.0f %% of S_a's variance between samples of a prompt)\n", stage.name.c_str(),
                        100 * *stage.quality_share);
    if (!summary.test.empty())
        std::printf(
            "(test: %lld sealed instructions of C0 to C4, longer texts, other wordings; nothing is chosen by them)\n",
            static_cast<long long>(summary.test.front().dev.overall.items));
    for (const auto& [name, evaluation] : summary.others)
        std::printf("%s: constraint F1 %.3f, exact %.3f, S_a %.1f\n", name.c_str(), evaluation.overall.constraint_f1,
                    evaluation.overall.exact_match, evaluation.overall.s_a);
    print_learned(summary);
    std::printf(
        "\nOutput files\n"
        "  %s/summary.json   the figures above\n"
        "  %s/model          where the base model lies\n"
        "  %s/adapter   the best planner's adapter\n",
        out.c_str(), out.c_str(), out.c_str());
    if (has_rounds(summary))
        std::printf("  %s/align/round-1  instructions, histories, responses, pairs or groups and training of a round\n",
                    out.c_str());
    std::printf(
        "What to try next\n"
        "  %s constraints --texts %s/texts/dev.jsonl --domain c2 --count 5 --output -\n"
        "  %s plan --model %s/model --adapter %s/adapter --instructions %s/instructions/dev/instructions.jsonl --output -\n",
        program.c_str(), share.c_str(), program.c_str(), out.c_str(), out.c_str(), out.c_str());
}

int run_quickstart(int argc, const char* const* argv) {
    CommonOptions common;
    MainJobOptions options;
    options.sft.loss = default_loss_options(LossName::sft);
    options.sft.min_epoch_gain = 0.01;
    OptionTable table;
    LossCoefficients loss;
    bind(table, options, loss);
    bind_run(table, common);
    const auto check = [&](OptionTable& t) {
        loss.apply_to(options.align.train.loss);
        t.find("reward.scorers")->reads(scorer_models(options.environment.scorers));
        add_train_problems(t, options.sft, "sft", "sft.loss");
        add_train_problems(t, options.align.train, "rounds.train", "rounds");
        add_round_problems(t, options.align, "rounds");
        GeneratorOptions trajectories = options.align.generator;
        trajectories.domains = options.domains;
        add_domain_problems(t, "data.domains", trajectories);
    };
    if (!parse_command(kQuickstartCommand, table, common, argc, argv, check)) return 0;
    if (options.texts.empty()) options.texts = share_folder() / "texts";
    options.seed = common.seed;
    options.align.control = options.align.control && options.align.rounds > 0;  // it repeats rounds
    const Placement place = open_placement(common);
    RunFolder folder = open_run(kQuickstartCommand, table, common);
    if (!options.align.method) folder.note("loss", to_json(options.align.train.loss));
    const std::string program = fs::read_symlink("/proc/self/exe").string();
    if (folder.finished()) {
        print_end(read_summary(folder.path()), common, program);
        return 0;
    }
    const Summary summary =
        run_main_job(options, place.dtype, place.device, folder.path(), [&] { folder.replace_former(); });
    write_file_atomic(folder.path() / "table.txt", summary_table(summary));
    for (const auto& stage : summary.stages)
        for (const auto& [reason, count] : stage.dropped) folder.set_dropped(stage.name + ": " + reason, count);
    folder.finish();
    print_end(summary, common, program);
    return 0;
}

}  // namespace

Command quickstart_command() {
    return kQuickstartCommand;
}

}  // namespace craft
