#include "tools/grammar_rules.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

namespace craft {

namespace {

using Kind = GrammarTerm::Kind;

GrammarTerm characters(std::string_view ascii, bool is_complement) {
    GrammarTerm term;
    term.kind = Kind::characters;
    term.characters.is_complement = is_complement;
    for (const char c : ascii) term.characters.ranges.push_back({static_cast<char32_t>(c), static_cast<char32_t>(c)});
    return term;
}

GrammarTerm with_parts(Kind kind, std::vector<GrammarTerm> parts) {
    GrammarTerm term;
    term.kind = kind;
    term.parts = std::move(parts);
    return term;
}

// `places` of the rules that may be used: those after the rule that is checked.
void check_term(const GrammarTerm& term, size_t place, const std::map<std::string, size_t>& places) {
    if (term.kind == Kind::rule) {
        const auto found = places.find(term.text);
        if (found == places.end()) throw std::logic_error("no rule of a grammar is named " + term.text);
        if (found->second <= place) throw std::logic_error("a rule of a grammar uses " + term.text + " before it");
    }
    if (term.kind == Kind::choice && term.parts.empty()) throw std::logic_error("a choice of a grammar has no members");
    if (term.kind == Kind::characters && term.characters.ranges.empty() && !term.characters.is_complement)
        throw std::logic_error("a set of a grammar has no members");
    if (term.kind == Kind::repetition && (term.parts.size() != 1 || (term.most && *term.most < term.least)))
        throw std::logic_error("a repetition of a grammar is of nothing");
    for (const GrammarTerm& part : term.parts) check_term(part, place, places);
}

// The proper prefixes of the markers without their first byte, and the bytes that continue from each.
std::map<std::string, std::set<char>> begun_markers(const std::vector<std::string>& markers, char delimiter) {
    std::map<std::string, std::set<char>> begun;
    for (const std::string& marker : markers) {
        const size_t again = marker.find(delimiter, 1);
        if (marker.size() < 2 || marker[0] != delimiter || (again != std::string::npos && again + 1 < marker.size()))
            throw std::logic_error("a marker of a grammar is not delimited as it must be: " + marker);
        for (size_t length = 1; length < marker.size(); ++length) begun[marker.substr(1, length - 1)].insert(marker[length]);
    }
    return begun;
}

}  // namespace

GrammarTerm GrammarTerm::literal(std::string text) {
    GrammarTerm term;
    term.kind = Kind::literal;
    term.text = std::move(text);
    return term;
}
GrammarTerm GrammarTerm::one_of(std::string_view ascii) {
    return craft::characters(ascii, false);
}
GrammarTerm GrammarTerm::none_of(std::string_view ascii) {
    return craft::characters(ascii, true);
}
GrammarTerm GrammarTerm::range(char first, char last) {
    GrammarTerm term;
    term.kind = Kind::characters;
    term.characters.ranges = {{static_cast<char32_t>(first), static_cast<char32_t>(last)}};
    return term;
}
GrammarTerm GrammarTerm::rule(std::string name) {
    GrammarTerm term;
    term.kind = Kind::rule;
    term.text = std::move(name);
    return term;
}
GrammarTerm GrammarTerm::sequence(std::vector<GrammarTerm> parts) {
    std::vector<GrammarTerm> joined;  // literals beside each other are one
    for (GrammarTerm& part : parts) {
        if (part.kind == Kind::literal && !joined.empty() && joined.back().kind == Kind::literal)
            joined.back().text += part.text;
        else
            joined.push_back(std::move(part));
    }
    return joined.size() == 1 ? std::move(joined[0]) : with_parts(Kind::sequence, std::move(joined));
}
GrammarTerm GrammarTerm::choice(std::vector<GrammarTerm> parts) {
    return with_parts(Kind::choice, std::move(parts));
}
GrammarTerm GrammarTerm::repeated(GrammarTerm part, size_t least, std::optional<size_t> most) {
    GrammarTerm term = with_parts(Kind::repetition, {std::move(part)});
    term.least = least;
    term.most = most;
    return term;
}

void check_grammar_rules(const GrammarRules& rules) {
    if (rules.empty()) throw std::logic_error("a grammar has no rules");
    std::map<std::string, size_t> places;
    for (size_t i = 0; i < rules.size(); ++i) {
        const std::string& name = rules[i].name;
        if (name.empty() || name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") != std::string::npos)
            throw std::logic_error("a rule of a grammar has a name that not every dialect takes: " + name);
        if (name == "root" && i > 0)
            throw std::logic_error("a rule of a grammar has the name that the first one is printed by");
        if (!places.emplace(name, i).second) throw std::logic_error("two rules of a grammar are named " + name);
    }
    for (size_t i = 0; i < rules.size(); ++i) check_term(rules[i].body, i, places);
}

// After a delimiter a marker may have begun. It breaks off at a byte that continues with none, after which anything may
// stand up to the next delimiter; or at that delimiter itself, where one starts over. A prefix that only the delimiter
// completes may not be followed by one.
GrammarTerm stretch_before(const std::string& end, const std::vector<std::string>& without) {
    if (end.empty()) throw std::logic_error("a text of a grammar has no end");
    const char delimiter = end[0];
    std::vector<std::string> markers = without;
    markers.push_back(end);
    const GrammarTerm rest = GrammarTerm::repeated(GrammarTerm::none_of(std::string(1, delimiter)));
    std::vector<GrammarTerm> stretches;
    for (const auto& [prefix, next] : begun_markers(markers, delimiter)) {
        std::string stops(1, delimiter);
        for (const char c : next)
            if (c != delimiter) stops += c;
        GrammarTerm broken_off = GrammarTerm::sequence({GrammarTerm::none_of(stops), rest});
        std::vector<GrammarTerm> stretch;
        if (!prefix.empty()) stretch.push_back(GrammarTerm::literal(prefix));
        if (next.count(delimiter) == 0) broken_off = GrammarTerm::optional(std::move(broken_off));
        stretch.push_back(std::move(broken_off));
        stretches.push_back(stretch.size() == 1 ? std::move(stretch[0]) : GrammarTerm::sequence(std::move(stretch)));
    }
    return GrammarTerm::choice(std::move(stretches));
}

}  // namespace craft
