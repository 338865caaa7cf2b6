#include "cli/grammar_tool_options.h"

#include <cstdlib>
#include <filesystem>

#include "english/pipeline.h"
#include "tools/grammar/parse_workers.h"

namespace craft {

namespace {

// Tests run commands within a program of their own, and say where craft-train is.
std::string own_program() {
    if (const char* program = std::getenv("CRAFT_PROGRAM"); program != nullptr && *program != '\0') return program;
    return std::filesystem::read_symlink("/proc/self/exe").string();
}

}  // namespace

void bind_grammar_tools(OptionTable& table, GrammarToolSettings& settings) {
    table
        .add("english", settings.english,
             "folder of spaCy's small English model; auto: $CRAFT_ENGLISH_MODEL, or weights/en_core_web_sm")
        .flag("--english")
        .input()
        .reads({});
    table.add("parsers", settings.workers, "parsers of link-grammar side by side, each a process of its own")
        .flag("--parsers")
        .min(1)
        .max(256)
        .not_identity();
    table
        .add("no_repairs", settings.no_repairs,
             "error_parsing marks what its rules and the spelling find, and tries no changes where link-grammar leaves "
             "words out")
        .flag("--no-repairs");
}

std::shared_ptr<GrammarTools> open_grammar_tools(const GrammarToolSettings& settings) {
    GrammarToolOptions options;
    options.english = settings.english == "auto" ? english_model_folder() : std::filesystem::path(settings.english);
    options.parse_worker = parse_worker_command(own_program());
    options.workers = settings.workers;
    options.repairs = !settings.no_repairs;
    return std::make_shared<GrammarTools>(std::move(options));
}

}  // namespace craft
