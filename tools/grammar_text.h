// A grammar's rules in the words of documents and of servers.
#pragma once

#include <string>

#include "tools/grammar_rules.h"

namespace craft {

// GBNF, which llama.cpp reads and, with bounds of repetitions, XGrammar (what vLLM takes as `structured_outputs.grammar`).
// The first rule is named root. Throws std::logic_error as check_grammar_rules() does.
std::string gbnf_text(const GrammarRules& rules);
// EBNF as ISO/IEC 14977 has it; what it has no sign for stands between question marks. Throws likewise.
std::string ebnf_text(const GrammarRules& rules);

}  // namespace craft
