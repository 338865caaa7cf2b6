// The grammar of a planner's whole response, for local models and servers that take one.
#pragma once

#include <memory>
#include <string>

#include "tools/grammar.h"
#include "tools/grammar_rules.h"
#include "tools/tool_set.h"

namespace craft {

// Responses as print_response() writes them, with calls of these tools in their normal form (call_grammar.h). Narrower than
// what parse_response() calls well formed in this alone: neither a line of the thought nor a sentence's second line after
// an empty first one begins with ###, and the plan of a sentence stands on one line. What is written by these rules is well
// formed, and all of its calls are usable.
GrammarRules response_grammar_rules(const ToolSet& tools);
// Of the eight tools; made once.
std::shared_ptr<const Grammar> response_grammar();
// The same as servers take it (gbnf_text); made once.
const std::string& response_gbnf();

}  // namespace craft
