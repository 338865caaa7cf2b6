// The options of the grammar tools.
#pragma once

#include "core/options.h"
#include "tools/grammar/grammar_tools.h"

namespace craft {

// --english, --parsers and --no-repairs.
void bind_grammar_tools(OptionTable& table, GrammarToolSettings& settings);

}  // namespace craft
