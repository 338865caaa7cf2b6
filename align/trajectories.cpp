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
    return {{"instructions", report.instructions}, {"trajectories", report.trajectories}, {"dropped", report.dropped}};
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
    const bool cut =
        std::any_of(trajectory.steps.begin(), trajectory.steps.end(), [](const Step& s) { return !s.finished; });
    if (cut) return "cut";
    const bool unrevised =
        std::any_of(trajectory.steps.begin(), trajectory.steps.end(), [](const Step& s) { return !s.unusable.empty(); });
    if (unrevised) return "unusable revision";
    return options.keep_wrong_calls ? "" : tool_usage_problem(trajectory);
}

[[noreturn]] void throw_nothing_left(const SynthesisReport& report) {
    const bool taught = report.dropped.size() > 1 || !report.dropped.contains(kEvaluationOnly);
    throw Error("trajectories", "some with the gold calls in every step",
                "none of " + std::to_string(report.instructions) + dropped_note(report.dropped),
                taught ? "is the teacher one that knows the tools?" : "instructions of c0 to c3 are for training");
}

}  // namespace

SynthesisReport synthesise(const std::function<std::optional<Instruction>()>& next, Session& session, StoreWriter& store,
                           const SynthesisOptions& options) {
    SynthesisReport report = report_of(store);
    if (store.finished()) return report;
    const int64_t done = report.instructions;
    // Batches are those of a run that was not stopped: the last bits of a model's figures depend on them.
    int64_t seen = done / options.batch * options.batch;
    for (int64_t i = 0; i < seen; ++i)
        if (!next()) throw Error(options.source, "those that the store was begun with", "fewer");
    Progress progress("trajectories", 0, "instructions", seen);
    const auto run = [&](std::vector<Instruction> batch) {
        std::erase_if(batch, is_for_evaluation_only);
        try {
            throw_if_stopped();
            return session.run(batch);
        } catch (const Stopped&) {
            store.keep();
            throw;
        }
    };
    for (auto batch = take(next, options.batch); !batch.empty(); batch = take(next, options.batch)) {
        const std::vector<Trajectory> made = run(batch);
        auto next_made = made.begin();
        for (const Instruction& instruction : batch) {
            const Trajectory* trajectory = is_for_evaluation_only(instruction) ? nullptr : &*next_made++;
            if (++seen <= done) continue;  // sealed, or dropped, before the run stopped
            ++report.instructions;
            const std::string problem = trajectory == nullptr ? kEvaluationOnly : problem_of(*trajectory, options);
            if (!problem.empty()) {
                ++report.dropped[problem];
                continue;
            }
            ++report.trajectories;
            store.append(*trajectory, to_json(report));
        }
        progress.advance(static_cast<int64_t>(batch.size()));
    }
    progress.finish();
    if (seen < done) throw Error(options.source, "those that the store was begun with", "fewer");
    if (report.instructions == 0) throw Error(options.source, "at least one instruction", "none");
    if (report.trajectories == 0) throw_nothing_left(report);
    store.finish(to_json(report));
    return report;
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
