#include "tests/cases/row_runners.h"

#include <algorithm>

#include "core/error.h"
#include "english/indefinite_article.h"
#include "tests/gec/rules/rules_language.h"
#include "tests/tools/grammar/grammar_setup.h"
#include "text/lists.h"
#include "tools/grammar/error_parsing.h"
#include "tools/grammar/parse_text.h"

namespace craft::test {

namespace {

// An expected text is the whole of what comes.
RowRunner whole(std::string name, const std::function<std::string(const std::string&)>& run, bool needs_english = true) {
    return {std::move(name),
            [run](const std::string& input, const std::string& expected) {
                const std::string got = run(input);
                return got == expected ? "" : got.empty() ? "nothing" : got;
            },
            needs_english};
}

// "go: goes; redundant the": a substituted word by itself, others after their kind.
std::string marks_text(const std::vector<std::string>& marks) {
    constexpr std::string_view kUsual = "substituted ";
    std::string text;
    for (const std::string& mark : marks)
        text += (text.empty() ? "" : "; ") + mark.substr(mark.starts_with(kUsual) ? kUsual.size() : 0);
    return text;
}

RowRunner marks_of(const std::string& name, void (*rule)(RuleMarks&)) {
    return whole("marks " + name,
                 [rule](const std::string& input) { return marks_text(InstalledGrammar::get().marks(rule, input)); });
}

std::string error_parsing_marks(const std::string& sentence) {
    InstalledGrammar& grammar = InstalledGrammar::get();
    const ParsedSentence tree = grammar.tree(sentence);
    const ConstituentParse parse = grammar.parser().parse({{parse_text(tree.tokens()).text}}).front();
    const ErrorReport report =
        find_errors(tree, grammar.spelling().check(tree.tokens()), parse, grammar.know(), grammar.parser());
    return marks_text(said(report.marks, tree.tokens()));
}

// "an", or "an, a" where writers differ: the usual one first.
std::string articles_before(const std::string& text) {
    const std::string usual(indefinite_article(text)), other = usual == "a" ? "an" : "a";
    return may_stand_before(other, text) ? usual + ", " + other : usual;
}

// Expected "KIND: SENTENCE" is among the proposals; "no KIND": none is of this kind. Throws Error on an unknown kind.
std::string correction_problem(const std::string& sentence, const std::string& expected) {
    const bool is_unwanted = expected.starts_with("no ");
    const std::string kind = is_unwanted ? expected.substr(3) : expected.substr(0, expected.find(':'));
    const CorrectionKind wanted = correction_kind(kind);
    std::string got;
    bool holds = is_unwanted;
    for (const CorrectionProposal& one : proposals_for(sentence)) {
        if (one.kind != wanted) continue;
        const std::string line = kind + ": " + with_replacement(sentence, one.change);
        holds = !is_unwanted && (holds || line == expected);
        got += (got.empty() ? "" : "; ") + line;
    }
    return holds ? "" : got.empty() ? "no " + kind : got;
}

std::vector<RowRunner> all_runners() {
    return {whole("article", articles_before, /*needs_english=*/false),
            {"corrections", correction_problem},
            whole("error_parsing", error_parsing_marks),
            marks_of("agreement", mark_agreement),
            marks_of("clauses_without_verb", mark_clauses_without_verb),
            marks_of("confused_words", mark_confused_words),
            marks_of("joined_clauses", mark_joined_clauses),
            marks_of("missing_articles", mark_missing_articles),
            marks_of("missing_verbs", mark_missing_verbs),
            marks_of("noun_numbers", mark_noun_numbers),
            marks_of("participles", mark_participles),
            marks_of("preposition_gaps", mark_preposition_gaps),
            marks_of("prepositions", mark_prepositions),
            marks_of("redundant_articles", mark_redundant_articles),
            marks_of("repeated_words", mark_repeated_words),
            marks_of("said_twice", mark_said_twice),
            marks_of("tenses", mark_tenses),
            marks_of("verb_forms", mark_verb_forms)};
}

}  // namespace

const RowRunner& row_runner(const std::string& name, const std::string& where) {
    static const std::vector<RowRunner> runners = all_runners();
    std::vector<std::string> known;
    for (const RowRunner& one : runners) {
        if (one.name == name) return one;
        known.push_back(one.name);
    }
    throw Error(where, "'# run: NAME' of " + join(known, ", "), "'" + name + "'");
}

}  // namespace craft::test
