#include "tools/grammar/error_parsing.h"

#include <algorithm>

#include "english/letter_changes.h"
#include "text/utf8.h"
#include "tools/grammar/parse_repairs.h"

namespace craft {

namespace {

std::vector<ErrorMark> marks_by(std::initializer_list<void (*)(RuleMarks&)> rules, const ParsedSentence& tree,
                                const RuleKnowledge& know) {
    RuleMarks found{tree, know};
    for (const auto mark : rules) mark(found);
    return without_overlaps(found.marks);
}

// Far from each word that no dictionary has is misspelt: names of things, words of a trade. What is near a common word is.
bool is_misspelling(const std::string& word, const std::vector<std::string>& suggestions, const RuleKnowledge& know) {
    if (suggestions.empty() || suggestions.front().find(' ') != std::string::npos) return false;
    const std::string lower = lowercase(word), meant = lowercase(suggestions.front());
    const size_t distance = letter_changes(lower, meant);
    const size_t most = sound_key(lower) == sound_key(meant) ? 3 : lower.size() < 5 ? 1 : 2;
    return distance <= most && (distance < 2 || lower.front() == meant.front()) && know.is_common(meant);
}

std::vector<ErrorMark> marks_by_spelling(const ParsedSentence& tree, const SpellingReport& spelling,
                                         const RuleKnowledge& know) {
    std::vector<ErrorMark> marks;
    for (const SpellingError& error : spelling.errors)
        if (is_misspelling(tree[error.token].text, error.suggestions, know))
            marks.push_back({MarkKind::substituted, error.token, 1, "'" + tree[error.token].text + "' is in no dictionary",
                             error.suggestions, MarkEvidence::spelling});
    return marks;
}

// A repair beside a mark that is there already would say the same again.
bool is_explained(size_t token, const std::vector<ErrorMark>& marks) {
    return std::any_of(marks.begin(), marks.end(), [&](const ErrorMark& mark) {
        return token + 4 >= mark.token && token <= mark.token + mark.count + 3;
    });
}

}  // namespace

ErrorReport find_errors(const ParsedSentence& tree, const SpellingReport& spelling, const ConstituentParse& parse,
                        const RuleKnowledge& know, SentenceParser& parser, bool repairs) {
    ErrorReport report;
    report.is_english = spelling.is_english;
    report.parse_problem = parse.problem;
    report.cost = parse.cost;
    const ParseText text = parse_text(tree.tokens());
    const std::vector<size_t> left_out = left_out_tokens(parse, text);
    for (const size_t token : left_out) report.left_out.push_back(tree[token].text);
    if (!report.is_english) return report;
    std::vector<ErrorMark> marks = marks_by_spelling(tree, spelling, know);
    // Of words and prepositions link-grammar knows less than the rules do; forms and articles it may overrule.
    const auto of_words = marks_by({mark_repeated_words, mark_confused_words, mark_prepositions, mark_preposition_gaps,
                                    mark_said_twice, mark_clauses_without_verb, mark_joined_clauses},
                                   tree, know);
    const auto of_forms =
        borne_out_by_parse(marks_by({mark_verb_forms, mark_participles, mark_redundant_articles, mark_noun_numbers,
                                     mark_agreement, mark_missing_verbs, mark_missing_articles, mark_tenses},
                                    tree, know),
                           tree.tokens(), parse, parser);
    marks.insert(marks.end(), of_words.begin(), of_words.end());
    marks.insert(marks.end(), of_forms.begin(), of_forms.end());
    const bool all_explained =
        std::all_of(left_out.begin(), left_out.end(), [&](size_t token) { return is_explained(token, marks); });
    if (repairs && !all_explained) {
        const std::vector<ErrorMark> repaired = marks_by_repair(tree, know, parse, text, parser);
        marks.insert(marks.end(), repaired.begin(), repaired.end());
    }
    report.marks = without_overlaps(marks);
    return report;
}

}  // namespace craft
