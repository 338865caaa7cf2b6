#include "align/align.h"

#include <algorithm>
#include <chrono>
#include <set>

#include "align/instruction_sets.h"
#include "align/round_training.h"
#include "core/error.h"
#include "core/log.h"
#include "core/progress.h"
#include "core/run_folder.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

// What the selection set says of a planner.
struct Selected {
    std::string name;
    fs::path adapter;  // empty: the planner as it came, without one
    PlannerEvaluation scores;
};

bool improves(const PlannerEvaluation& now, const PlannerEvaluation& before, double epsilon) {
    return 100 * (now.overall.tool_f1 - before.overall.tool_f1) >= epsilon ||
           now.overall.s_a - before.overall.s_a >= epsilon;
}

class Rounds {
public:
    Rounds(Planner& planner, RevisionEnvironment& environment, const AlignInputs& inputs, const AlignOptions& options,
           fs::path folder, ProcessGroup& group)
        : planner_(planner),
          environment_(environment),
          inputs_(inputs),
          options_(options),
          folder_(std::move(folder)),
          group_(group) {}

    Summary run(const std::string& start) {
        const Stage start_stage(folder_ / "start");
        group_.run_on_first_rank([&] {
            if (!planner_.decoder.adapter() || start_stage.complete()) return;
            planner_.save_adapter(folder_ / "start" / "adapter");
            start_stage.mark_complete();
        });
        start_adapter_ = planner_.decoder.adapter() ? folder_ / "start" / "adapter" : fs::path();
        begin(start);
        for (int64_t round = 1; round <= options_.rounds; ++round) {
            if (!run_round(round)) break;
            if (stopped_improving()) {
                log_info("two rounds in a row improve by less than epsilon on the selection set", {{"rounds", round}});
                break;
            }
        }
        keep_best();
        if (options_.control) run_control();
        if (options_.test > 0) evaluate_test(start);
        restore(best_.adapter);
        compare_rows(summary_);
        for (const auto* rows : {&summary_.stages, &summary_.test})
            for (const SummaryStage& row : *rows) summary_.seconds += row.seconds;
        return std::move(summary_);
    }

private:
    // As the whole job, if there is one, names what begins in this folder.
    void begin_stage(const fs::path& folder) const {
        begin_part((folder_.filename() / fs::relative(folder, folder_)).generic_string());
    }

    PlannerEvaluation evaluate(const std::vector<Instruction>& instructions, const fs::path& folder) {
        begin_stage(folder);
        return evaluate_stage(planner_, environment_, instructions, options_.sampling, folder, group_);
    }

    RoundData round_data(int64_t round, const fs::path& folder) {
        return make_round_data(planner_, environment_, inputs_, options_, round, folder, group_);
    }

    void begin(const std::string& start) {
        const auto began = std::chrono::steady_clock::now();
        SummaryStage row{.name = start, .dev = evaluate(inputs_.dev, folder_ / "start" / "dev")};
        selected_.push_back({start, start_adapter_, evaluate(inputs_.selection, folder_ / "start" / "selection")});
        report(std::move(row), folder_ / "start", began);
    }

    // False if the round gave no pair or group that can be trained on.
    bool run_round(int64_t round) {
        const auto began = std::chrono::steady_clock::now();
        const std::string name = "round-" + std::to_string(round);
        const fs::path folder = folder_ / name;
        begin_stage(folder / "pairs");
        const RoundData data = round_data(round, folder);
        if (options_.mean && !trained_.empty())
            restore(trained_.back());  // training resumes where it ended, not at the mean
        begin_stage(folder / "train");
        const TrainedStage trained = train_round(planner_, data, options_, round, folder / "train", group_);
        SummaryStage row;
        row.name = name;
        row.pairs = trained.examples;
        row.dropped = data.dropped;
        row.quality_share = data.quality_share;
        row.sampled = data.sampled;
        row.pairs_by_step = pairs_by_step(data);
        row.counted = data.counted;
        for (const auto& [reason, count] : trained.dropped) row.dropped[reason] += count;
        if (trained.examples == 0) {
            log_warning("the round gave nothing to train on: stopping here", {{"round", round}, {"dropped", row.dropped}});
            row.dev = summary_.stages.back().dev;  // nothing was learned
            report(std::move(row), folder, began);
            return false;
        }
        tokens_.push_back(trained.tokens);
        trained_.push_back(folder / "train" / "adapter");
        const fs::path adapter = take_mean(trained_, folder / "mean");
        row.dev = evaluate(inputs_.dev, folder / "dev");
        row.tokens_per_second = trained.seconds > 0 ? static_cast<double>(trained.tokens) / trained.seconds : 0;
        selected_.push_back({name, adapter, evaluate(inputs_.selection, folder / "selection")});
        report(std::move(row), folder, began);
        return true;
    }

    // After the last of these trainings, each of which continued from the one before: makes the planner their mean, where
    // the options say so, and writes it to `folder`. Returns where the planner's adapter is.
    fs::path take_mean(const std::vector<fs::path>& trained, const fs::path& folder) {
        if (!options_.mean || trained.size() == 1) return trained.back();
        planner_.load_adapter_mean(trained);
        group_.run_on_first_rank([&] { planner_.save_adapter(folder); });
        return folder;
    }

