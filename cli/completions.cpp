// `completions`: what a shell completes on a command line of this program.
#include <map>
#include <set>
#include <sstream>

#include "cli/command.h"
#include "cli/commands.h"
#include "cli/common.h"
#include "cli/described.h"
#include "core/files.h"

namespace craft {

namespace {

int run_completions(int argc, const char* const* argv);

const Command kCompletionsCommand = {"completions", CommandGroup::use_model, "completions of command lines for a shell",
                                     "craft-train completions bash", run_completions};

struct Flag {
    std::string name, help;
    std::vector<std::string> choices;
    bool takes_value = true;
};

struct Completed {
    Command command;
    std::vector<Flag> flags;
};

std::vector<Completed> completed_commands() {
    std::vector<Completed> all;
    for (const Command& command : commands()) {
        Completed one{command, {}};
        describe(command, [&](const Command&, const OptionTable& table) {
            for (const Option& option : table.options())
                if (option.flag_name.starts_with("--"))
                    one.flags.push_back({option.flag_name, option.help, option.choices, option.type != "flag"});
        });
        one.flags.push_back({"--config", "JSON configuration", {}, true});
        one.flags.push_back({"--set", "one setting of the configuration", {}, true});
        one.flags.push_back({"--dump-config", "print the resolved configuration", {}, false});
        one.flags.push_back({"--help", "all options, and an example", {}, false});
        all.push_back(std::move(one));
    }
    return all;
}

std::string joined(const std::vector<std::string>& words) {
    std::string all;
    for (const std::string& word : words)
        if (!word.empty()) all += (all.empty() ? "" : " ") + word;
    return all;
}

// The first words of commands, and the second ones of those that have two.
std::map<std::string, std::vector<std::string>> second_words(const std::vector<Completed>& all) {
    std::map<std::string, std::vector<std::string>> words;
    for (const Completed& one : all) {
        const size_t blank = one.command.name.find(' ');
        std::vector<std::string>& seconds = words[one.command.name.substr(0, blank)];
        if (blank != std::string::npos) seconds.push_back(one.command.name.substr(blank + 1));
    }
    return words;
}

// For bash, and for zsh by its bashcompinit. Where nothing of ours fits, the shell completes files.
std::string for_bash(const std::vector<Completed>& all) {
    const auto words = second_words(all);
    std::vector<std::string> firsts;
    for (const auto& [first, seconds] : words) firsts.push_back(first);
    std::ostringstream out;
    out << "_craft_train() {\n"
           "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}\n"
           "  COMPREPLY=()\n"
           "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "    COMPREPLY=($(compgen -W '"
        << joined(firsts) << " --help --version' -- \"$current\"))\n    return\n  fi\n"
        << "  case \"$command ${COMP_WORDS[2]}\" in\n";
    for (const Completed& one : all)
        if (one.command.name.find(' ') != std::string::npos)
            out << "    '" << one.command.name << "') command='" << one.command.name << "' ;;\n";
    out << "  esac\n  case \"$command\" in\n";
    for (const Completed& one : all) {
        out << "    '" << one.command.name << "')\n      case \"$previous\" in\n";
        std::vector<std::string> names;
        for (const Flag& flag : one.flags) {
            names.push_back(flag.name);
            if (!joined(flag.choices).empty())
                out << "        " << flag.name << ") COMPREPLY=($(compgen -W '" << joined(flag.choices)
                    << "' -- \"$current\")); return ;;\n";
        }
        const auto seconds = words.find(one.command.name);
        if (seconds != words.end())
            for (const std::string& second : seconds->second) names.push_back(second);
        out << "      esac\n      COMPREPLY=($(compgen -W '" << joined(names) << "' -- \"$current\")) ;;\n";
    }
    for (const auto& [first, seconds] : words)
        if (std::none_of(all.begin(), all.end(),
                         [&, &name = first](const Completed& one) { return one.command.name == name; }))
            out << "    " << first << ") COMPREPLY=($(compgen -W '" << joined(seconds) << "' -- \"$current\")) ;;\n";
    out << "  esac\n}\ncomplete -o default -F _craft_train craft-train\n";
    return out.str();
}

std::string for_zsh(const std::vector<Completed>& all) {
    return "#compdef craft-train\nautoload -U +X bashcompinit && bashcompinit\n" + for_bash(all);
}

std::string quoted(const std::string& text) {
    std::string all = "'";
    for (const char c : text) all += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c == '\n' ? ' ' : c);
    return all + "'";
}

// Up to where a menu has room for it.
std::string in_few_words(const std::string& help) {
    const size_t end = help.find_first_of(";:(");
    return help.substr(0, end == std::string::npos ? help.size() : end);
}

std::string for_fish(const std::vector<Completed>& all) {
    std::ostringstream out;
    for (const auto& [first, seconds] : second_words(all)) {
        out << "complete -c craft-train -n __fish_use_subcommand -a " << first << "\n";
        for (const std::string& second : seconds)
            out << "complete -c craft-train -n '__fish_seen_subcommand_from " << first << "' -a " << second << "\n";
    }
    for (const Completed& one : all) {
        std::string condition = "__fish_seen_subcommand_from " + one.command.name.substr(0, one.command.name.find(' '));
        if (const size_t blank = one.command.name.find(' '); blank != std::string::npos)
            condition += "; and __fish_seen_subcommand_from " + one.command.name.substr(blank + 1);
        for (const Flag& flag : one.flags) {
            out << "complete -c craft-train -n '" << condition << "' -l " << flag.name.substr(2) << " -d "
                << quoted(in_few_words(flag.help));
            if (flag.takes_value) out << " -r";
            if (!joined(flag.choices).empty()) out << " -f -a " << quoted(joined(flag.choices));
            out << "\n";
        }
    }
    return out.str();
}

int run_completions(int argc, const char* const* argv) {
    CommonOptions common;
    std::string shell;
    OptionTable table;
    table.add("shell", shell, "the shell that is to complete")
        .positional("SHELL")
        .one_of({"bash", "zsh", "fish"})
        .required();
    if (!parse_command(kCompletionsCommand, table, common, argc, argv)) return 0;
    const std::vector<Completed> all = completed_commands();
    write_stdout(shell == "bash" ? for_bash(all) : shell == "zsh" ? for_zsh(all) : for_fish(all));
    return 0;
}

}  // namespace

Command completions_command() {
    return kCompletionsCommand;
}

}  // namespace craft
