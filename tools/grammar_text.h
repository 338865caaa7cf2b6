// A grammar's rules as servers take them.
#pragma once

#include <string>

#include "tools/grammar_rules.h"

namespace craft {

// GBNF, which llama.cpp reads and, with bounds of repetitions, XGrammar (what vLLM takes as `structured_outputs.grammar`).
// The first rule is named root. Throws std::logic_error as check_grammar_rules() does.
std::string gbnf_text(const GrammarRules& rules);

}  // namespace craft