    // The rounds' training with SFT on what they preferred, from the same start, with the same compute.
    void run_control() {
        const auto began = std::chrono::steady_clock::now();
        restore(start_adapter_);
        SummaryStage row{.name = "control"};
        std::vector<fs::path> adapters;
        int64_t tokens = 0;
        double seconds = 0;
        for (size_t i = 0; i < tokens_.size(); ++i) {
            const int64_t round = static_cast<int64_t>(i) + 1;
            const std::string name = "round-" + std::to_string(round);
            const RoundData data = round_data(round, folder_ / name);
            begin_stage(folder_ / "control" / name);
            const TrainedStage trained =
                train_control(planner_, data, options_, round, tokens_[i], folder_ / "control" / name, group_);
            adapters.push_back(folder_ / "control" / name / "adapter");
            row.pairs += static_cast<int64_t>(data.pairs.size() + data.groups.size());
            for (const auto& [reason, count] : trained.dropped) {
                row.dropped[reason] += count;
                row.pairs -= count;
            }
            tokens += trained.tokens;
            seconds += trained.seconds;
        }
        control_adapter_ = adapters.empty() ? start_adapter_ : take_mean(adapters, folder_ / "control" / "mean");
        row.dev = evaluate(inputs_.dev, folder_ / "control" / "dev");
        row.tokens_per_second = seconds > 0 ? static_cast<double>(tokens) / seconds : 0;
        report(std::move(row), folder_ / "control", began);
    }

    // The sealed set, now that nothing is left to decide. A planner with two rows (a start that no round was better than) is
    // evaluated once, and its seconds stand in the first.
    void evaluate_test(const std::string& start) {
        const fs::path folder = folder_ / "test";
        const auto instructions =
            group_.first_rank_first([&] { return sealed_test_set(environment_, options_.test, folder / "instructions"); });
        std::set<std::string> evaluated;
        const auto add_row = [&](const std::string& name, const std::string& planner, const fs::path& adapter) {
            restore(adapter);
            begin_stage(folder / name);
            SummaryStage row{.name = name, .dev = evaluate(instructions, folder / planner)};
            if (evaluated.insert(planner).second) row.seconds = row.dev.seconds;
            summary_.test.push_back(std::move(row));
        };
        add_row(start, start, start_adapter_);
        add_row("best", best_.name, best_.adapter);
        // It is there to be compared with a round.
        if (options_.control && best_.name != start) add_row("control", "control", control_adapter_);
    }

    // A stage's row is stored once, so that its wall time survives a restart.
    void report(SummaryStage row, const fs::path& folder, std::chrono::steady_clock::time_point began) {
        const Stage stage(folder / "row");
        row = group_.first_rank_first([&] {
            if (stage.complete()) {
                SummaryStage stored = stage.read_summary(summary_stage_from_json);
                stored.dev.items = row.dev.items;
                return stored;
            }
            row.seconds = seconds_since(began);
            stage.mark_complete(to_json(row));
            return row;
        });
        const PlannerScores& s = row.dev.overall;
        log_info(
            row.name,
            {{"tool_f1", s.tool_f1}, {"constraint_f1", s.constraint_f1}, {"exact_match", s.exact_match}, {"s_a", s.s_a}});
        summary_.stages.push_back(std::move(row));
        if (group_.is_first()) write_stage_metrics(folder_, summary_.stages);
    }

    bool stopped_improving() const {
        if (selected_.size() < 3) return false;
        for (size_t i = selected_.size() - 2; i < selected_.size(); ++i)
            if (improves(selected_[i].scores, selected_[i - 1].scores, options_.epsilon)) return false;
        return true;
    }

    void keep_best() {
        best_ = *std::max_element(selected_.begin(), selected_.end(), [](const Selected& a, const Selected& b) {
            return a.scores.overall.s_a < b.scores.overall.s_a;
        });
        summary_.best = best_.name;
        restore(best_.adapter);
        if (best_.adapter.empty()) {
            log_warning("no round is better than the start: adapter/ is a fresh adapter that changes nothing");
            make_trainable(planner_.decoder, options_.train);
        }
        group_.run_on_first_rank([&] { planner_.save_adapter(folder_ / "adapter"); });
    }

    // The planner with this adapter, or as it came.
    void restore(const fs::path& adapter) {
        if (adapter.empty())
            planner_.decoder = planner_.base;
        else
            planner_.load_adapter(adapter);
    }

    Planner& planner_;
    RevisionEnvironment& environment_;
    const AlignInputs& inputs_;
    const AlignOptions& options_;
    fs::path folder_, start_adapter_, control_adapter_;
    ProcessGroup& group_;
    std::vector<Selected> selected_;
    std::vector<fs::path> trained_;  // each round's own adapter
    std::vector<int64_t> tokens_;    // computed by each round's training
    Selected best_;
    Summary summary_;
};

}  // namespace

Summary align(Planner& planner, RevisionEnvironment& environment, const AlignInputs& inputs, const AlignOptions& options,
              const fs::path& folder, const std::string& start, ProcessGroup& group) {
    if ((inputs.texts.empty() && inputs.ready.empty()) || inputs.selection.empty() || inputs.dev.empty())
        throw Error("align", "texts, a selection set and a dev set", "an empty one");
    return Rounds(planner, environment, inputs, options, folder, group).run(start);
}

}  // namespace craft
