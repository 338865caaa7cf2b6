// What revising one text by some method gives: the text, how good it is, what it cost and how it came about.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "data/trajectory.h"
#include "rollout/conditions.h"
#include "rollout/stepper.h"
#include "tools/leniency.h"

namespace craft {

// Of models' answers; what was recorded costs what it cost when it was made.
struct Cost {
    int64_t calls = 0;
    int64_t input_tokens = 0, output_tokens = 0;
    double seconds = 0;              // of hosted answers, each from its request to its last byte, added up
    std::optional<double> usd = {};  // of those with a price; absent where none has one
    void add(const Usage& usage);
    void add(const Cost& other);
};
Json to_json(const Cost& cost);  // {"calls","input_tokens","output_tokens","seconds","usd"}

// Tokens that went through the planner, each prompt counted once for the samples that share it.
struct PlannerTokens {
    int64_t computed = 0;   // without those whose keys and values were kept
    int64_t plain = 0;      // what a planner that keeps nothing between calls would compute
    int64_t generated = 0;  // of both, the new ones, which nothing spares
};

// One revision on the way: a round of `iter`, a node on the path that a search chose.
struct Round {
    std::string response;  // the planner's; empty without one
    std::string text;
    Conditions conditions;
    std::optional<double> s_r;        // 0-100; absent without scorers
    std::vector<RawQuality> quality;  // one a scorer
    std::string unusable;             // why the text stayed as it was; empty: it did not
    Leniency noted;
    std::string text_feedback =
        {};  // what a model suggested for `text`, as the planner read it; empty: nothing, or not asked
};
Json to_json(const Round& round);

struct RevisionResult {
    std::string text;
    std::vector<std::string> calls;  // of the planner's first response, as written
    std::vector<Round> rounds;       // what stands last is the result
    Cost cost;
    PlannerTokens planner_tokens;
    Json search;                             // how a search went; null of other methods
    Json tree;                               // the whole tree; null likewise
    std::map<std::string, int64_t> counted;  // "unusable: empty", "leniency: alias_name", ...: how often
    int64_t cut_observations = 0;            // old observations that had to go for the planner's window
    // Why no answer could be used, and the text is as it came; empty: one could.
    std::string problem() const;
    // A row of `revise`, without "id": {"text","calls","conditions","scores","cost","trace"}.
    Json row() const;
};

// A round made of a step, whose cost and oddities go into the result.
Round note_round(RevisionResult& result, const StepResult& step, const ParsedCalls& conditions,
                 const std::vector<std::string>& preserve);
// The tokens of a planner's replies to one prompt.
void note_tokens(PlannerTokens& tokens, const std::vector<const Reply*>& replies);
// The costs and oddities alone; `response` is the reply's.
void note_step(RevisionResult& result, const Reply& reply, const ParsedResponse& response, const Revised& revised);

}  // namespace craft
