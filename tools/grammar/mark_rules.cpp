#include "tools/grammar/mark_rules.h"

#include "text/utf8.h"

namespace craft {

std::string in_case_of(const std::string& word, const std::string& model) {
    const bool is_capital = !model.empty() && model != "I" && lowercase(model.substr(0, 1)) != model.substr(0, 1);
    return is_capital ? uppercase_first(word) : word;
}

void RuleMarks::substituted(size_t token, const std::string& why, std::vector<std::string> suggestions, size_t count) {
    for (std::string& one : suggestions) one = in_case_of(one, tree[token].text);
    marks.push_back({MarkKind::substituted, token, count, why, std::move(suggestions)});
}

void RuleMarks::redundant(size_t token, const std::string& why, size_t count) {
    marks.push_back({MarkKind::redundant, token, count, why, {}});
}

void RuleMarks::missing(size_t before, const std::string& why, std::vector<std::string> suggestions) {
    marks.push_back({MarkKind::missing, before, 0, why, std::move(suggestions)});
}

bool is_pronoun_subject(const ParsedSentence& tree, size_t i) {
    return tree.is_lower(i, {"i", "you", "he", "she", "it", "we", "they"});
}

bool is_finite_verb(const ParsedSentence& tree, size_t i) {
    return tree.is_tag(i, {"VBZ", "VBP", "VBD", "MD"});
}

size_t verb_after(const ParsedSentence& tree, size_t auxiliary) {
    size_t at = tree.after_adverbs(auxiliary + 1);
    if (is_pronoun_subject(tree, at)) at = tree.after_adverbs(at + 1);
    return at;
}

}  // namespace craft
