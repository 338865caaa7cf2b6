#include "simplify/part_deletion.h"

#include <algorithm>
#include <optional>

#include "english/listed_words.h"
#include "simplify/set_off_parts.h"
#include "text/utf8.h"

namespace craft {

namespace {

using Tokens = std::vector<size_t>;

// Names, numbers, dates; and what turns the sense round.
bool matters(const ParsedSentence& s, const Tokens& tokens) {
    return std::any_of(tokens.begin(), tokens.end(), [&](size_t token) {
        const EnglishToken& t = s[token];
        return t.entity_place != 'O' || is_one_of(t.tag, {"NNP", "NNPS", "CD"}) || t.dep == "neg" ||
               is_one_of(t.lower, {"no", "not", "never", "without", "nothing", "nobody", "none"});
    });
}

Tokens parenthesis(const ParsedSentence& s, size_t open) {
    if (s[open].text != "(") return {};
    Tokens tokens;
    for (size_t i = open; i < s.end(); ++i) {
        tokens.push_back(i);
        if (s[i].text == ")") return tokens;
        if (i > open && s[i].text == "(") return {};
    }
    return {};
}

bool joins_sentences(const std::string& word) {
    return is_one_of(word, {"however", "moreover", "furthermore", "nevertheless", "nonetheless", "indeed", "consequently",
                            "incidentally", "likewise", "accordingly"});
}

bool tells_degree(const std::string& word) {
    return listed_words("degree_adverbs").contains(word);
}

// Adverbs in -ly without which something else is said: of time, number, doubt, limits.
bool limits(const std::string& word) {
    return listed_words("limiting_adverbs").contains(word);
}

// Verbs that need to be told how.
bool needs_manner(const std::string& lemma) {
    return listed_words("manner_verbs").contains(lemma);
}

Tokens adverb(const ParsedSentence& s, size_t token) {
    const EnglishToken& t = s[token];
    if (t.dep != "advmod" || t.tag != "RB" || !s.children(token).empty()) return {};
    const size_t head = t.head;
    const bool is_verbs = s.is_verb(head);
    if (joins_sentences(t.lower) && is_verbs && s.finite_word(head)) return {token};
    const bool of_adjective = s[head].tag == "JJ" && head == token + 1 && tells_degree(t.lower) &&
                              std::none_of(s.children(head).begin(), s.children(head).end(), [&](size_t one) {
                                  return is_one_of(s[one].lower, {"as", "so", "too", "enough", "than", "more", "most"});
                              });
    if (of_adjective) return {token};
    const bool is_manner = t.lower.ends_with("ly") && !limits(t.lower) && !tells_degree(t.lower);
    if (!is_manner || !is_verbs || needs_manner(s[head].lemma) || s.is_negated(head)) return {};
    // Beside its verb or its auxiliary: elsewhere what it belongs to is less sure.
    const bool beside =
        token + 1 == head || token == head + 1 ||
        (token + 1 < s.end() && s[token + 1].head == head && is_one_of(s[token + 1].dep, {"aux", "auxpass"}));
    return beside ? Tokens{token} : Tokens{};
}

bool may_go_with_commas(const std::string& preposition) {
    return listed_words("adjunct_prepositions").contains(preposition);
}

Tokens prepositional_phrase(const ParsedSentence& s, const PieceWords& words, size_t token) {
    const EnglishToken& t = s[token];
    if (t.dep != "prep" || !s.is_verb(t.head) || s[t.head].lemma == "be" || !s.has_child(token, {"pobj"})) return {};
    if (!s.finite_word(t.head) || s.has_child(token, {"cc", "conj", "neg"})) return {};
    const Tokens tokens = s.subtree(token), places = places_of(words, tokens);
    if (places.size() != tokens.size()) return {};
    const size_t end = places.back() + 1;
    const bool closed = end < words.size() && is_comma(words[end]), ends = ends_at(words, end);
    const bool set_off = places.front() == 0 ? closed : (is_comma(words[places.front() - 1]) && (closed || ends));
    const bool of_time = ends && is_one_of(t.lower, {"during", "throughout", "amid", "amidst", "alongside"});
    return (set_off && may_go_with_commas(t.lower)) || of_time ? tokens : Tokens{};
}

Tokens part_at(const ParsedSentence& s, const PieceWords& words, size_t token) {
    for (const Tokens& tokens : {parenthesis(s, token), set_off_apposition(s, words, token), adverb(s, token),
                                 prepositional_phrase(s, words, token)})
        if (!tokens.empty()) return tokens;
    return {};
}

// Whether a comma after the part also ends what opens the sentence.
bool keeps_comma(const ParsedSentence& s, const Tokens& tokens) {
    for (size_t i = s.begin(); i < s.end(); ++i)
        if (s.is_root(i))
            if (const std::optional<size_t> subject = s.subject(i))
                return tokens.back() < *subject && !s.is_within(tokens.back(), *subject);
    return false;
}

// The sentence without what can go; absent: nothing can.
std::optional<std::string> shorter(const ParsedSentence& s, const DeletionOptions& options) {
    PieceWords words;
    for (size_t i = s.begin(); i < s.end(); ++i) {
        if (is_one_of(s[i].text, {"\"", "“", "”", "``", "''"})) return std::nullopt;  // somebody's own words
        if (!s[i].is_space) words.push_back({s[i].text, i});
    }
    const auto is_parsed = [&](size_t i) { return s.is_root(i) && s.subject(i) && s.finite_word(i); };
    if (std::none_of(words.begin(), words.end(), [&](const PieceWord& word) { return is_parsed(word.token); }))
        return std::nullopt;  // the parse is wrong, or it is no sentence
    size_t parts = 0;
    for (size_t i = s.begin(); i < s.end() && parts < options.max_parts; ++i) {
        if (!holds(words, i)) continue;
        const Tokens tokens = part_at(s, words, i);
        if (tokens.empty() || tokens.size() > options.longest || matters(s, tokens)) continue;
        PieceWords rest = without(words, tokens, keeps_comma(s, tokens));
        if (rest.size() == words.size() || count_words(rest) < options.least_words) continue;
        words = std::move(rest);
        ++parts;
    }
    if (parts == 0) return std::nullopt;
    return written(s, words);
}

}  // namespace

std::string delete_parts(const std::string& text, const EnglishDocument& document, const DeletionOptions& options) {
    std::string made;
    for (const ParsedSentence& sentence : parsed_sentences(document)) {
        const size_t begin = document[sentence.begin()].byte;
        const size_t end = sentence.end() < document.size() ? document[sentence.end()].byte : text.size();
        const std::string own = text.substr(begin, end - begin);
        const std::optional<std::string> rest = shorter(sentence, options);
        made += rest ? *rest + own.substr(trim_view(own).size()) : own;
    }
    return made;
}

}  // namespace craft
