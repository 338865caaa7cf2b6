// `manual`: the man page of the program and all its commands.
#include "cli/command.h"
#include "cli/commands.h"
#include "cli/common.h"
#include "cli/described.h"
#include "core/files.h"
#include "core/version.h"

namespace craft {

namespace {

int run_manual(int argc, const char* const* argv);

const Command kManualCommand = {"manual", CommandGroup::use_model, "the man page, for man -l", "craft-train manual",
                                run_manual};

// Text that stands as it is: no request of roff begins with its lines, and no sequence with its backslashes.
std::string roff(const std::string& text) {
    std::string all;
    bool at_line_start = true;
    for (const char c : text) {
        if (at_line_start && (c == '.' || c == '\'')) all += "\\&";
        if (c == '\\')
            all += "\\e";
        else if (c == '-')
            all += "\\-";
        else
            all += c;
        at_line_start = c == '\n';
    }
    return all;
}

std::string as_it_stands(const std::string& text) {
    return ".nf\n" + roff(text) + ".fi\n";
}

int run_manual(int argc, const char* const* argv) {
    CommonOptions common;
    OptionTable table;
    if (!parse_command(kManualCommand, table, common, argc, argv)) return 0;
    std::string page = std::string(".TH CRAFT\\-TRAIN 1 \"\" \"craft-train ") + version() + "\"\n" +
                       ".SH NAME\ncraft\\-train \\- make, train, run and evaluate planners for constrained text revision\n" +
                       ".SH SYNOPSIS\n.B craft\\-train\nCOMMAND [options]\n.SH COMMANDS\n";
    for (const Command& command : commands()) page += ".TP\n.B " + roff(command.name) + "\n" + roff(command.help) + "\n";
    for (const Command& command : commands())
        describe(command, [&](const Command& asked, const OptionTable& options) {
            page += ".SH " + roff(asked.name) + "\n" + as_it_stands(command_help(asked, options));
            for (const HelpPage& one : asked.pages) page += as_it_stands("\n" + command_help(asked, options, &one));
        });
    write_stdout(page);
    return 0;
}

}  // namespace

Command manual_command() {
    return kManualCommand;
}

}  // namespace craft
