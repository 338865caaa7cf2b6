#include "align/trajectories.h"

#include <algorithm>

#include "core/error.h"
#include "core/metrics.h"
#include "core/progress.h"
#include "core/signals.h"
#include "data/tool_usage.h"

namespace craft {

namespace {

Json to_json(const SynthesisReport& report) {
    return {{"instructions", report.instructions},
            {"trajectories", report.trajectories},
            {"dropped", report.dropped},
            {"responses", to_json(report.responses)},
            {"counted", report.counted}};
}

SynthesisReport report_of(const StoreWriter& store) {
    const Json& progress = store.progress();
    if (progress.empty() && store.sealed() == 0) return {};
    if (!progress.contains("instructions") || !progress.contains("dropped"))
        throw Error("trajectory store", "one that was synthesised from instructions", "one that another command wrote");
    SynthesisReport report;
    report.instructions = progress["instructions"].get<int64_t>();
    report.trajectories = store.sealed();
    report.dropped = progress["dropped"].get<std::map<std::string, int64_t>>();
    if (progress.contains("responses")) report.responses = response_counts_from_json(progress["responses"]);
    report.counted = progress.value("counted", report.counted);
    return report;
}

std::vector<Instruction> take(const std::function<std::optional<Instruction>()>& next, int64_t count) {
    std::vector<Instruction> taken;
    while (static_cast<int64_t>(taken.size()) < count) {
        auto instruction = next();
        if (!instruction) break;
        taken.push_back(std::move(*instruction));
    }
    return taken;
}

// Why a trajectory is not stored; empty if it is.
std::string problem_of(const Trajectory& trajectory, const SynthesisOptions& options) {
    for (const Step& step : trajectory.steps)
        if (!step.unusable.empty()) return (step.finished ? "unusable: " : "") + step.unusable;
    return options.keep_wrong_calls ? "" : tool_usage_problem(trajectory);
}

// What takes trajectories in the order of their instructions, those from `done` on.
class Taking {
public:
    Taking(StoreWriter& store, const SynthesisOptions& options, SynthesisReport& report, int64_t seen, int64_t done)
        : store_(store), options_(options), report_(report), seen_(seen), done_(done) {}

