#include <string_view>

#include "cli/commands.h"
#include "cli/program.h"
#include "tools/grammar/parse_workers.h"

int main(int argc, char** argv) {
    // No command for users: what the grammar tools start beside themselves.
    if (argc == 2 && std::string_view(argv[1]) == craft::kParseWorkerArgument) return craft::run_parse_worker();
    return craft::run_program(craft::commands(), argc, argv);
}
