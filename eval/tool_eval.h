// `eval tools`: F1 of a planner's calls against gold (docs/definitions.md, Scores).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "tools/craft/call_errors.h"
#include "tools/craft/tool_call.h"
#include "tools/craft/tool_use.h"

namespace craft {

enum class ToolReading {
    strict,     // calls are parsed and brought to normal form
    published,  // recorded lines as raw strings, without those equal to `python`, nothing normalised
};

// Calls as a planner wrote them, one string each. An element that begins like a call and never ends is a malformed one, also
// of a name that no tool has.
using WrittenCalls = std::vector<std::string>;

struct ToolItem {
    std::string id;
    int domain = 0;
    std::vector<std::vector<ToolCall>> gold;       // one list a constraint
    WrittenCalls gold_as_written;                  // for the published reading
    std::map<std::string, WrittenCalls> planners;  // recorded calls of CORD's planners, by their names
};

// Instructions in the form of `constraints` or CORD. Throws Error on a bad row, a repeated id, or no row
// at all.
std::vector<ToolItem> read_tool_items(const std::string& path, const JsonLinesOptions& options = {});

struct PredictedCalls {
    std::string id;
    WrittenCalls calls;
    std::string where{};  // "file:line", for messages
};
// What `plan` writes: {"id","calls":[...]}, other keys ignored. Throws Error on a bad row, a repeated id, or no
// row at all.
std::vector<PredictedCalls> read_predicted_calls(const std::string& path, const JsonLinesOptions& options = {});
// The recorded calls of one planner, of the items that have them. Throws UsageError if no item does.
std::vector<PredictedCalls> recorded_calls(const std::vector<ToolItem>& items, const std::string& planner);

struct ToolItemScore {
    std::string id;
    int domain = 0;
    double f1 = 0;             // S_v
    double constraint_f1 = 0;  // without text_eval()
    bool exact_match = false;  // of the sets without text_eval()
    int64_t unusable = 0;      // distinct malformed, unknown or wrongly typed calls; 0 in the published reading
    int64_t ignored = 0;       // elements of the list that are no call at all, as prose; 0 in the published reading
    CallCounts counts = {};    // without text_eval()
    CallErrors errors = {};    // none in the published reading
};

struct ToolMean {
    int64_t items = 0;
    std::optional<double> f1, constraint_f1, exact_match;  // absent without items
    CallCounts counts;                                     // sums over the items, without text_eval()
    CallErrors errors;                                     // likewise
};

struct ToolEvaluation {
    ToolReading reading = ToolReading::strict;
    std::vector<ToolItemScore> items;  // those with a prediction, in the order of the instructions
    int64_t missing = 0;               // instructions without one, left out of the means
    int64_t ignored = 0;               // of all items
    ToolMean overall;
    std::map<std::string, ToolMean> by_domain;  // "c2"
    std::map<std::string, ToolMean> by_shape;   // over the items that hold a constraint of the shape
};

// Throws Error on a prediction whose id no item has.
ToolEvaluation evaluate_tools(const std::vector<ToolItem>& items, const std::vector<PredictedCalls>& predictions,
                              ToolReading reading);

// {"reading","missing","corpus":{"f1","constraint_f1","exact_match","items","micro","constraint_micro","missing","ignored",
// "by_domain","by_shape"},"items":[{"id","domain","f1","constraint_f1","exact_match","unusable","ignored"}...]}. Domains and
// shapes have the corpus's first six. "micro" is {"f1","precision","recall","correct","predicted","gold"} of summed calls,
// "constraint_micro" the same without text_eval(); a share without a denominator is null. In the strict reading the corpus
// and its domains have "call_errors", the number of each kind of call_error_kinds(), and items those that they have.
Json to_json(const ToolEvaluation& evaluation);

// One line a kind of error, with their number over all instructions, its share of all errors, and its number by domain; a
// last line with the sums. Columns are aligned.
std::string error_table(const ToolEvaluation& evaluation);

}  // namespace craft
