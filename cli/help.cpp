#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>

#include "cli/common.h"

namespace craft {

namespace {

constexpr size_t kWidth = 100;
constexpr size_t kLeft = 34;  // width of the column of names

// `text` in lines of at most `width` characters, broken at blanks; within a longer word after a comma.
std::vector<std::string> wrapped(const std::string& text, size_t width) {
    std::vector<std::string> lines(1);
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        if (!lines.back().empty() && lines.back().size() + 1 + word.size() > width) lines.emplace_back();
        lines.back() += (lines.back().empty() ? "" : " ") + word;
        while (lines.back().size() > width) {
            const size_t comma = lines.back().rfind(',', width - 1);
            const size_t cut = comma == std::string::npos ? width : comma + 1;
            std::string rest = lines.back().substr(cut);
            lines.back().resize(cut);
            lines.push_back(std::move(rest));
        }
    }
    return lines;
}

std::string row(const std::string& left, const std::string& right) {
    const std::string start = "  " + left, column(kLeft, ' ');
    std::string text = start.size() + 2 <= kLeft ? start + std::string(kLeft - start.size(), ' ') : start + "\n" + column;
    for (const std::string& line : wrapped(right, kWidth - kLeft)) text += (text.back() == '\n' ? column : "") + line + "\n";
    return text;
}

std::string paragraph(const std::string& text) {
    std::string lines;
    for (const std::string& line : wrapped(text, kWidth)) lines += line + "\n";
    return lines;
}

// A command line that a shell takes as it stands: longer ones continue after a backslash, each line with an option.
std::string command_line(const std::string& command) {
    std::string text, line = " ";
    for (size_t at = 0; at < command.size();) {
        const size_t next = std::min(command.find(" --", at + 1), command.size());
        const std::string part = command.substr(at, next - at);
        if (line.size() + part.size() + 2 > kWidth) {
            text += line + " \\\n";
            line = "   ";
        }
        line += (part[0] == ' ' ? "" : " ") + part;
        at = next;
    }
    return text + line + "\n";
}

std::string upper(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

std::string joined(const std::vector<std::string>& names, const char* separator) {
    std::string text;
    for (const auto& name : names) text += (text.empty() ? "" : separator) + name;
    return text;
}

// Few enough to stand beside the option's name.
bool are_few(const std::vector<std::string>& choices) {
    return !choices.empty() && joined(choices, "|").size() <= 24;
}

std::string value_form(const Option& option) {
    if (option.type == "flag") return "";
    const bool is_list = option.type == "list";
    if (are_few(option.choices)) return joined(option.choices, "|") + (is_list ? ",..." : "");
    return is_list ? "A,B,..." : upper(option.type);
}

std::string shown_default(const Option& option) {
    if (option.is_required) return " (required)";
    const Json value = option.current();
    const bool is_blank = value.is_null() || (value.is_string() && value.get_ref<const std::string&>().empty());
    if (is_blank || value == false || (value.is_structured() && value.empty())) return "";
    std::string text;
    if (value.is_array())
        for (const Json& item : value)
            text += (text.empty() ? "" : ",") + (item.is_string() ? item.get<std::string>() : dump_line(item));
    else
        text = value.is_string() ? value.get<std::string>() : dump_line(value);
    return " [" + text + "]";
}

std::string option_row(const OptionTable& table, const Option& option, const HelpPage* page) {
    const std::string name = option.flag_name.empty() ? option.key : option.flag_name;
    const std::string form = option.is_positional() ? "" : value_form(option);
    std::string help = option.help;
    if (!option.choices.empty() && !are_few(option.choices)) help += ": " + joined(option.choices, ", ");
    const std::string conditions = table.conditions_of(option, page == nullptr ? "" : page->key);
    return row(form.empty() ? name : name + " " + form,
               help + shown_default(option) + (conditions.empty() ? "" : " (" + conditions + ")"));
}

// The groups in the order of their first options; those of every command come last.
std::string option_groups(const OptionTable& table, const HelpPage* page) {
    std::vector<std::string> titles;
    std::map<std::string, std::string> rows;
    for (const Option& option : table.options()) {
        if (page != nullptr && table.is_excluded(option, page->key)) continue;
        if (!rows.contains(option.group)) titles.push_back(option.group);
        rows[option.group] += option_row(table, option, page);
    }
    std::string text;
    for (const std::string& title : titles) text += "\n" + title + "\n" + rows[title];
    return text;
}

std::string overview(const Command& command) {
    std::string text;
    for (const HelpPage& page : command.pages)
        text += "\n  craft-train " + command.name + " " + page.name + " --help\n" + row("", page.help);
    return text;
}

}  // namespace

std::string command_help(const Command& command, const OptionTable& table, const HelpPage* page) {
    std::string arguments;
    for (const Option& option : table.options())
        if (option.is_positional()) arguments += " " + option.flag_name + (option.type == "list" ? "..." : "");
    std::string usage = "craft-train " + command.name + arguments;
    if (page != nullptr) usage += " " + table.at(page->key).flag_name + " " + value_form(table.at(page->key));
    std::string text = paragraph("craft-train " + command.name + ": " + (page == nullptr ? command.help : page->help)) +
                       "\nUsage: " + usage + " [options]\n";
    if (page == nullptr && !command.pages.empty())
        text += overview(command);
    else
        text += paragraph("[...] is a default; a name without dashes is a setting, for --set NAME=VALUE and --config.") +
                option_groups(table, page) + row("--config FILE", "JSON configuration, comments allowed; repeatable") +
                row("--set KEY=VALUE", "one setting of the configuration (a.b=c); repeatable") +
                row("--dump-config", "print the resolved configuration with where each value came from") +
                row("--help", "this page");
    return text + "\nExample:\n" + command_line(page == nullptr ? command.example : page->example);
}

}  // namespace craft
