// The grammar of the calls of a tool set in their normal form, for models that shall write no others.
#pragma once

#include "tools/grammar_rules.h"
#include "tools/tool_set.h"

namespace craft {

// Rules whose first one, `calls`, is any number of calls, each with a line break after it: all that parse_calls() reads
// without leniency, as normal_form() of tool_set.h prints it, arguments in order and each of its parameter's form. Other
// names of tools (Tool::alias_of) are left out. Throws Error naming the tool with a parameter that has no form.
GrammarRules call_grammar_rules(const ToolSet& tools);

}  // namespace craft
