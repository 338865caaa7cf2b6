#include "simplify/set_off_parts.h"

#include <algorithm>

namespace craft {

namespace {

// Whether there is a verb with tense in it that no relative word brings in: then it is a clause, whatever the parse says.
bool is_clause(const ParsedSentence& s, const std::vector<size_t>& tokens) {
    bool relative = false;
    for (const size_t token : tokens) {
        relative = relative || is_one_of(s[token].tag, {"WDT", "WP", "WP$", "WRB"}) || s[token].lower == "that" ||
                   s[token].dep == "relcl";
        if (!relative && is_one_of(s[token].tag, {"VBD", "VBZ", "VBP", "MD"})) {
            // "some burden they hope to shed": a relative clause without its word.
            if (std::any_of(tokens.begin(), tokens.end(),
                            [&](size_t one) { return s[one].dep == "relcl" && s.is_within(token, one); }))
                continue;
            return true;
        }
    }
    return false;
}

// ", a glimpse of it and a visit": a list that lost its head.
bool is_list(const ParsedSentence& s, const std::vector<size_t>& tokens) {
    return std::any_of(tokens.begin(), tokens.end(), [&](size_t one) {
        const std::optional<size_t> article = s.child(one, {"det"});
        return s[one].dep == "conj" && article && is_one_of(s[*article].lower, {"a", "an"});
    });
}

}  // namespace

std::vector<size_t> set_off_apposition(const ParsedSentence& s, const PieceWords& words, size_t token) {
    const size_t noun = s[token].head;
    if (!s[noun].tag.starts_with("NN")) return {};
    if (s[token].dep != "appos" || !s[token].tag.starts_with("NN") || !holds(words, noun)) return {};
    const std::vector<size_t> tokens = s.subtree(token), places = places_of(words, tokens);
    if (places.size() != tokens.size() || places.front() < 2 || !is_comma(words[places.front() - 1])) return {};
    if (is_clause(s, tokens) || is_list(s, tokens)) return {};
    const size_t end = places.back() + 1;
    if (!ends_at(words, end) && !is_comma(words[end])) return {};
    if (s.has_child(noun, {"cc", "conj"}) || s.has_child(token, {"cc", "conj"})) return {};
    const bool several =
        s[token].tag == "NNS" && s[noun].tag == "NNS" && s[noun].dep.starts_with("nsubj") && s.has_child(token, {"amod"});
    if (!is_one_of(s[tokens.front()].lower, {"a", "an", "the"}) && !several) return {};
    return tokens;
}

}  // namespace craft
