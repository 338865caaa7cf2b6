// ReAct trajectories (CRAFT §5.1, App. E.1): a list of messages and back without loss.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/unknown_keys.h"
#include "data/instruction.h"
#include "data/message.h"
#include "tools/craft/craft_tools.h"
#include "tools/leniency.h"

namespace craft {

struct PlanLine {
    std::string sentence;  // the quoted sentence, or its beginning ending in "..."
    std::string plan;
    bool operator==(const PlanLine&) const = default;
};

// A planner's response taken apart. Parsing is lenient and never throws: headings may be indented, bulleted, numbered, bold
// or in lower case; a missing section is empty; what follows an ###OBSERVATION heading is left out. Printing what was parsed
// from a well-formed response gives the same bytes.
struct PlannerResponse {
    std::string thought;
    std::string tools;  // the body of the fenced block as written; with the fence where a call stands on the fence's line
    std::vector<PlanLine> plan;
    bool well_formed = false;  // written exactly as print_response writes it
    Leniency leniency = {};    // that it was read with; none where it is well formed

    ParsedCalls calls() const { return parse_calls(tools); }
};
// Kinds of leniency beside those of calls (tools/leniency.h).
namespace leniency {
inline constexpr const char* kHeadingForm = "heading_form";
inline constexpr const char* kHeadingMissing = "heading_missing";
inline constexpr const char* kHeadingRepeated = "heading_repeated";
inline constexpr const char* kBeforeHeadings = "text_before_headings";
inline constexpr const char* kRanOn = "ran_on_into_observation";
inline constexpr const char* kFenceMissing = "fence_missing";
inline constexpr const char* kFenceLanguage = "fence_with_language";
inline constexpr const char* kCallOnFence = "call_on_the_fence_line";
inline constexpr const char* kFenceOpen = "fence_unterminated";
inline constexpr const char* kAfterFence = "text_behind_the_fence";
inline constexpr const char* kPlanLineForm = "plan_line_form";
inline constexpr const char* kPlanProse = "prose_in_the_plan";
inline constexpr const char* kPlanAlone = "plan_without_headings";
inline constexpr const char* kResponseSpacing = "response_spacing";  // blank lines and the like: no other kind explains it
}  // namespace leniency
// ###THOUGHT: / ###ACTION: / ###TOOLS: ```...``` / ###PLAN: one `Sentence: "..."; Improvement Plan: "..."` a line.
inline constexpr const char* kPlanHeading = "\n###PLAN:";
std::string print_response(const PlannerResponse& response);
PlannerResponse parse_response(std::string_view text);
// A response, parsed once: the reviser, the judge, feedback and figures share what was found.
struct ParsedResponse {
    explicit ParsedResponse(std::string response);
    std::string text;  // verbatim
    PlannerResponse parts;
    ParsedCalls calls;
    Leniency leniency() const;  // of its form and its calls: none of what response_grammar() takes
};

// What a scorer said of a revision and of the text before it, on the scorer's own scale (S_r is made of these).
struct RawQuality {
    std::string scorer;
    double revision = 0, text = 0;
};
// {"perplexity":{"revision":31.2,"text":40.1}}; null where a value is not finite, which is read as infinity.
Json to_json(const std::vector<RawQuality>& quality);
std::vector<RawQuality> raw_quality_from_json(const Json& object, const std::string& where);

struct StepScores {
    std::optional<double> s_v, s_c, s_r;   // 0-1, 0-1 (absent without constraints), 0-100 (absent without scorers)
    double s_a = 0;                        // 0-100
    std::vector<RawQuality> quality = {};  // one a scorer
};
// {"s_v","s_c","s_r","s_a"} and, where there were scorers, "raw_quality".
Json to_json(const StepScores& scores);
StepScores step_scores_from_json(const Json& object, const std::string& where);

struct Step {
    std::string response;     // the assistant's message, verbatim
    std::string revision;     // the reviser's text
    std::string feedback;     // tool, quality and constraint feedback
    std::string observation;  // the user's message, verbatim ("###OBSERVATION: ...")
    StepScores scores;
    std::optional<double> mean_logprob = {};  // of the response's tokens by its writer; not kept in trajectories
    bool finished = true;       // false: the response was cut at the most new tokens; such a step is in no training data
    std::string unusable = {};  // why the revision is the text as it was: the reviser's answer was none (rollout/reviser.h);
                                // empty: it is one. Not kept in files of trajectories
    // What was odd about the revision, and what a model suggested for it: "unusable: cut", "noted: prefaced", "feedback:
    // suggestions" (docs/revise.md), how often. Not kept in files of trajectories, but in the counts beside them.
    std::map<std::string, int64_t> counted = {};
};

struct Trajectory {
    Instruction instruction;
    std::string prompt;  // the first user message (system prompt + instruction + text), verbatim
    std::vector<Step> steps;

    // user(prompt), then assistant(response), user(observation) per step; a last observation that is empty is left out.
    std::vector<Message> messages() const;
};

// {"id","messages","tools","steps":[{"thought","tools","plan","revision","feedback","scores"}...]} plus the
// instruction's fields; to_json then from_json is the identity. Read without the instruction's fields, `instruction` and
// `text` are empty and the gold calls are those of `tools`, each a constraint of its own.
Json to_json(const Trajectory& trajectory);
// Keys that nobody reads are counted in `unknown`, if it is given.
Trajectory trajectory_from_json(const Json& row, const std::string& where, UnknownKeys* unknown = nullptr);

}  // namespace craft
