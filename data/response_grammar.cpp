#include "data/response_grammar.h"

#include "data/response_form.h"
#include "tools/call_grammar.h"
#include "tools/craft/craft_tools.h"
#include "tools/grammar_text.h"

namespace craft {

namespace {

using Term = GrammarTerm;

Term text(std::string_view literal) {
    return Term::literal(std::string(literal));
}

// A line that does not begin with ###, which would be a heading.
Term thought_line() {
    const Term rest = Term::repeated(Term::none_of("\n"));
    return Term::optional(Term::choice({
        Term::sequence({Term::none_of("#\n"), rest}),
        Term::sequence({text("#"), Term::optional(Term::sequence({Term::none_of("#\n"), rest}))}),
        Term::sequence({text("##"), Term::optional(Term::sequence({Term::none_of("#\n"), rest}))}),
    }));
}

// A sentence may hold quotes and line breaks. It ends where the plan's label first stands, and holds nothing that a reader
// would take for the next line or for a heading after a quote: not even with the quote that opens it.
Term plan_line() {
    using namespace response_form;
    return Term::sequence({text("\n"), text(kSentence.substr(0, kSentence.size() - 1)),
                           Term::repeated(Term::sequence({text("\""), Term::rule("sentence-part")}), 1), text(kImprovement),
                           Term::repeated(Term::none_of("\n")), text("\"")});
}

Term sentence_part() {
    using namespace response_form;
    return stretch_before(std::string(kImprovement), {"\"\n" + std::string(kSentence), "\"\n###"});
}

}  // namespace

GrammarRules response_grammar_rules(const ToolSet& tools) {
    using namespace response_form;
    GrammarRules rules = {
        {"response", Term::sequence({text(kThought), Term::rule("thought"), text(kTools), Term::rule("calls"), text(kPlan),
                                     Term::repeated(Term::rule("plan-line"))})},
        {"thought", Term::sequence({Term::rule("thought-line"),
                                    Term::repeated(Term::sequence({text("\n"), Term::rule("thought-line")}))})},
        {"thought-line", thought_line()},
        {"plan-line", plan_line()},
        {"sentence-part", sentence_part()},
    };
    const GrammarRules calls = call_grammar_rules(tools);
    rules.insert(rules.end(), calls.begin(), calls.end());
    return rules;
}

std::shared_ptr<const Grammar> response_grammar() {
    static const auto grammar = std::make_shared<const Grammar>(response_grammar_rules(craft_tools()));
    return grammar;
}

const std::string& response_gbnf() {
    static const std::string text = gbnf_text(response_grammar_rules(craft_tools()));
    return text;
}

}  // namespace craft