    // null: of an instruction that is for evaluation only.
    void take(const Trajectory* trajectory) {
        if (++seen_ <= done_) return;  // sealed, or dropped, before the run stopped
        ++report_.instructions;
        if (trajectory != nullptr)
            for (const Step& step : trajectory->steps) {
                report_.responses.add(ParsedResponse(step.response), step.finished);
                for (const auto& [kind, count] : step.counted) report_.counted[kind] += count;
            }
        const std::string problem = trajectory == nullptr ? kEvaluationOnly : problem_of(*trajectory, options_);
        if (!problem.empty()) {
            ++report_.dropped[problem];
            return;
        }
        ++report_.trajectories;
        store_.append(*trajectory, to_json(report_));
    }
    int64_t seen() const { return seen_; }

private:
    StoreWriter& store_;
    const SynthesisOptions& options_;
    SynthesisReport& report_;
    int64_t seen_, done_;
};

using NextInstruction = std::function<std::optional<Instruction>()>;

// Batch by batch, each in lockstep.
void run_batches(const NextInstruction& next, const RunSession& run, const SynthesisOptions& options, Taking& taking,
                 Progress& progress) {
    for (auto batch = take(next, options.batch); !batch.empty(); batch = take(next, options.batch)) {
        std::vector<Instruction> used = batch;
        std::erase_if(used, is_for_evaluation_only);
        throw_if_stopped();
        const std::vector<Trajectory> made = run(used);
        auto next_made = made.begin();
        for (const Instruction& instruction : batch)
            taking.take(is_for_evaluation_only(instruction) ? nullptr : &*next_made++);
        progress.advance(static_cast<int64_t>(batch.size()));
    }
}

// Each instruction by itself, many at once. Those whose answers are in a batch file have asked for them when it ends.
void run_flow(const NextInstruction& next, const RunSession& run, Flow& flow, Taking& taking, Progress& progress) {
    struct Made {
        std::optional<Trajectory> trajectory;
        bool awaited = false;
    };
    bool all = true;  // up to here: a store is a row of trajectories without gaps
    flow.run<Instruction, Made>(
        next,
        [&](Instruction& instruction) -> Made {
            if (is_for_evaluation_only(instruction)) return {};
            try {
                return {std::move(run({instruction}).at(0))};
            } catch (const AwaitedAnswer&) {
                return {std::nullopt, true};
            }
        },
        [&](Instruction&, Made& made) {
            all = all && !made.awaited;
            if (!all) return;
            taking.take(made.trajectory ? &*made.trajectory : nullptr);
            progress.advance();
        });
    if (!all) throw AwaitedAnswer();
}

[[noreturn]] void throw_nothing_left(const SynthesisReport& report, const SynthesisOptions& options) {
    int64_t taught = 0, most = 0;
    std::string reason;  // the most common one of those that were for training
    for (const auto& [why, count] : report.dropped) {
        if (why == kEvaluationOnly) continue;
        taught += count;
        if (count > most) most = count, reason = why;
    }
    const bool is_tool_usage = reason == "wrong call" || reason == "missing call";  // as tool_usage_problem() names them
    const std::string hint =
        taught == 0                                 ? "instructions of c0 to c3 are for training"
        : is_tool_usage                             ? "does the teacher know the tools?"
        : reason == "cut" && !options.limit.empty() ? options.limit
        : reason == "unusable: unread_plan"
            ? "the rules carry out plans in their own words alone: --reviser SYSTEM carries out others"
        : reason == failure_name(Failure::prompt_too_long)
            ? "the prompt fills the teacher's context: use a shorter one (--prompt, --teacher-prompt) or a longer context"
            : "see the warnings for why there was no answer";
    throw Error("trajectories", "some with the gold calls in every step",
                "none of " + std::to_string(report.instructions) + dropped_note(report.dropped), hint);
}

}  // namespace

SynthesisReport synthesise(const NextInstruction& next, const RunSession& run, StoreWriter& store,
                           const SynthesisOptions& options) {
    SynthesisReport report = report_of(store);
    if (store.finished()) return report;
    const int64_t done = report.instructions;
    // Batches are those of a run that was not stopped: the last bits of a model's figures depend on them. In a flow each
    // instruction stands by itself.
    const int64_t begin = options.flow != nullptr ? done : done / options.batch * options.batch;
    for (int64_t i = 0; i < begin; ++i)
        if (!next()) throw Error(options.source, "those that the store was started with", "fewer");
    Progress progress("trajectories", 0, "instructions", begin);
    Taking taking(store, options, report, begin, done);
    try {
        if (options.flow != nullptr)
            run_flow(next, run, *options.flow, taking, progress);
        else
            run_batches(next, run, options, taking, progress);
    } catch (...) {
        store.keep();
        throw;
    }
    progress.finish();
    if (taking.seen() < done) throw Error(options.source, "those that the store was started with", "fewer");
    if (report.instructions == 0) throw Error(options.source, "at least one instruction", "none");
    if (report.trajectories == 0) throw_nothing_left(report, options);
    store.finish(to_json(report));
    return report;
}

SynthesisReport synthesise(const NextInstruction& next, Session& session, StoreWriter& store,
                           const SynthesisOptions& options) {
    return synthesise(next, RunSession([&](const std::vector<Instruction>& batch) { return session.run(batch); }), store,
                      options);
}

void write_trajectory_metrics(const std::filesystem::path& folder) {
    StoreReader reader(folder);
    MetricsLog log(folder / "metrics.jsonl", folder / "tb", "trajectories", -1);
    for (int64_t at = 0; const auto trajectory = reader.next(); ++at) {
        Json row = {{"id", trajectory->instruction.id}, {"steps", trajectory->steps.size()}};
        if (!trajectory->steps.empty()) row["scores"] = to_json(trajectory->steps.back().scores);
        log.write(at, row);
    }
}

}  // namespace craft
