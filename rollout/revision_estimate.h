// `revise --dry-run`: what a revision of these texts would ask, and what it would cost.
#pragma once

#include "core/json.h"
#include "rollout/revision_run.h"
#include "systems/open/estimated_role.h"

namespace craft {

// Steps of a text, least and most: responses, or revisions by the instruction alone.
AskedTimes asked_steps(const MethodOptions& options);
// Revisions of a text that a planner continues from, of which each is looked through once an aspect.
AskedTimes suggested_times(const MethodOptions& options);

// Asks nothing, opens no weights and reads no key; reads the texts, and the plans where there are some.
//
// {"texts", "bad_lines", "roles": {"planner"|"reviser"|"feedback": {"system", "requests": {"least", "most"},
//  "prompt_tokens", "new_tokens": {"least_requests", "most_requests"}, "usd", "prompt"}}, "usd"}
//
// `requests`: the least take every answer to be usable at once, and a search to end with its first iteration. Recorded
// answers count like others. `prompt_tokens` are those of the least requests, each as long as the role's first one for its
// text: later ones of `iter` and `search` are longer by what was said before. `new_tokens` is what those requests may bring
// at most. `usd` is the price of `prompt_tokens` and of the least requests' new tokens; null where the profile has none.
// `prompt` is what the first text would be asked with. A reviser by rules asks nobody and is no role here.
// Throws Error as the run itself would: an input or prompt file that is not right, a tokenizer that cannot be opened.
Json revision_estimate(const RevisionRunOptions& options);

}  // namespace craft
