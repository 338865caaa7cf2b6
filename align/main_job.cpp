#include "align/main_job.h"

#include <algorithm>
#include <chrono>

#include "align/instruction_sets.h"
#include "align/job_costs.h"
#include "align/round_training.h"
#include "align/trajectories.h"
#include "core/error.h"
#include "core/files.h"
#include "core/log.h"
#include "core/model_files.h"
#include "core/run_manifest.h"
#include "data/constraints/source_texts.h"
#include "data/store.h"
#include "judge/flowing_judge.h"
#include "model/chat/chat_template.h"
#include "text/words.h"
#include "train/trainer.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

// Tokens from which on it is worth while to compute what sequences begin with once: more than a template alone puts there.
constexpr size_t kSharedStart = 64;

class MainJob {
public:
    MainJob(const MainJobOptions& options, at::ScalarType dtype, const at::Device& device, fs::path folder)
        : options_(options),
          folder_(std::move(folder)),
          planner_(Planner::open(own_model(), dtype, device)),
          environment_(environment_around(planner_, options.environment, dtype, device)) {}

    Summary run(const std::function<void()>& inputs_are_fit) {
        AlignInputs inputs;
        inputs.texts = texts("train");
        inputs.selection = evaluation("selection", "select", {1, 2, 3}, options_.selection, Split::train);
        inputs.dev = evaluation("dev", "dev", {1, 2, 3}, options_.dev, Split::dev);
        // Not the set that chooses the round: on that one, the epoch that did best there would look better than it is.
        std::vector<Instruction> epochs;
        if (options_.sft.epochs > 1) epochs = evaluation("epochs", "select", {1, 2, 3}, options_.selection, Split::train);
        if (inputs_are_fit) inputs_are_fit();
        const SynthesisReport made = make_trajectories(inputs.texts);
        const Examples examples = sft_examples();
        JobProgress whole(tell_costs(inputs, examples.trees));
        const SummaryStage base = evaluate_base(inputs);
        const SummaryStage sft = fine_tune(made, examples, epochs);

        AlignOptions rounds = options_.align;
        rounds.seed = options_.seed;
        rounds.generator.per_text = options_.asked_per_text;
        Summary summary = align(planner_, environment_, inputs, rounds, folder_ / "align", "sft");
        summary.stages.front().seconds += sft.seconds;
        for (const auto& [reason, count] : sft.dropped) summary.stages.front().dropped[reason] += count;
        summary.stages.front().tokens_per_second = sft.tokens_per_second;
        summary.stages.insert(summary.stages.begin(), base);
        planner_.save_adapter(folder_ / "adapter");
        compare_rows(summary);
        const auto others_began = std::chrono::steady_clock::now();
        evaluate_others(summary);
        // The stages' own seconds, which stay when a stopped run resumes.
        summary.seconds = seconds_since(others_began);
        for (const auto* rows : {&summary.stages, &summary.test})
            for (const SummaryStage& row : *rows) summary.seconds += row.seconds;
        write_stage_metrics(folder_, summary.stages);
        write_summary(folder_, summary);
        return summary;
    }

private:
    // The model stays where it is, and the run folder names it.
    fs::path own_model() {
        const Stage stage(folder_ / "model");
        if (stage.complete()) return stage.path();
        // An unfit folder is named as the user knows it, before anything is made of it.
        read_decoder_config(options_.base_model);
        open_chat_template(options_.base_model, options_.chat_template);
        write_model_reference(options_.base_model, stage.path(), remembered_hashes(folder_));
        put_chat_template(stage.path(), options_.chat_template);
        stage.mark_complete();
        return stage.path();
    }

