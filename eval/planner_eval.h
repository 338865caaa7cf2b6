// Evaluates a planner on fixed instructions: one greedy response each, carried out and judged (docs/definitions.md, Scores).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/json.h"
#include "data/instruction.h"
#include "data/trajectory.h"
#include "judge/reward.h"
#include "rollout/reviser.h"
#include "systems/prompts.h"
#include "systems/system.h"

namespace craft {

// Means over instructions. Scales: F1, exact match and S_v, S_c 0-1; S_r, S_a 0-100.
struct PlannerScores {
    int64_t items = 0;
    double tool_f1 = 0, constraint_f1 = 0, exact_match = 0;
    // 95 % percentile bootstrap interval of constraint_f1 over the instructions (10,000 draws); absent if it is of an older
    // file.
    std::optional<std::pair<double, double>> constraint_f1_interval = {};
    std::optional<double> s_c;  // absent if no instruction has constraints
    std::optional<double> s_r;  // absent without scorers
    double s_a = 0;
    // The mean number of sentences that were changed though the instruction says "only change" others. Not part of S_c;
    // absent if no instruction says so.
    std::optional<double> touched_besides = {};
    std::optional<double> only_kept = {};  // the share of these instructions, 0-1, in which none was; likewise
};

struct PlannerEvaluation {
    PlannerScores overall;
    std::map<std::string, PlannerScores> by_domain;  // "c0".."c4"
    std::map<std::string, double> recall_by_shape;   // share of a shape's gold calls that were predicted
    int64_t unusable_calls = 0;                      // malformed, unknown or wrongly typed
    Leniency leniency = {};                          // that the responses were read with, by kind
    int64_t unfinished = 0;                          // responses cut at the token limit
    int64_t tokens = 0;                              // generated
    double seconds = 0;                              // of generation
    std::vector<double> constraint_f1s = {};         // of each instruction, in order; not in to_json()
};

// What was generated for an instruction, and how it was judged.
struct EvaluatedItem {
    std::string response, revision;
    bool finished = true;  // false: the response was cut at the token limit, or there is none
    int64_t tokens = 0;    // generated
    int64_t unusable_calls = 0;
    // Of Judged.
    double tool_f1 = 0, constraint_f1 = 0, s_a = 0;
    bool exact_match = false;
    std::vector<bool> met;  // by constraint
    std::optional<double> s_c, s_r;
    std::optional<int64_t> touched_besides;
    std::vector<RawQuality> quality;
    std::optional<bool> only_kept() const { return touched_besides ? std::optional(*touched_besides == 0) : std::nullopt; }
};

struct EvaluatedItems {
    std::vector<EvaluatedItem> items;  // in the order of the instructions
    double seconds = 0;                // of generation
};
EvaluatedItems evaluate_items(System& planner, Reviser& reviser, Judge& judge, const PromptTemplate& prompt,
                              const std::vector<Instruction>& instructions, const SamplingOptions& sampling);
// The figures of items that were evaluated, wherever.
PlannerEvaluation evaluation_of(const std::vector<Instruction>& instructions, const EvaluatedItems& evaluated);
PlannerEvaluation evaluate_planner(System& planner, Reviser& reviser, Judge& judge, const PromptTemplate& prompt,
                                   const std::vector<Instruction>& instructions, const SamplingOptions& sampling);

// {"tool_f1","constraint_f1","constraint_f1_interval":[low,high],"exact_match","s_v","s_c","s_r","s_a","touched_besides","only_kept","by_domain":{...}...}:
// a stage of summary.json. What is absent is null, and may be missing when read.
Json to_json(const PlannerEvaluation& evaluation);
PlannerEvaluation planner_evaluation_from_json(const Json& object);

}  // namespace craft
