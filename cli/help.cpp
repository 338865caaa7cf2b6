#include <algorithm>
#include <cctype>

#include "cli/common.h"

namespace craft {

namespace {

constexpr size_t kLeft = 34;  // width of the column of names

std::string row(const std::string& left, const std::string& right) {
    const std::string start = "  " + left;
    if (start.size() + 2 <= kLeft) return start + std::string(kLeft - start.size(), ' ') + right + "\n";
    return start + "\n" + std::string(kLeft, ' ') + right + "\n";
}

std::string upper(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

std::string value_form(const Option& option) {
    if (option.type == "flag") return "";
    std::string form;
    for (const auto& choice : option.choices) form += (form.empty() ? "" : "|") + choice;
    if (option.type == "list") return form.empty() ? "A,B,..." : form + ",...";
    return form.empty() || form.size() > 24 ? upper(option.type) : form;
}

std::string shown_default(const Option& option) {
    if (option.is_required) return " (required)";
    const Json value = option.current();
    const bool is_blank = value.is_null() || (value.is_string() && value.get_ref<const std::string&>().empty());
    if (is_blank || value == false || (value.is_array() && value.empty())) return "";
    std::string text;
    if (value.is_array())
        for (const Json& item : value)
            text += (text.empty() ? "" : ",") + (item.is_string() ? item.get<std::string>() : dump_line(item));
    else
        text = value.is_string() ? value.get<std::string>() : dump_line(value);
    return " [" + text + "]";
}

std::string option_row(const Option& option) {
    const std::string name = option.flag_name.empty() ? option.key : option.flag_name;
    const std::string form = option.is_positional() ? "" : value_form(option);
    std::string help = option.help;
    if (value_form(option) == upper(option.type) && !option.choices.empty()) {
        std::string known;
        for (const auto& choice : option.choices) known += (known.empty() ? ": " : ", ") + choice;
        help += known;
    }
    return row(form.empty() ? name : name + " " + form, help + shown_default(option));
}

}  // namespace

std::string command_help(const Command& command, const OptionTable& table) {
    std::string arguments, own, common, settings;
    for (const Option& option : table.options()) {
        if (option.is_positional()) arguments += " " + option.flag_name + (option.type == "list" ? "..." : "");
        std::string& part = option.is_common ? common : option.flag_name.empty() ? settings : own;
        part += option_row(option);
    }
    std::string text = "craft-train " + command.name + ": " + command.help + "\n\nUsage: craft-train " + command.name +
                       arguments + " [options]\n";
    if (!own.empty()) text += "\nOptions [default]:\n" + own;
    if (!settings.empty()) text += "\nSettings for --set and --config:\n" + settings;
    text += "\nEvery command:\n" + common + row("--config FILE", "JSON configuration, comments allowed; repeatable") +
            row("--set KEY=VALUE", "one setting of the configuration (a.b=c); repeatable") +
            row("--dump-config", "print the resolved configuration with where each value came from") +
            row("--help", "this page");
    return text + "\nExample:\n  " + command.example + "\n";
}

}  // namespace craft