    std::vector<SourceText> texts(const std::string& name) const {
        const std::string file = (options_.texts / (name + ".jsonl")).string();
        std::vector<SourceText> read = read_source_texts(file, "", {});
        if (options_.text_words > 0)
            std::erase_if(read, [&](const SourceText& text) {
                return static_cast<int64_t>(whitespace_words(text.text).size()) > options_.text_words;
            });
        if (read.empty())
            throw Error(file, "texts of at most " + std::to_string(options_.text_words) + " words (data.text_words)",
                        "none");
        return with_passages(std::move(read), options_.passages, /*seed=*/0);  // the same texts in every run
    }

    std::vector<Instruction> evaluation(const std::string& name, const std::string& text_set,
                                        const std::vector<int>& domains, int64_t count, Split split) {
        return evaluation_set(environment_, texts(text_set), name, domains, count, split, folder_, options_.asked_per_text);
    }

    std::vector<Instruction> base_part(const AlignInputs& inputs) const {
        std::vector<Instruction> asked = inputs.dev;
        if (options_.base_dev > 0) asked.resize(std::min(asked.size(), static_cast<size_t>(options_.base_dev)));
        return asked;
    }

    // Says what the job will take, and returns its parts.
    std::vector<JobProgress::Part> tell_costs(const AlignInputs& inputs, const std::vector<TokenTree>& trees) {
        if (trees.empty()) return {};
        try {
            const JobData data{trees, base_part(inputs), inputs.dev, inputs.selection};
            const JobCosts costs = job_costs(options_, planner_, environment_, data, folder_);
            log_info("the whole job will take " + told(costs) + " here");
            return costs.parts;
        } catch (const Error& error) {  // what cannot be told may fit all the same
            log_warning("the cost of the whole job cannot be estimated: " + std::string(error.what()));
            return {};
        }
    }

    SummaryStage evaluate_base(const AlignInputs& inputs) {
        SummaryStage row{.name = "base"};
        begin_part("base/dev");
        row.dev =
            evaluate_stage(planner_, environment_, base_part(inputs), options_.align.sampling, folder_ / "base" / "dev");
        row.seconds = row.dev.seconds;
        log_info("base", {{"constraint_f1", row.dev.overall.constraint_f1}, {"s_a", row.dev.overall.s_a}});
        return row;
    }

    // Trajectories of the built-in teacher; what is no example of tool usage is dropped.
    SynthesisReport make_trajectories(const std::vector<SourceText>& sources) {
        GeneratorOptions generator;
        generator.mix = options_.align.generator.mix;
        generator.count = options_.trajectories;
        generator.domains = options_.domains;
        generator.per_text = options_.per_text;
        generator.seed = options_.seed;
        generator.stage = "sft";
        generator.split = Split::train;
        generator.sentences = environment_.sentences();
        const InstructionSet set = instructions_stage(environment_, sources, generator, folder_ / "instructions" / "sft");
        const std::vector<Instruction>& instructions = set.instructions;
        TeacherResponder teacher(RulesTeacher(environment_.rules(),
                                              WordingTable::load(share_folder() / "prompts" / "teacher.json"),
                                              {.plan_lines = options_.plan_lines,
                                               .quote_words = options_.quote_words,
                                               .seed = options_.seed,
                                               .sentences = environment_.sentences()}));
        // S_r chooses between steps: where there is one, a minute's perplexities would serve nobody.
        Judge without_quality(environment_.judge().options(), {});
        UnrecordedAsking asking({});
        FlowingJudge judge(asking.flow(), options_.teacher_steps == 1 ? without_quality : environment_.judge());
        const auto run = [&](const Instruction& one) {
            return environment_.session(teacher, {.max_steps = options_.teacher_steps}, &judge).run({one}).at(0);
        };
        size_t next = 0;
        SynthesisReport report =
            synthesise([&] { return next < instructions.size() ? std::optional(instructions[next++]) : std::nullopt; }, run,
                       asking, folder_ / "trajectories")
                .value();
        log_info("made trajectories", {{"trajectories", report.trajectories}, {"dropped", report.dropped}});
        for (const auto& [reason, count] : set.dropped) report.dropped[reason] += count;
        return report;
    }

