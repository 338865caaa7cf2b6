#include "gec/retrieval/edit_pattern.h"

namespace craft {

namespace {

bool is_one_of(const std::string& part, std::initializer_list<const char*> parts) {
    for (const char* one : parts)
        if (part == one) return true;
    return false;
}

std::string left_neighbour(const AnnotatedToken& token) {
    return is_one_of(token.pos, {"NOUN", "PROPN", "NUM", "PRON", "X", "SYM"}) ? token.pos : token.lemma;
}

std::string right_neighbour(const AnnotatedToken& token) {
    return is_one_of(token.pos, {"ADP", "DET", "PART", "CCONJ", "SCONJ", "PUNCT"}) ? token.lower : token.pos;
}

std::string lower_words(const AnnotatedTokens& tokens, int64_t start, int64_t end) {
    std::string words;
    for (int64_t i = start; i < end; ++i) words.append(i == start ? "" : " ").append(tokens[static_cast<size_t>(i)].lower);
    return words;
}

}  // namespace

std::string edit_pattern(const TypedEdit& edit, const AnnotatedTokens& source, const AnnotatedTokens& target) {
    std::string from = lower_words(source, edit.source_start, edit.source_end);
    std::string to = lower_words(target, edit.target_start, edit.target_end);
    if (edit.source_end == edit.source_start + 1 && edit.target_end == edit.target_start + 1) {
        const AnnotatedToken& wrong = source[static_cast<size_t>(edit.source_start)];
        const AnnotatedToken& right = target[static_cast<size_t>(edit.target_start)];
        if (!wrong.tag.empty() && wrong.lemma == right.lemma && wrong.tag != right.tag) {
            from = wrong.tag;
            to = right.tag;
        }
    }
    std::string pattern = "[" + from + (from.empty() ? "→" : " →") + (to.empty() ? "]" : " " + to + "]");
    const auto has_pos = [&](int64_t i) {
        return i >= 0 && i < static_cast<int64_t>(source.size()) && !source[static_cast<size_t>(i)].pos.empty();
    };
    if (has_pos(edit.source_start - 1))
        pattern = left_neighbour(source[static_cast<size_t>(edit.source_start - 1)]) + " " + pattern;
    if (has_pos(edit.source_end)) pattern += " " + right_neighbour(source[static_cast<size_t>(edit.source_end)]);
    return pattern;
}

}  // namespace craft
