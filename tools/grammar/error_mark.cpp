#include "tools/grammar/error_mark.h"

#include <algorithm>

#include "text/utf8.h"
#include "tools/call_characters.h"

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

// Whether a contraction's word continues with this token: "nt" of "dont", "n't" of "weren't", "'s" of "it's".
bool continues_word(size_t token, const EnglishDocument& tokens) {
    if (token == 0 || token >= tokens.size() || tokens[token - 1].space_after) return false;
    const std::string &before = tokens[token - 1].text, &text = tokens[token].text;
    if (before.empty() || !is_ascii_letter(before.back())) return false;
    const size_t first = text.starts_with("'") ? 1 : text.starts_with("\xE2\x80\x99") ? 3 : 0;
    return first < text.size() && is_ascii_letter(text[first]);
}

// The same mark of the whole words: who reads them finds "dont" in the sentence, and no "nt".
ErrorMark of_whole_words(const ErrorMark& mark, const EnglishDocument& tokens) {
    if (mark.count == 0) return mark;
    ErrorMark whole = mark;
    while (continues_word(whole.token, tokens)) --whole.token, ++whole.count;
    while (continues_word(whole.token + whole.count, tokens)) ++whole.count;
    if (whole.count == mark.count) return mark;
    const auto words = [&](size_t begin, size_t end) {
        return words_of({MarkKind::substituted, begin, end - begin, "", {}, MarkEvidence::rule}, tokens);
    };
    const std::string before = words(whole.token, mark.token);
    const std::string behind = words(mark.token + mark.count, whole.token + whole.count);
    if (whole.kind == MarkKind::redundant) whole.suggestions = {""};
    whole.kind = MarkKind::substituted;
    for (std::string& one : whole.suggestions) {
        // "they's" becomes "they are", "dont" "don't".
        const bool is_apart = !before.empty() && !one.empty() && one.find('\'') == std::string::npos;
        one = before + (is_apart ? " " : "") + one + behind;
    }
    return whole;
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

std::string to_text(const ErrorMark& of_tokens, const EnglishDocument& tokens) {
    const ErrorMark mark = of_whole_words(of_tokens, tokens);
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
