// `align`: preference training, on given pairs (--pairs) or in rounds of self-training (--iter, CRAFT Algorithm 1).
#include "align/align.h"

#include <cstdio>

#include "align/round.h"
#include "cli/align_options.h"
#include "cli/commands.h"
#include "cli/place.h"
#include "cli/training.h"
#include "data/source_texts.h"
#include "eval/cord_eval.h"

namespace craft {

namespace {

namespace fs = std::filesystem;

struct RoundsOptions {
    std::optional<int64_t> rounds;
    std::string texts;
    fs::path dev, selection;  // instruction files; empty: made from texts that are held apart
    int64_t dev_count = 300, selection_count = 120;
    AlignOptions align;
    WorkshopOptions workshop;
};

int run(int argc, const char* const* argv);

const Command kCommand = {
    "align", CommandGroup::train, "preference training on given pairs, or in rounds of self-training",
    "craft-train align --iter 1 --model share/base-model --texts share/texts/train.jsonl --out runs/align "
    "--set prompt=compact",
    run};

void bind(OptionTable& table, RoundsOptions& o, std::string& pairs) {
    table.add("pairs", pairs, "preference pairs, JSON Lines: {\"prompt\",\"chosen\",\"rejected\"}, strings or message lists")
        .flag("--pairs");
    table.add("rounds.count", o.rounds, "rounds of self-training, at most").flag("--iter").min(1);
    table.add("texts", o.texts, "texts to make instructions from: {\"id\",\"text\"} a line").flag("--texts");
    table.add("dev", o.dev, "instructions to report on; empty: made from a tenth of the texts, held apart").flag("--dev");
    table.add("selection", o.selection, "instructions that choose the best round; empty: from another tenth")
        .flag("--selection");
    table.add("dev_count", o.dev_count, "instructions made for the dev set").min(1);
    table.add("selection_count", o.selection_count, "instructions made for the selection set").min(1);
    bind_rounds(table, o.align);
    bind_workshop(table, o.workshop);
}

void check(OptionTable& table, RoundsOptions& o, const std::string& pairs, const TrainingOptions& training) {
    if (training.train.loss.name == LossName::sft)
        table.add_problem("--loss: sft has no use for pairs; train on completions with craft-train sft");
    const bool iter = table.find("rounds.count")->source != "default";  // --iter x is reported already
    if (pairs.empty() != iter)
        table.add_problem(std::string("align: expected either --pairs FILE or --iter N, got ") + (iter ? "both" : "none"));
    if (!o.rounds) return;
    if (o.texts.empty()) table.add_problem("--texts: required with --iter");
    if (training.train.full) table.add_problem("--full: rounds train an adapter; only --pairs can train every weight");
    if (!training.eval_data.empty()) table.add_problem("--eval-data: rounds evaluate on --dev; it goes with --pairs");
}

// Texts held apart for evaluation: by a stable hash of the id, so that more texts move none from one set to another.
std::vector<SourceText> take_tenth(std::vector<SourceText>& texts, uint64_t which) {
    std::vector<SourceText> taken, rest;
    for (auto& text : texts) (stable_hash(text.id, 10) % 10 == which ? taken : rest).push_back(std::move(text));
    texts = std::move(rest);
    return taken;
}

AlignInputs read_inputs(const RoundsOptions& o, const JsonLinesOptions& lines, Workshop& workshop, const fs::path& folder) {
    AlignInputs inputs;
    inputs.texts = read_source_texts(o.texts, "", lines);
    const auto set = [&](const fs::path& file, const std::string& name, uint64_t tenth, int64_t count) {
        if (!file.empty()) return read_instructions(file.string(), lines);
        const std::vector<SourceText> texts = take_tenth(inputs.texts, tenth);
        if (texts.empty())
            throw Error(o.texts, "enough texts to hold a tenth apart for the " + name + " set", "too few",
                        "give --" + name + " FILE, or more texts");
        GeneratorOptions generator;
        generator.domains = {1, 2, 3};
        generator.count = count;
        generator.stage = name;
        generator.sentences = workshop.sentences();
        return instructions_stage(workshop, texts, generator, folder / "instructions" / name);
    };
    inputs.dev = set(o.dev, "dev", 0, o.dev_count);
    inputs.selection = set(o.selection, "selection", 1, o.selection_count);
    if (inputs.texts.empty()) throw Error(o.texts, "texts besides those held apart", "none");
    return inputs;
}

int run_rounds(const OptionTable& table, const CommonOptions& common, const RoundsOptions& o,
               const TrainingOptions& training) {
    std::vector<fs::path> files = {training.model, o.texts};
    for (const fs::path& file : {training.adapter, o.dev, o.selection})
        if (!file.empty()) files.push_back(file);
    RunFolder run_folder = open_run(kCommand, table, common, files);
    if (run_folder.finished()) return 0;

    const Place place = open_place(common);
    Planner planner = Planner::open(training.model, place.dtype, place.device);
    if (!training.adapter.empty()) planner.adopt(training.adapter);
    Workshop workshop(o.workshop, planner.base, planner.tokenizer);
    run_folder.note("assets", workshop.versions());
    AlignOptions options = o.align;
    options.rounds = *o.rounds;
    options.seed = common.seed;
    options.train = training.train;
    options.examples = training.examples;
    const AlignInputs inputs = read_inputs(o, training.lines, workshop, run_folder.path());
    const Summary summary =
        align(planner, workshop, inputs, options, run_folder.path(), training.adapter.empty() ? "base" : "sft");
    write_json_file(run_folder.path() / "summary.json", to_json(summary));
    for (const auto& stage : summary.stages)
        for (const auto& [reason, count] : stage.dropped) run_folder.set_dropped(stage.name + ": " + reason, count);
    run_folder.finish();
    write_stdout(summary_table(summary));
    return 0;
}

int run(int argc, const char* const* argv) {
    CommonOptions common;
    TrainingOptions training;
    RoundsOptions rounds;
    std::string pairs;
    OptionTable table;
    bind(table, rounds, pairs);
    bind_training(table, training);
    bind_run(table, common);
    const auto check_all = [&](OptionTable& t) {
        check_training(t, training);
        check(t, rounds, pairs, training);
    };
    if (!parse_command(kCommand, table, common, argc, argv, check_all)) return 0;
    if (rounds.rounds) return run_rounds(table, common, rounds, training);
    return run_training(kCommand, table, common, training, pairs);
}

}  // namespace

Command align_command() {
    return kCommand;
}

}  // namespace craft
