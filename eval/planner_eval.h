// Evaluates a planner on fixed instructions: one greedy response each, carried out and judged (docs/definitions.md, Scores).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "data/instruction.h"
#include "data/trajectory.h"
#include "judge/reward.h"
#include "metrics/statistics/paired.h"
#include "rollout/reviser.h"
#include "systems/prompts.h"
#include "systems/system.h"

namespace craft {

// Means over instructions. Scales: F1, exact match and S_v, S_c 0-1; S_r, S_a 0-100.
struct PlannerScores {
    int64_t items = 0;
    double tool_f1 = 0, constraint_f1 = 0, exact_match = 0;
    std::optional<double> s_c;  // absent if no instruction has constraints
    std::optional<double> s_r;  // absent without scorers
    double s_a = 0;
    // The mean number of sentences that were changed though the instruction says "only change" others. Not part of S_c;
    // absent if no instruction says so.
    std::optional<double> touched_besides = {};
    std::optional<double> only_kept = {};  // the share of these instructions, 0-1, in which none was; likewise
    // By the figures' names: 95 % percentile bootstrap intervals over the instructions that have the figure (10,000 draws).
    // Of an older file constraint_f1's alone, or none.
    std::map<std::string, Interval> intervals = {};
};

// Calls f(name, mean) for each figure, in this order. Whatever averages, reads or writes figures goes through here. `Scores`
// is PlannerScores or const PlannerScores.
template <class Scores, class F>
void for_each_figure(Scores& scores, F&& f) {
    f("tool_f1", scores.tool_f1);
    f("constraint_f1", scores.constraint_f1);
    f("exact_match", scores.exact_match);
    f("s_c", scores.s_c);
    f("s_r", scores.s_r);
    f("s_a", scores.s_a);
    f("touched_besides", scores.touched_besides);
    f("only_kept", scores.only_kept);
}

// What the figures are means of, instruction by instruction.
struct ItemFigures {
    std::vector<std::string> domains = {};                                  // "c0".."c4"
    std::map<std::string, std::vector<std::optional<double>>> values = {};  // by figure; absent: the instruction has none
};
// Adds what an item's row says (items.jsonl: "domain", and the figures' names as keys; true is 1).
void add_figures(ItemFigures& figures, const Json& row);

struct PlannerEvaluation {
    PlannerScores overall;
    std::map<std::string, PlannerScores> by_domain;         // "c0".."c4"
    std::map<std::string, double> recall_by_shape;          // share of a shape's gold calls that were predicted
    std::map<std::string, Interval> recall_intervals = {};  // of these, over the instructions with the shape
    int64_t unusable_calls = 0;                             // malformed, unknown or wrongly typed
    Leniency leniency = {};                                 // that the responses were read with, by kind
    int64_t unfinished = 0;                                 // responses cut at the token limit
    int64_t tokens = 0;                                     // generated
    double seconds = 0;                                     // of generation
    ItemFigures items = {};                                 // not in to_json()
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

// {"tool_f1","tool_f1_interval":[low,high],"constraint_f1","constraint_f1_interval",...,"by_domain":{...}...}: a stage of
// summary.json. A figure that is absent is null and has no interval; either may be missing when read.
Json to_json(const PlannerEvaluation& evaluation);
PlannerEvaluation planner_evaluation_from_json(const Json& object);

}  // namespace craft
