#include "gec/rules/observed_errors.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace craft {

namespace {

constexpr size_t kMaxSuggestions = 3;
constexpr double kEvidence = 3;           // of a rule of the tool, which link-grammar's parse bears out
constexpr double kEvidenceOfLetters = 1;  // of a word that no dictionary has
constexpr double kOfNextSuggestion = -0.5;

// Takes `text` up to `end` and `end` itself off the front; none where it is not there.
std::optional<std::string_view> taken_until(std::string_view& text, std::string_view end) {
    const size_t at = text.find(end);
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view taken = text.substr(0, at);
    text.remove_prefix(at + end.size());
    return taken;
}

std::optional<ObservedError> read_line(std::string_view line) {
    ObservedError error;
    const auto kind = taken_until(line, " ");
    if (!kind || !is_one_of(*kind, {"substituted", "redundant", "missing"})) return std::nullopt;
    error.kind = *kind;
    if (error.kind == "missing" && !taken_until(line, "before ")) return std::nullopt;
    if (!line.starts_with('"')) return std::nullopt;
    line.remove_prefix(1);
    const auto words = taken_until(line, "\" (word ");
    const auto number = words ? taken_until(line, "): ") : std::nullopt;
    if (!number || std::from_chars(number->begin(), number->end(), error.word).ec != std::errc() || error.word == 0)
        return std::nullopt;
    error.words = *words;
    const auto why = taken_until(line, "; suggestions: ");
    error.why = why ? *why : line;
    if (!why) return error;
    while (const auto one = taken_until(line, ", ")) error.suggestions.emplace_back(*one);
    error.suggestions.emplace_back(line);
    return error;
}

}  // namespace

std::vector<ObservedError> read_observed_errors(const std::string& observation) {
    std::vector<ObservedError> errors;
    std::string_view left = observation;
    while (!left.empty()) {
        std::string_view line = left.substr(0, left.find('\n'));
        left.remove_prefix(std::min(left.size(), line.size() + 1));
        std::optional<ObservedError> error = read_line(line);
        if (error && !error->why.ends_with("the sentence can be parsed")) errors.push_back(*std::move(error));
    }
    return errors;
}

void propose_observed(const WrittenSentence& s, const std::vector<ObservedError>& errors,
                      std::vector<CorrectionProposal>& to) {
    for (const ObservedError& error : errors) {
        const size_t first = error.word - 1;
        if (first >= s.size() || s.text().compare(s.begin_of(first), error.words.size(), error.words) != 0) continue;
        size_t last = first;  // after the words
        while (last < s.size() && s.end_of(last) <= s.begin_of(first) + error.words.size()) ++last;
        if (last == first) continue;
        const bool is_spelling = error.why.ends_with("is in no dictionary");
        if (is_spelling && s.has_capital(first)) continue;  // it may be a name, which no dictionary need have
        const CorrectionKind kind = is_spelling ? CorrectionKind::spelling : CorrectionKind::observed;
        double evidence = is_spelling ? kEvidenceOfLetters : kEvidence;
        if (error.kind == "redundant") to.push_back({s.removed(first, last), kind, evidence, false, error.why});
        for (size_t i = 0; i < std::min(error.suggestions.size(), kMaxSuggestions); ++i) {
            const std::string& words = error.suggestions[i];
            const TextReplacement change =
                error.kind == "missing" ? s.inserted_before(first, words) : s.replaced(first, last, words);
            to.push_back({change, kind, evidence, false, error.why});
            evidence += kOfNextSuggestion;
        }
    }
}

}  // namespace craft
