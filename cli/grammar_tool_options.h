// The grammar tools as commands open them: the package, and workers that are this program itself.
#pragma once

#include <memory>
#include <string>

#include "cli/common.h"
#include "tools/grammar/grammar_tools.h"

namespace craft {

struct GrammarToolSettings {
    std::string english = "auto";  // folder of spaCy's small English package; "auto": english_model_folder()
    int64_t workers = 2;           // parsers side by side, each a process
    bool no_repairs = false;       // of error_parsing, by the parse alone
};

// --english, --parsers and --no-repairs.
void bind_grammar_tools(OptionTable& table, GrammarToolSettings& settings);

// Throws Error as GrammarTools does where something is not installed.
std::shared_ptr<GrammarTools> open_grammar_tools(const GrammarToolSettings& settings);

}  // namespace craft