    Examples sft_examples() {
        ExampleBuilder builder = example_builder(planner_, options_.align.examples);
        StoreReader store(folder_ / "trajectories");
        while (const auto trajectory = store.next()) builder.add_trajectory(*trajectory);
        Examples examples = builder.take();
        examples.trees = join_equal_starts(std::move(examples.trees), kSharedStart, static_cast<size_t>(options_.per_text));
        return examples;
    }

    // SFT until one more epoch adds less than TrainOptions::min_epoch_gain in constraint F1 on `held_out`. Without
    // instructions there, its one epoch.
    SummaryStage fine_tune(const SynthesisReport& made, const Examples& examples, const std::vector<Instruction>& held_out) {
        begin_part("sft");
        const auto began = std::chrono::steady_clock::now();
        const Stage stage(folder_ / "sft");
        if (stage.complete()) {
            planner_.load_adapter(folder_ / "sft" / "adapter");
            return stage.read_summary(summary_stage_from_json);
        }
        TrainOptions train_options = options_.sft;
        train_options.seed = options_.seed;
        make_trainable(planner_.decoder, train_options);
        TrainCallbacks callbacks;
        const auto epoch_score = [&](int64_t epoch) {
            const auto system = planner_.system(options_.seed);
            SamplingOptions greedy = options_.align.sampling;
            greedy.temperature = 0;
            const auto scores = evaluate_planner(*system, environment_.reviser(), environment_.judge(),
                                                 environment_.prompt(), held_out, greedy);
            log_info("SFT epoch " + std::to_string(epoch), {{"constraint_f1", scores.overall.constraint_f1},
                                                            {"exact_match", scores.overall.exact_match},
                                                            {"tool_f1", scores.overall.tool_f1}});
            return scores.overall.constraint_f1;
        };
        if (!held_out.empty()) callbacks.epoch_score = epoch_score;
        const TrainResult result = train(planner_.decoder, examples.trees, train_options, folder_ / "sft", callbacks);
        if (train_options.min_epoch_gain && !result.stopped_early)
            log_warning("SFT was still improving in its last epoch: part of what the rounds add is just more training",
                        {{"epochs", result.epochs}});
        planner_.save_adapter(folder_ / "sft" / "adapter");
        SummaryStage row;
        row.name = "sft";
        row.dropped = made.dropped;
        row.seconds = seconds_since(began);
        row.tokens_per_second = result.seconds > 0 ? static_cast<double>(result.tokens) / result.seconds : 0;
        for (const auto& [reason, count] : examples.dropped) row.dropped[reason] += count;
        Json summary = to_json(row);
        summary["stopped_early"] = result.stopped_early;
        summary["epochs"] = result.epochs;
        summary["best_epoch"] = result.best_epoch;
        summary["epochs_constraint_f1"] = result.scores;
        stage.mark_complete(summary);
        return row;
    }

    // Domains that the reported set does not hold: unconstrained, and four constraints, which training never sees.
    void evaluate_others(Summary& summary) {
        for (const int domain : {0, 4}) {
            if (options_.others == 0) return;
            const std::string name = "c" + std::to_string(domain);
            const auto set = evaluation(name, "dev", {domain}, options_.others, Split::dev);
            begin_part("others/" + name);
            summary.others[name] =
                evaluate_stage(planner_, environment_, set, options_.align.sampling, folder_ / "others" / name);
        }
    }

    const MainJobOptions& options_;
    fs::path folder_;
    Planner planner_;
    RevisionEnvironment environment_;
};

}  // namespace

Summary run_main_job(const MainJobOptions& options, at::ScalarType dtype, const at::Device& device, const fs::path& folder,
                     const std::function<void()>& inputs_are_fit) {
    return MainJob(options, dtype, device, folder).run(inputs_are_fit);
}

}  // namespace craft
