#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include "cli/common.h"
#include "cli/described.h"
#include "cli/inquiry.h"
#include "cli/made_folders.h"
#include "cli/names_of_others.h"
#include "cli/placement.h"
#include "cli/ranks.h"
#include "core/error.h"
#include "core/files.h"
#include "core/machine.h"
#include "core/option_files.h"
#include "core/utf8.h"

namespace craft {

namespace {

// What stands on the command line, before any of it is given a meaning.
struct CommandLineText {
    bool help = false, dump_config = false;
    std::vector<std::string> config_files, assignments;
    std::map<std::string, std::vector<std::string>> values;  // option key → as often as given
    std::vector<std::string> unknown;                        // flags and arguments that nobody asked for
    std::vector<std::string> without_value;                  // names of options, each with a problem of its own
    std::vector<std::string> problems;
};

CLI::Option* declare(CLI::App& app, const Option& option) {
    CLI::Option* declared = option.type == "flag" ? app.add_flag(option.flag_name) : app.add_option(option.flag_name);
    if (option.is_positional() && option.type == "list") declared->expected(-1);
    return declared->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);  // what twice means is decided below
}

// Reads the arguments into `app`. CLI11's exceptions are told by their type, in our words.
void parse_arguments(CLI::App& app, const std::vector<std::string>& arguments, CommandLineText& text) {
    try {
        app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::ArgumentMismatch&) {  // of the last argument, a name without its value; all before it was read
        text.without_value.push_back(arguments.back().substr(0, arguments.back().find('=')));
        text.problems.push_back(text.without_value.back() + ": expected a value, got none");
    } catch (const CLI::ParseError&) {
        text.problems.emplace_back("expected options and their values, got a command line that cannot be read");
    }
}

// The option's values, but for names of other options: CLI11 takes whatever comes after a name.
std::vector<std::string> values_of(const CLI::App& app, const CLI::Option& option, CommandLineText& text) {
    if (option.get_positional()) return option.results();
    std::vector<std::string> values;
    for (const std::string& value : option.results()) {
        if (!value.starts_with('-') || app.get_option_no_throw(value) == nullptr) {
            values.push_back(value);
            continue;
        }
        text.without_value.push_back(option.get_name());
        text.problems.push_back(option.get_name() + ": expected a value, got the option " + value);
    }
    return values;
}

CommandLineText read_command_line(const OptionTable& table, const std::vector<std::string>& arguments) {
    CLI::App app;
    app.set_help_flag();  // ours, below
    app.allow_extras();
    std::map<std::string, const CLI::Option*> declared;
    for (const Option& option : table.options())
        if (!option.flag_name.empty()) declared[option.key] = declare(app, option);
    const auto several = CLI::MultiOptionPolicy::TakeAll;
    const auto* help = app.add_flag("-h,--help")->multi_option_policy(several);
    const auto* dump = app.add_flag("--dump-config")->multi_option_policy(several);
    const auto* config = app.add_option("--config")->multi_option_policy(several);
    const auto* set = app.add_option("--set")->multi_option_policy(several);

    CommandLineText text;
    parse_arguments(app, arguments, text);
    text.help = help->count() > 0;
    text.dump_config = dump->count() > 0;
    text.config_files = values_of(app, *config, text);
    text.assignments = values_of(app, *set, text);
    text.unknown = app.remaining();
    for (const auto& [key, option] : declared)
        if (std::vector<std::string> values = values_of(app, *option, text); !values.empty())
            text.values[key] = std::move(values);
    return text;
}

// "-5" and "-.5" are numbers, "-" is a stream, and "- one" a text.
bool looks_like_flag(const std::string& argument) {
    if (argument.starts_with("--")) return argument.size() > 2 && argument[2] != '-' && argument[2] != ' ';
    return argument.size() > 1 && argument[0] == '-' && std::isalpha(static_cast<unsigned char>(argument[1])) != 0;
}

void report_unknown(const std::vector<std::string>& unknown, OptionTable& table) {
    std::vector<std::string> known = {"--config", "--set", "--dump-config", "--help"};
    for (const Option& option : table.options())
        if (!option.flag_name.empty() && !option.is_positional()) known.push_back(option.flag_name);
    bool after_flag = false;  // then it may be that flag's value, which is no problem of its own
    bool only_arguments = false;
    for (const std::string& argument : unknown) {
        if (argument == "--" && !only_arguments) {
            only_arguments = true;
            after_flag = false;
        } else if (looks_like_flag(argument) && !only_arguments) {
            const std::string name = argument.substr(0, argument.find('='));
            after_flag = name == argument;
            if (const std::string now = table.renamed(name); !now.empty()) {
                table.add_problem(now);
                continue;
            }
            const std::string others = name_of_others(table, name, /*is_flag=*/true);
            const std::string near = did_you_mean(name, known);
            table.add_problem(!others.empty() ? name + " " + others
                                              : "unknown option '" + shortened(name, 80) + "'" +
                                                    (near.empty() ? " (--help lists the known ones)" : near));
        } else {
            if (!after_flag) table.add_problem("unexpected argument '" + shortened(argument, 80) + "'");
            after_flag = false;
        }
    }
}

void apply_values(const Option& option, const std::vector<std::string>& values, OptionTable& table) {
    if (option.type == "list" || option.type == "paths") {
        std::string joined;
        for (const auto& value : values) joined += (joined.empty() ? "" : ",") + value;
        // Arguments and paths are one item each, commas and all.
        return table.apply_flag(option.key, option.is_positional() || option.type == "paths" ? Json(values).dump() : joined);
    }
    for (const auto& value : values)
        if (value != values.front())
            return table.add_problem(option.flag_name + ": given twice, as '" + shortened(values.front(), 80) +
                                     "' and as '" + shortened(value, 80) + "'");
    table.apply_flag(option.key, values.front());
}

// In the order of the layers.
void apply(const CommandLineText& text, OptionTable& table) {
    for (const auto& problem : text.problems) table.add_problem(problem);
    for (Option& option : table.options())
        option.is_wrong = std::count(text.without_value.begin(), text.without_value.end(), option.flag_name) > 0;
    for (const Option& option : table.options())
        if (const auto given = text.values.find(option.key); option.is_configuration && given != text.values.end())
            for (const std::string& file : given->second) table.apply_file(file);
    for (const auto& file : text.config_files) table.apply_file(file);
    for (const auto& assignment : text.assignments) table.apply_set(assignment);
    for (const Option& option : table.options())
        if (const auto given = text.values.find(option.key); given != text.values.end())
            apply_values(option, given->second, table);
    report_unknown(text.unknown, table);
}

void check_device(const std::string& device, OptionTable& table) {
    const std::string number = device.rfind("cuda:", 0) == 0 ? device.substr(5) : "";
    const bool is_number = !number.empty() && number.size() < 4 && std::all_of(number.begin(), number.end(), ::isdigit);
    if (device != "auto" && device != "cpu" && device != "cuda" && !is_number)
        table.add_problem("--device: expected auto, cpu, cuda or cuda:N, got '" + shortened(device, 80) + "'" +
                          (device == "gpu" ? "; did you mean 'cuda'?" : did_you_mean(device, {"auto", "cpu", "cuda"})));
}

}  // namespace

