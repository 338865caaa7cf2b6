#include "metrics/edits/edit_types.h"

#include <algorithm>
#include <string_view>

#include "metrics/edits/replacement_types.h"
#include "metrics/edits/token_span.h"
#include "metrics/edits/token_tags.h"

namespace craft {

namespace {

bool only_auxiliaries(const std::set<std::string_view>& dependencies) {
    return std::all_of(dependencies.begin(), dependencies.end(),
                       [](auto label) { return label == "aux" || label == "auxpass"; });
}

// Of what is missing or unnecessary.
std::string one_sided_type(const TokenSpan& tokens) {
    const AnnotatedToken& first = tokens[0];
    if (tokens.size() == 1) {
        if (first.tag == "POS") return "NOUN:POSS";
        if (is_contraction(first)) return "CONTR";
        if (first.lower == "to" && first.pos == "PART" && first.dep != "prep") return "VERB:FORM";
    }
    const auto parts = tokens.parts(), dependencies = tokens.dependencies();
    if (only_auxiliaries(dependencies)) return "VERB:TENSE";
    if (parts.size() == 1 && !is_rare_part(*parts.begin())) return std::string(*parts.begin());
    if (dependencies.size() == 1) {
        if (const auto part = part_of_dependency(*dependencies.begin()); !part.empty()) return std::string(part);
    }
    if (parts == std::set<std::string_view>{"PART", "VERB"}) return "VERB";
    return "OTHER";
}

std::string several_words_type(const TokenSpan& source, const TokenSpan& target) {
    auto parts = source.parts(), dependencies = source.dependencies();
    parts.merge(target.parts());
    dependencies.merge(target.dependencies());
    const bool same_end = source.back().lemma == target.back().lemma;
    if (only_auxiliaries(dependencies)) return "VERB:TENSE";
    if (parts.size() == 1) {
        if (*parts.begin() == "VERB" && same_end) return "VERB:TENSE";
        if (!is_rare_part(*parts.begin())) return std::string(*parts.begin());
    }
    if (dependencies.size() == 1) {
        if (const auto part = part_of_dependency(*dependencies.begin()); !part.empty()) return std::string(part);
    }
    if (parts == std::set<std::string_view>{"PART", "VERB"}) return same_end ? "VERB:FORM" : "VERB";
    const auto noun_and_particle = [](const TokenSpan& tokens) {
        return tokens.size() == 2 && part_of_tag(tokens[0].tag) == "NOUN" && part_of_tag(tokens[1].tag) == "PART";
    };
    if ((noun_and_particle(source) || noun_and_particle(target)) && source[0].lemma == target[0].lemma) return "NOUN:POSS";
    const auto compares = [](const AnnotatedToken& token) { return token.lower == "most" || token.lower == "more"; };
    if ((compares(source[0]) || compares(target[0])) && same_end && source.size() <= 2 && target.size() <= 2)
        return "ADJ:FORM";
    return "OTHER";
}

std::string replacement_type(const TokenSpan& source, const TokenSpan& target, const KnownWord& known_word) {
    if (source.lower_joined() == target.lower_joined()) return "ORTH";
    if (source.lower_sorted() == target.lower_sorted()) return "WO";
    if (source.size() == 1 && target.size() == 1) {
        if (std::string type = word_replacement_type(source, target, known_word); !type.empty()) return type;
    }
    return several_words_type(source, target);
}

std::string type_of(const TokenSpan& source, const TokenSpan& target, const KnownWord& known_word) {
    if (source.empty()) return "M:" + one_sided_type(target);
    if (target.empty()) return "U:" + one_sided_type(source);
    // "Doctor" to "The doctor": what the case of the last token changes is left out.
    if (source.back().lower == target.back().lower && (source.size() > 1 || target.size() > 1)) {
        return type_of(source.without_last(), target.without_last(), known_word);
    }
    return "R:" + replacement_type(source, target, known_word);
}

}  // namespace

std::string edit_type(const AlignedTokens& edit, const AnnotatedTokens& source, const AnnotatedTokens& target,
                      const KnownWord& known_word) {
    const TokenSpan from(source, edit.source_start, edit.source_end), to(target, edit.target_start, edit.target_end);
    if (from.text() == to.text()) return "UNK";
    return type_of(from, to, known_word);
}

}  // namespace craft
