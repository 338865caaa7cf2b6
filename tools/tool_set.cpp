#include "tools/tool_set.h"

#include <algorithm>
#include <stdexcept>

#include "core/error.h"
#include "core/utf8.h"

namespace craft {

namespace {

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        switch (c) {
            case '"':
                out += "\\\"";
                break;
            case '\\':
                out += "\\\\";
                break;
            case '\n':
                out += "\\n";
                break;  // a call stays on one line
            case '\r':
                out += "\\r";
                break;
            case '\t':
                out += "\\t";
                break;
            default:
                out.push_back(c);
        }
    }
    return out + "\"";
}

struct LiteralPrinter {
    std::string operator()(int64_t number) const { return std::to_string(number); }
    std::string operator()(const std::string& text) const { return quoted(text); }
    std::string operator()(const OtherLiteral& literal) const { return literal.text; }
    std::string operator()(const std::vector<ListItem>& list) const {
        std::string out;
        for (const ListItem& item : list) out += (out.empty() ? "" : ", ") + std::visit(*this, item);
        return "[" + out + "]";
    }
};

// The arguments in the order of the parameters.
std::vector<Argument> in_order(const RawCall& raw, const std::vector<ParameterNames>& parameters) {
    std::vector<const Argument*> ordered(parameters.size(), nullptr);
    size_t positional = 0;
    bool keyword_seen = false;
    for (const RawArgument& argument : raw.arguments) {
        size_t slot = positional;
        if (argument.keyword.empty()) {
            if (keyword_seen) throw WrongArguments{"a positional argument after a keyword argument"};
            ++positional;
        } else {
            keyword_seen = true;
            slot = 0;
            while (slot < parameters.size() &&
                   std::find(parameters[slot].begin(), parameters[slot].end(), argument.keyword) == parameters[slot].end())
                ++slot;
            if (slot == parameters.size()) throw WrongArguments{"no parameter '" + argument.keyword + "'"};
        }
        if (slot >= ordered.size())
            throw WrongArguments{"expected " + std::to_string(ordered.size()) + " arguments, got " +
                                 std::to_string(raw.arguments.size())};
        if (ordered[slot] != nullptr) throw WrongArguments{parameters[slot].front() + " is given twice"};
        ordered[slot] = &argument.value;
    }
    std::vector<Argument> arguments;
    for (size_t slot = 0; slot < ordered.size(); ++slot) {
        if (ordered[slot] == nullptr) throw WrongArguments{parameters[slot].front() + " is missing"};
        arguments.push_back(*ordered[slot]);
    }
    return arguments;
}

}  // namespace

std::string normal_form(const BoundCall& call) {
    std::string out;
    for (const Argument& argument : call.arguments) out += (out.empty() ? "" : ", ") + normal_form(argument);
    return call.tool + "(" + out + ")";
}

std::string normal_form(const Argument& argument) {
    return std::visit(LiteralPrinter(), argument);
}

ToolSet::ToolSet(std::vector<Tool> tools) : tools_(std::move(tools)) {
    std::sort(tools_.begin(), tools_.end(), [](const Tool& a, const Tool& b) { return a.name < b.name; });
    for (const Tool& tool : tools_) {
        if (!names_.empty() && names_.back() == tool.name) throw std::logic_error("two tools named " + tool.name);
        names_.push_back(tool.name);
    }
}

const Tool* ToolSet::find(std::string_view name) const {
    const auto found =
        std::lower_bound(tools_.begin(), tools_.end(), name, [](const Tool& t, std::string_view n) { return t.name < n; });
    return found != tools_.end() && found->name == name ? &*found : nullptr;
}

ToolResult ToolSet::run(const BoundCall& call, const ToolTexts& texts) const {
    const Tool* const tool = find(call.tool);
    if (tool == nullptr || !tool->run) throw Error("tool " + call.tool, "one of the set, which can be run", "none");
    return tool->run(call, texts);
}

ToolSet::Binding ToolSet::bind(const RawCall& raw) const {
    const Tool* const tool = find(raw.name);
    if (tool == nullptr) {
        const std::string near = raw.name.size() <= 64 ? nearest_name(raw.name, names_) : "";
        return {std::nullopt,
                "unknown tool: " + shortened(raw.name, 64) + (near.empty() ? "" : "; did you mean " + near + "?")};
    }
    try {
        BoundCall call{raw.name, in_order(raw, tool->parameters)};
        if (tool->check) tool->check(call);
        return {std::move(call), ""};
    } catch (const WrongArguments& wrong) {
        return {std::nullopt, "wrong arguments: " + wrong.problem};
    }
}

int64_t count_argument(const Argument& argument, const std::string& what) {
    if (const auto* value = std::get_if<int64_t>(&argument)) return *value;
    throw WrongArguments{what + " must be a whole number from 0"};
}

const std::string& text_argument(const Argument& argument, const std::string& what) {
    if (const auto* value = std::get_if<std::string>(&argument)) return *value;
    throw WrongArguments{what + " must be a quoted string"};
}

}  // namespace craft
