#include "tools/grammar/error_mark.h"

#include <algorithm>

#include "text/utf8.h"

namespace craft {

namespace {

// Tokens that are no white space, up to `token`.
size_t word_number(size_t token, const EnglishDocument& tokens) {
    const auto end = tokens.begin() + static_cast<std::ptrdiff_t>(std::min(token, tokens.size()));
    return 1 + static_cast<size_t>(std::count_if(tokens.begin(), end, [](const EnglishToken& t) { return !t.is_space; }));
}

size_t end_of_token(const EnglishToken& token) {
    return token.code_point + count_code_points(token.text);
}

// Missing words claim the gap alone, so that a mark of the word beside it may stand too.
bool do_overlap(const ErrorMark& a, const ErrorMark& b) {
    if (a.count == 0 && b.count == 0) return a.token == b.token;
    if (a.count == 0) return a.token > b.token && a.token < b.token + b.count;
    if (b.count == 0) return do_overlap(b, a);
    return a.token < b.token + b.count && b.token < a.token + a.count;
}

}  // namespace

std::string_view name_of(MarkKind kind) {
    return kind == MarkKind::redundant ? "redundant" : kind == MarkKind::missing ? "missing" : "substituted";
}

std::string_view name_of(MarkEvidence evidence) {
    return evidence == MarkEvidence::rule ? "rule" : evidence == MarkEvidence::spelling ? "spelling" : "parse";
}

std::string words_of(const ErrorMark& mark, const EnglishDocument& tokens) {
    std::string words;
    for (size_t i = mark.token; i < mark.token + mark.count && i < tokens.size(); ++i) {
        words += tokens[i].text;
        if (tokens[i].space_after && i + 1 < mark.token + mark.count) words += ' ';
    }
    return words;
}

size_t start_of(const ErrorMark& mark, const EnglishDocument& tokens) {
    if (mark.token < tokens.size()) return tokens[mark.token].code_point;
    return tokens.empty() ? 0 : end_of_token(tokens.back());
}

size_t end_of(const ErrorMark& mark, const EnglishDocument& tokens) {
    if (mark.count == 0 || tokens.empty()) return start_of(mark, tokens);
    return end_of_token(tokens[std::min(mark.token + mark.count, tokens.size()) - 1]);
}

std::vector<std::string> repaired_words(const ErrorMark& mark, const EnglishDocument& tokens) {
    std::vector<std::string> words;
    for (size_t i = 0; i <= tokens.size(); ++i) {
        if (i == mark.token && mark.kind != MarkKind::redundant && !mark.suggestions.empty() &&
            !mark.suggestions.front().empty())
            words.push_back(mark.suggestions.front());
        if (i == tokens.size() || (i >= mark.token && i < mark.token + mark.count) || tokens[i].is_space) continue;
        words.push_back(tokens[i].text);
    }
    return words;
}

Json to_json(const ErrorMark& mark, const EnglishDocument& tokens) {
    return {{"kind", name_of(mark.kind)},
            {"start", start_of(mark, tokens)},
            {"end", end_of(mark, tokens)},
            {"words", words_of(mark, tokens)},
            {"why", mark.why},
            {"suggestions", mark.suggestions},
            {"evidence", name_of(mark.evidence)}};
}

std::string to_text(const ErrorMark& mark, const EnglishDocument& tokens) {
    std::string line(name_of(mark.kind));
    if (mark.count > 0) {
        line += " \"" + words_of(mark, tokens) + "\" (word " + std::to_string(word_number(mark.token, tokens)) + ")";
    } else if (mark.token < tokens.size()) {
        line += " before \"" + tokens[mark.token].text + "\" (word " + std::to_string(word_number(mark.token, tokens)) + ")";
    } else {
        line += " at the end";
    }
    line += ": " + mark.why;
    for (size_t i = 0; i < mark.suggestions.size(); ++i) line += (i == 0 ? "; suggestions: " : ", ") + mark.suggestions[i];
    return line;
}

std::vector<ErrorMark> without_overlaps(const std::vector<ErrorMark>& marks) {
    std::vector<ErrorMark> kept;
    for (const ErrorMark& mark : marks)
        if (std::none_of(kept.begin(), kept.end(), [&](const ErrorMark& other) { return do_overlap(mark, other); }))
            kept.push_back(mark);
    std::stable_sort(kept.begin(), kept.end(), [](const ErrorMark& a, const ErrorMark& b) { return a.token < b.token; });
    return kept;
}

}  // namespace craft
