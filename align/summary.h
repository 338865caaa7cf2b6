// summary.json and the table that people read.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "data/response_counts.h"
#include "eval/planner_eval.h"

namespace craft {

// One row: a planner at one point of the run, measured on the reported dev set (of the rows of Summary::test: on the sealed
// one).
struct SummaryStage {
    std::string name;                               // "base", "sft", "round-1", ..., "control"
    PlannerEvaluation dev = {};                     // what was measured
    int64_t pairs = 0;                              // that the stage trained on
    std::map<std::string, int64_t> dropped = {};    // by reason
    double seconds = 0;                             // of the whole stage
    double tokens_per_second = 0;                   // of its training
    std::optional<double> quality_share = {};       // RoundData's, of a round
    std::optional<ResponseCounts> sampled = {};     // likewise
    std::map<int64_t, int64_t> pairs_by_step = {};  // likewise: pairs of first responses, of second ones, ...
    std::map<std::string, int64_t> counted = {};    // likewise
};

// How much higher a figure is in one row than in another, on the instructions that both were asked and have it.
struct FigureDifference {
    int64_t items = 0;
    double difference = 0;
    Interval interval = {};  // 95 %, by a paired percentile bootstrap over the instructions
};
struct StageDifference {
    std::string row, other;
    std::set<std::string> domains = {};               // "c1", ...: of their instructions alone; empty: of all
    std::map<std::string, FigureDifference> figures;  // by their names: constraint_f1, exact_match, s_c, s_a
};

struct Summary {
    std::vector<SummaryStage> stages;
    std::string best;                                      // the round that the selection set chose
    std::map<std::string, PlannerEvaluation> others = {};  // further sets, of the best planner: "c0", "c4"
    double seconds = 0;
    // Measured on the sealed test set: the start ("base" or "sft"), "best", "control". Empty: it was left out.
    std::vector<SummaryStage> test = {};
    std::vector<StageDifference> differences = {};       // of stages: what was learned, and what the rounds did
    std::vector<StageDifference> test_differences = {};  // likewise, of the rows of `test`
};

// Of two rows with the figures of their items (PlannerEvaluation::items); those of the shorter one come first.
StageDifference difference_of(const SummaryStage& row, const SummaryStage& other, const std::set<std::string>& domains = {});
// Fills in the differences: SFT less the base; the best round, or else the last, less the start and less the control; on the
// sealed test set "best" less the start and less the control, of all its domains and of C1 to C3, those of the training.
// Rows without their items' figures are left out.
void compare_rows(Summary& summary);
double seconds_since(std::chrono::steady_clock::time_point start);
Json to_json(const SummaryStage& stage);
SummaryStage summary_stage_from_json(const Json& object);
Json to_json(const Summary& summary);
// summary.json of a run folder. Throws Error naming the file when it cannot be read or is none.
void write_summary(const std::filesystem::path& folder, const Summary& summary);
Summary read_summary(const std::filesystem::path& folder);
// metrics.jsonl and TensorBoard's events in `folder`: one row per stage, rewritten unless they stand there already, so that
// each is there once however often the run was stopped. Throws Error when a file cannot be written.
void write_stage_metrics(const std::filesystem::path& folder, const std::vector<SummaryStage>& stages);
// One line a stage, and under them one a row of the sealed test set, its name after "test:"; columns aligned.
std::string summary_table(const Summary& summary);

}  // namespace craft
