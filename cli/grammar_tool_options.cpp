#include "cli/grammar_tool_options.h"

#include <string>

namespace craft {

void bind_grammar_tools(OptionTable& table, GrammarToolSettings& settings) {
    table
        .add("english", settings.english,
             "folder of spaCy's small English model; auto: $CRAFT_ENGLISH_MODEL, or weights/en_core_web_sm")
        .flag("--english")
        .input()
        .reads({});
    table.add("parsers", settings.workers, "link-grammar parser processes").flag("--parsers").min(1).max(256).not_identity();
    table
        .add("no_repairs", settings.no_repairs,
             "error_parsing marks what its rules and the spell checker find, and tries no repairs where link-grammar skips "
             "words")
        .flag("--no-repairs");
}

}  // namespace craft