std::vector<std::filesystem::path>& made_folders() {
    static std::vector<std::filesystem::path> made;
    return made;
}

namespace {

// As asked for, since results do not depend on it; but nobody who means well asks for it.
void warn_of_threads(int64_t threads) {
    if (threads <= 1) return;
    if (const int64_t processors = this_machine().cores; threads > processors)
        log_warning("--threads: " + std::to_string(threads) + " threads on " + std::to_string(processors) +
                    (processors == 1 ? " processor" : " processors") +
                    ", all that this process may use; they will slow each other down");
}

const HelpPage* named_page(const Command& command, const std::string& name) {
    for (const HelpPage& page : command.pages)
        if (page.name == name) return &page;
    return nullptr;
}

}  // namespace

bool parse_command(const Command& command, OptionTable& table, CommonOptions& options, int argc, const char* const* argv,
                   const std::function<void(OptionTable&)>& check) {
    if (has_outputs(table) && table.find("overwrite") == nullptr)
        bind_overwrite(table, options, "replace outputs that exist");
    bind_common(table, options);
    if (const TellOptions* tell = described_to()) {
        (*tell)(command, table);
        return false;
    }
    options.command_line = {"craft-train"};
    options.command_line.insert(options.command_line.end(), argv, argv + argc);
    table.set_other_names([&table](const std::string& name) { return name_of_others(table, name, /*is_flag=*/false); });
    const HelpPage* page = named_page(command, argc > 1 ? argv[1] : "");
    const CommandLineText text = read_command_line(table, {argv + (page == nullptr ? 1 : 2), argv + argc});
    if (text.help) {
        for (const HelpPage& one : command.pages)  // "align --pairs FILE --help" asks for that page, too
            if (page == nullptr && text.values.contains(one.key)) page = &one;
        write_stdout(command_help(command, table, page));
        return false;
    }
    if (page != nullptr) {
        const std::string named = command.name + " " + page->name;
        table.add_problem(named + ": names a help page only (" + named + " --help); to run it, use " + command.name + " " +
                          table.at(page->key).flag_name);
    }
    apply(text, table);
    Inquiry* const inquiry = Inquiry::under_way();
    if (inquiry != nullptr) table.apply_json(inquiry->options, inquiry->source);
    check_device(options.device, table);
    if (check) check(table);
    if (inquiry != nullptr) return inquiry->answer(command, table, options), false;
    if (!text.dump_config) check_files(table, options.overwrite);
    configure_log({.format = options.log_format, .quiet = options.quiet, .debug = options.verbose});
    log_as_rank(table);
    table.finish(/*check_required=*/!text.dump_config);
    if (text.dump_config) {
        write_stdout(table.provenance());
        return false;
    }
    make_output_folders(table, made_folders());
    warn_of_threads(options.threads);
    if (command.work) resolve_dtype(options, *command.work);
    return true;
}

}  // namespace craft
