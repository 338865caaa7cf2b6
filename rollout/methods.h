// The methods of revising a text on any systems (CRAFT §6.1 "Baselines", §5.2): `direct`, `cot`, `plan`, `iter`, `best-of`,
// `search`. Gold constraints never enter: a task has an id, an instruction and a text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rollout/revision.h"
#include "rollout/text_feedback.h"
#include "rollout/tree/search.h"
#include "systems/prompts.h"
#include "text/wording_table.h"

namespace craft {

enum class Method {
    direct,   // instruction and text to the reviser
    cot,      // the same, asked to reason first
    plan,     // one plan, one revision
    iter,     // several rounds, each of which revises the last revision
    best_of,  // several revisions of the text, of which the one with the highest reward of the search is taken
    search    // TG-MCTS
};

struct MethodOptions {
    Method method = Method::plan;
    int64_t rounds = 5;                  // of iter
    int64_t samples = 8;                 // of best-of
    std::optional<int64_t> tokens = {};  // of best-of, in place of samples: revisions are drawn until they cost so many
    SearchOptions search = {};           // of search; what its reward is made of, of best-of, too
    double search_temperature = 0.7;     // of the responses that search and best-of sample; the others are greedy
    bool use_plan = true;      // of iter, best-of, search; false: no planner, the reviser goes by the instruction alone
    bool use_feedback = true;  // of iter and search; false: an observation holds the revision only
    bool by_sentence = false;  // of direct and cot: sentence by sentence, joined as they stood
    Preserve preserve = {};    // counts as one more condition; its find_names is detect_keyword()'s, too
    SamplingOptions planner = {.stage = "revise"};
};

// Whether a method, so asked for, needs a planner, and a reviser that can go by an instruction alone.
bool needs_planner(const MethodOptions& options);
bool needs_free_reviser(const MethodOptions& options);

struct MethodParts {
    System* planner = nullptr;  // may be null where none is needed; all must outlive the revisions
    Reviser* reviser = nullptr;
    Judge* judge = nullptr;
    const PromptTemplate* prompt = nullptr;
    const WordingTable* feedback = nullptr;
    const TextFeedbackGiver* text_feedback = nullptr;  // of iter and search with plans; null: no suggestions are asked for
};

// May be called by several threads at once if the parts may. Throws Error where a part cannot answer at all; a text of which
// nothing comes keeps its words, and `counted` says why.
RevisionResult revise_text(const Instruction& task, const MethodParts& parts, const MethodOptions& options);

// The same by a plan that is there already: a planner's reply, which a person may have written. One revision.
RevisionResult revise_by_response(const Instruction& task, const Reply& response, const MethodParts& parts,
                                  const MethodOptions& options);

// The search and the best of several alone.
RevisionResult search_revision(const Instruction& task, const MethodParts& parts, const MethodOptions& options);
RevisionResult best_of_revisions(const Instruction& task, const MethodParts& parts, const MethodOptions& options);

// The history of a text that nobody has planned for yet.
Trajectory start_of(const Instruction& task, const MethodParts& parts);
// The conditions that R_c goes by for all revisions of a text: the calls of the planner's greedy first response, since none
// may win by asking for fewer checks. Calls and costs go into the result. None without a planner.
ParsedCalls ask_for_conditions(const Instruction& task, const MethodParts& parts, const MethodOptions& options,
                               RevisionResult& result);

// Without feedback the observation holds the revision only. Suggestions of a model are not in it (add_to_step()).
Step observed(const StepResult& step, const MethodParts& parts, const MethodOptions& options);
// Revisions by the instruction alone, `samples` of each text, judged: without a planner's response.
std::vector<StepResult> revise_freely(const Instruction& task, const std::vector<std::string>& texts, int64_t samples,
                                      uint64_t first_sample, const MethodParts& parts);

}  // namespace craft
