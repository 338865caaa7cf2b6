// A set of tools that a model may call, as data: names, parameters, what is wrong with arguments, what a call finds. The
// parser (call_parser.h) reads the calls of any set.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/call_syntax.h"
#include "tools/measured_text.h"

namespace craft {

// The names that a keyword argument may use; the first is the parameter's own.
using ParameterNames = std::vector<std::string>;

// A call of a tool of a set, its arguments in the order of the tool's parameters.
struct BoundCall {
    std::string tool;
    std::vector<Argument> arguments;
};
// name(arguments): strings in double quotes with escapes, ", " between arguments, lists in brackets.
std::string normal_form(const BoundCall& call);
std::string normal_form(const Argument& argument);

// What a tool looks at.
struct ToolTexts {
    const MeasuredText& original;  // before revision
    const MeasuredText& revision;
    std::optional<double> quality = {};  // of the revision, 0-100; absent: no scorer ran
    // Names what of a text should survive its revision; null: nothing does.
    std::function<std::vector<std::string>(const MeasuredText&)> keywords = nullptr;
};

struct ToolResult {
    std::optional<int64_t> value = {};  // what was measured
    std::optional<bool> met = {};       // of a condition
    std::string text = {};              // what the model reads; empty where value and met say all
};

// What is wrong with a call's arguments, in a clause ("count must be a whole number from 0").
struct WrongArguments {
    std::string problem;
};

// What a parameter's argument is where a model is held to a grammar (call_grammar.h); check() must take all of it.
struct ArgumentForm {
    enum class Kind {
        number,  // a whole number from 0
        text,    // a quoted string that is not empty
        ids,     // a list of whole numbers from 1, at least one
        choice   // one of `choices`, quoted
    };
    Kind kind = Kind::number;
    std::vector<std::string> choices = {};
};

struct Tool {
    std::string name;
    std::vector<ParameterNames> parameters = {};
    std::function<void(const BoundCall&)> check = nullptr;  // throws WrongArguments; null: any literals will do
    std::function<ToolResult(const BoundCall&, const ToolTexts&)> run = nullptr;
    std::vector<ArgumentForm> forms = {};  // one a parameter; only a grammar of the set's calls asks for them
    std::string alias_of = {};             // the tool that this is another name of; empty: it is a tool of its own
};

class ToolSet {
public:
    explicit ToolSet(std::vector<Tool> tools);
    const Tool* find(std::string_view name) const;  // null: no such tool
    const std::vector<std::string>& names() const { return names_; }
    // Runs a call that bind() gave.
    ToolResult run(const BoundCall& call, const ToolTexts& texts) const;

    struct Binding {
        std::optional<BoundCall> call;
        std::string problem;  // "unknown tool: ..." or "wrong arguments: ..."; empty if there is a call
    };
    Binding bind(const RawCall& raw) const;

private:
    std::vector<Tool> tools_;  // by name
    std::vector<std::string> names_;
};

// Arguments as tools read them; all throw WrongArguments. `what` is the parameter's name.
int64_t count_argument(const Argument& argument, const std::string& what);            // a whole number from 0
const std::string& text_argument(const Argument& argument, const std::string& what);  // a quoted string

}  // namespace craft
