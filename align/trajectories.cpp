#include "align/trajectories.h"

#include <algorithm>

#include "core/error.h"
#include "core/metrics.h"
#include "core/partial_rows.h"
#include "data/tool_usage.h"

namespace craft {

namespace {

Json to_json(const SynthesisReport& report) {
    return {{"instructions", report.instructions},
            {"trajectories", report.trajectories},
            {"dropped", report.dropped},
            {"kept_by_domain", report.kept_by_domain},
            {"dropped_by_domain", report.dropped_by_domain},
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
    report.kept_by_domain = progress.value("kept_by_domain", report.kept_by_domain);
    report.dropped_by_domain = progress.value("dropped_by_domain", report.dropped_by_domain);
    if (progress.contains("responses")) report.responses = response_counts_from_json(progress["responses"]);
    report.counted = progress.value("counted", report.counted);
    return report;
}

// Why a trajectory is not stored; empty if it is.
std::string problem_of(const Trajectory& trajectory, const SynthesisOptions& options) {
    for (const Step& step : trajectory.steps)
        if (!step.unusable.empty()) return (step.finished ? "unusable: " : "") + step.unusable;
    return options.keep_wrong_calls ? "" : tool_usage_problem(trajectory);
}

// What an instruction comes to: {"dropped": why} or {"trajectory"}; with its domain, and what is counted of the teacher's
// responses, unless it is for evaluation only.
Json row_of(const Instruction& instruction, const RunSession& run, const SynthesisOptions& options) {
    if (is_for_evaluation_only(instruction)) return {{"dropped", kEvaluationOnly}};
    const Trajectory trajectory = run(instruction);
    ResponseCounts responses;
    std::map<std::string, int64_t> counted;
    for (const Step& step : trajectory.steps) {
        responses.add(ParsedResponse(step.response), step.finished);
        for (const auto& [kind, count] : step.counted) counted[kind] += count;
    }
    Json row = {{"domain", domain_name(instruction.domain)}, {"responses", to_json(responses)}, {"counted", counted}};
    if (const std::string problem = problem_of(trajectory, options); !problem.empty())
        row["dropped"] = problem;
    else
        row["trajectory"] = to_json(trajectory);
    return row;
}

// What takes the rows in the order of their instructions; those that a stopped run has stored are there already.
class Taking {
public:
    Taking(StoreWriter& store, const SynthesisOptions& options)
        : store_(store), options_(options), report_(report_of(store)), stored_(report_.instructions) {}

    void take(const Json& row) {
        if (++seen_ <= stored_) return;
        ++report_.instructions;
        if (row.contains("responses")) {
            report_.responses.add(response_counts_from_json(row["responses"]));
            for (const auto& [kind, count] : row["counted"].items()) report_.counted[kind] += count.get<int64_t>();
        }
        const std::string domain = row.value("domain", "");
        if (!domain.empty()) report_.kept_by_domain.try_emplace(domain, 0);
        if (row.contains("dropped")) {
            const std::string reason = row["dropped"].get<std::string>();
            ++report_.dropped[reason];
            if (!domain.empty()) ++report_.dropped_by_domain[domain][reason];
            return;
        }
        ++report_.trajectories;
        ++report_.kept_by_domain[domain];
        store_.append(trajectory_from_json(row.at("trajectory"), "trajectories.partial"), to_json(report_));
    }
    void finish() {
        if (seen_ < stored_) throw Error(options_.source, "those that the store was started with", "fewer");
        if (report_.instructions == 0) throw Error(options_.source, "at least one instruction", "none");
        if (report_.trajectories == 0) throw_nothing_left();
        store_.finish(to_json(report_));
    }
    const SynthesisReport& report() const { return report_; }

private:
    [[noreturn]] void throw_nothing_left() const;

    StoreWriter& store_;
    const SynthesisOptions& options_;
    SynthesisReport report_;
    int64_t stored_, seen_ = 0;
};

void Taking::throw_nothing_left() const {
    int64_t taught = 0, most = 0;
    std::string reason;  // the most common one of those that were for training
    for (const auto& [why, count] : report_.dropped) {
        if (why == kEvaluationOnly) continue;
        taught += count;
        if (count > most) most = count, reason = why;
    }
    const bool is_tool_usage = reason == "wrong call" || reason == "missing call";  // as tool_usage_problem() names them
    const std::string hint =
        taught == 0                                  ? "instructions of c0 to c3 are for training"
        : is_tool_usage                              ? "does the teacher know the tools?"
        : reason == "cut" && !options_.limit.empty() ? options_.limit
        : reason == "unusable: unread_plan"
            ? "the rules carry out plans in their own words alone: --reviser SYSTEM carries out others"
        : reason == failure_name(Failure::prompt_too_long)
            ? "the prompt fills the teacher's context: use a shorter one (--prompt, --teacher-prompt) or a longer context"
            : "see the warnings for why there was no answer";
    throw Error("trajectories", "some with the gold calls in every step",
                "none of " + std::to_string(report_.instructions) + dropped_note(report_.dropped), hint);
}

}  // namespace

std::optional<SynthesisReport> synthesise(const std::function<std::optional<Instruction>()>& next, const RunSession& run,
                                          Asking& asking, const std::filesystem::path& folder,
                                          const SynthesisOptions& options, const std::function<void()>& note) {
    Ranks& ranks = asking.ranks();
    std::optional<StoreWriter> store;
    if (ranks.is_first()) store.emplace(folder, options.store);
    PartialRows rows = PartialRows::of_stage(folder / "trajectories", ranks);
    const bool is_finished = !ranks.exchange(store && store->finished() ? "finished" : "").front().empty();
    if (is_finished) {
        if (store) rows.remove();
        return store ? report_of(*store) : SynthesisReport();
    }
    const auto next_row = [&]() -> std::optional<RowMaker> {
        auto instruction = next();
        if (!instruction) return std::nullopt;
        return [&, one = std::move(*instruction)] { return row_of(one, run, options); };
    };
    std::optional<Taking> taking;
    if (store) taking.emplace(*store, options);
    if (!ask_for_rows({"trajectories", "instructions", 0, next_row}, asking, rows, note,
                      [&](const Json& row) { taking->take(row); }))
        return std::nullopt;
    if (!taking) return SynthesisReport();
    rows.check([&] { taking->finish(); });
    rows.remove();
    return taking->report();
}

std::vector<std::string> domains_without_any(const SynthesisReport& report) {
    std::vector<std::string> lines;
    for (const auto& [domain, kept] : report.kept_by_domain) {
        if (kept > 0) continue;
        const auto& dropped = report.dropped_by_domain.at(domain);
        int64_t all = 0;
        for (const auto& [reason, count] : dropped) all += count;
        lines.push_back("domain " + domain + ": none of " + std::to_string(all) + " trajectories was kept" +
                        dropped_note(dropped));
    }
    return lines;
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
