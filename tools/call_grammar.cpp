#include "tools/call_grammar.h"

#include <algorithm>

#include "core/ascii.h"
#include "core/error.h"

namespace craft {

namespace {

using Term = GrammarTerm;

// Digits after the first one, so that every number is an int64_t.
constexpr size_t kMoreDigits = 17;

std::string rule_name(const std::string& tool) {
    std::string name = "call-";
    for (const char c : tool) name += c == '_' || c == '.' ? '-' : ascii_lower(c);
    return name;
}

Term argument(const ArgumentForm& form) {
    switch (form.kind) {
        case ArgumentForm::Kind::number:
            return Term::rule("number");
        case ArgumentForm::Kind::text:
            return Term::rule("text");
        case ArgumentForm::Kind::ids:
            return Term::sequence({Term::literal("["), Term::rule("id"),
                                   Term::repeated(Term::sequence({Term::literal(", "), Term::rule("id")})),
                                   Term::literal("]")});
        case ArgumentForm::Kind::choice:
            break;
    }
    std::vector<Term> names;
    for (const std::string& name : form.choices) names.push_back(Term::literal(normal_form(Argument(name))));
    return Term::choice(std::move(names));
}

Term call(const Tool& tool) {
    if (tool.forms.size() != tool.parameters.size())
        throw Error("tool " + tool.name, "a form of each of its " + std::to_string(tool.parameters.size()) + " parameters",
                    std::to_string(tool.forms.size()), "see Tool::forms");
    std::vector<Term> parts = {Term::literal(tool.name + "(")};
    for (const ArgumentForm& form : tool.forms) {
        if (parts.size() > 1) parts.push_back(Term::literal(", "));
        parts.push_back(argument(form));
    }
    parts.push_back(Term::literal(")"));
    return Term::sequence(std::move(parts));
}

// What literals are, as far as a form of the set is one.
GrammarRules literal_rules(const std::vector<const Tool*>& tools) {
    const auto is_used = [&](ArgumentForm::Kind kind) {
        return std::any_of(tools.begin(), tools.end(), [&](const Tool* tool) {
            return std::any_of(tool->forms.begin(), tool->forms.end(),
                               [&](const ArgumentForm& form) { return form.kind == kind; });
        });
    };
    const Term digits = Term::repeated(Term::range('0', '9'), 0, kMoreDigits);
    GrammarRules rules;
    if (is_used(ArgumentForm::Kind::number))
        rules.push_back({"number", Term::choice({Term::literal("0"), Term::sequence({Term::range('1', '9'), digits})})});
    if (is_used(ArgumentForm::Kind::ids)) rules.push_back({"id", Term::sequence({Term::range('1', '9'), digits})});
    if (is_used(ArgumentForm::Kind::text)) {
        // As normal_form() escapes.
        rules.push_back({"text", Term::sequence({Term::literal("\""), Term::repeated(Term::rule("character"), 1),
                                                 Term::literal("\"")})});
        rules.push_back({"character", Term::choice({Term::none_of("\"\\\n\r\t"),
                                                    Term::sequence({Term::literal("\\"), Term::one_of("\"\\nrt")})})});
    }
    return rules;
}

}  // namespace

GrammarRules call_grammar_rules(const ToolSet& tools) {
    std::vector<const Tool*> written;
    for (const std::string& name : tools.names())
        if (const Tool* const tool = tools.find(name); tool->alias_of.empty()) written.push_back(tool);
    if (written.empty()) throw Error("the grammar of calls", "a tool", "a set without one");
    std::vector<Term> names;
    GrammarRules calls;
    for (const Tool* const tool : written) {
        names.push_back(Term::rule(rule_name(tool->name)));
        calls.push_back({rule_name(tool->name), call(*tool)});
    }
    GrammarRules rules = {{"calls", Term::repeated(Term::sequence({Term::rule("call"), Term::literal("\n")}))},
                          {"call", Term::choice(std::move(names))}};
    rules.insert(rules.end(), calls.begin(), calls.end());
    const GrammarRules literals = literal_rules(written);
    rules.insert(rules.end(), literals.begin(), literals.end());
    return rules;
}

}  // namespace craft
