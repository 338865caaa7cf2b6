// The built-in model of the grammar agent: rules that answer its conversations as a language model would, with thoughts,
// tool calls, one edit at a time, reflections and a final answer (GEC-Agent §3.1). They read what the messages show and
// nothing else.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gec/rules/named_edits.h"
#include "systems/system.h"

namespace craft {

// An edit with what speaks for it, as a clause. `withdraw` is one, too: it takes the edit before it back.
struct ReasonedEdit {
    NamedEdit edit;
    std::string why;
    bool is_spelling = false;
};

// What is to be done with a sentence, of which error_parsing said `observation` (empty: it was not asked). May be called
// from several threads at once.
using EditPlanner = std::function<std::vector<ReasonedEdit>(const std::string& sentence, const std::string& observation)>;

// Answers by a planner: the findings of error_parsing first, which the plan then knows, and those of spell_check where a
// spelling is to be changed, if the messages offer these tools; then each edit; then the sentence as it stands. `record` is
// what its answers depend on.
std::unique_ptr<System> plan_model(std::string name, EditPlanner planner, Json record);

}  // namespace craft
