// Sentences cut in two and joined, and words replaced by stand-ins.
#include <algorithm>
#include <cmath>

#include "core/ascii.h"
#include "rollout/rules/edits.h"

namespace craft {

namespace {

size_t words_in(std::string_view text) {
    size_t words = 0;
    bool inside = false;
    for (const char c : text) {
        const bool blank = c == ' ' || c == '\n' || c == '\t';
        if (!blank && !inside) ++words;
        inside = !blank;
    }
    return words;
}

bool closed(std::string_view text) {
    int round = 0, quotes = 0, curly = 0;
    for (size_t i = 0; i < text.size(); ++i) {
        round += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        quotes += text[i] == '"' ? 1 : 0;
        if (text.substr(i, 3) == "“") ++curly;
        if (text.substr(i, 3) == "”") --curly;
    }
    return round == 0 && quotes % 2 == 0 && curly == 0;
}

std::string first_word(std::string_view text) {
    size_t end = 0;
    while (end < text.size() && text[end] != ' ' && text[end] != ',' && text[end] != ';') ++end;
    return ascii_lower(text.substr(0, end));
}

bool allows(const SplitRule& rule, const Rules& rules, std::string_view rest) {
    const std::string word = first_word(rest);
    const bool capital = !rest.empty() && rest[0] >= 'A' && rest[0] <= 'Z';
    const bool pronoun = rules.pronouns.contains(word);
    const bool subject = pronoun || capital || rules.determiners.contains(word);
    switch (rule.needs) {
        case SplitRule::Needs::any:
            return true;
        case SplitRule::Needs::pronoun:
            return pronoun && word != "one" && word != "this" && word != "these" && word != "those" && word != "that";
        case SplitRule::Needs::subject:
            return subject;
        case SplitRule::Needs::verb:
            return !subject && !rules.function_words.contains(word);
    }
    return false;
}

struct SplitPlace {
    double cost;
    size_t at;
    const SplitRule* rule;
};

std::string strip_end(std::string text) {
    while (!text.empty() && (text.back() == ' ' || text.back() == ',' || text.back() == ';' || text.back() == ':' ||
                             text.back() == '-' || text.back() == '\n'))
        text.pop_back();
    return text;
}

// The sentence without its closing mark, ready for something to follow; empty if it ends in quotes or has no mark.
std::string opened(const std::string& text) {
    std::string out = text;
    while (!out.empty() && (out.back() == '.' || out.back() == '!' || out.back() == '?')) out.pop_back();
    return out.size() == text.size() ? "" : out;
}

std::string stand_in_kind(const EditContext& context, const Sentence& s, size_t i) {
    const auto word = s.word(i);
    const bool inner_capital = s.written(i).size() > 1 && s.written(i)[1] >= 'A' && s.written(i)[1] <= 'Z';
    if ((i > 0 && s.capital(i)) || inner_capital) return "name";
    const auto before = i > 0 ? s.word(i - 1) : std::string_view();
    if (context.rules.determiners.contains(before))
        return word.ends_with("s") && !word.ends_with("ss") ? "plural" : "singular";
    for (const char* modal :
         {"to", "will", "would", "can", "could", "may", "might", "must", "should", "shall", "did", "do", "not"})
        if (before == modal) return "verb";
    if (word.ends_with("ing")) return "ing";
    if (word.ends_with("ed")) return "past";
    if (word.ends_with("s") && !word.ends_with("ss") && word.size() > 3) return "plural";
    return "other";
}

}  // namespace

void list_splits(const EditContext& context, const Sentence& s, size_t most, std::vector<Edit>& out) {
    const std::string_view text = s.text();
    std::vector<SplitPlace> places;
    const double total = static_cast<double>(words_in(text));
    if (total < 6) return;
    for (const auto& rule : context.rules.splits)
        for (size_t at = text.find(rule.connector); at != std::string_view::npos; at = text.find(rule.connector, at + 1)) {
            const auto left = text.substr(0, at), rest = text.substr(at + rule.connector.size());
            const double before = static_cast<double>(words_in(left)), after = static_cast<double>(words_in(rest));
            if (before < 3 || after < 2 || !allows(rule, context.rules, rest) || !closed(left)) continue;
            if (rest[0] == ' ' || rest[0] == '-' || left.ends_with(",")) continue;
            // A subordinate clause that is closed by a comma is not the end of its sentence.
            const bool inner = (rule.connector.starts_with(", w") || rule.start == "Admittedly, ") &&
                               rest.find(", ") != std::string_view::npos;
            places.push_back({rule.cost + (inner ? 3 : 0) + 1.5 * std::abs(before - after) / total, at, &rule});
        }
    std::stable_sort(places.begin(), places.end(), [](const SplitPlace& a, const SplitPlace& b) { return a.cost < b.cost; });
    std::vector<size_t> used;
    for (const auto& place : places) {
        if (used.size() >= most) break;
        if (std::find(used.begin(), used.end(), place.at) != used.end()) continue;
        used.push_back(place.at);
        std::string left = strip_end(std::string(text.substr(0, place.at)));
        std::string right = place.rule->start + std::string(text.substr(place.at + place.rule->connector.size()));
        if (right.find_last_of(".!?") == std::string::npos) right += ".";
        out.push_back({kSplit, place.cost, {left + ".", with_capital(right)}, 1});
    }
}

void list_joins(const EditContext& context, const std::string& first, const std::string& second, std::vector<Edit>& out) {
    const std::string left = opened(first);
    if (left.empty() || second.empty()) return;
    if (ends_in_abbreviation(first, context.rules)) {
        out.push_back({kJoin, 1.5, {left + " " + second}, 2});
        return;
    }
    const double question = first.back() == '.' ? 0 : 3;
    for (const auto& [opener, joined] : context.rules.own_joiners) {
        if (!second.starts_with(opener)) continue;
        const std::string rest = in_lower_case(second.substr(opener.size()), context.rules, context.lower_words);
        out.push_back({kJoin, 1 + question, {left + joined + rest}, 2});
        return;
    }
    bool lowered = false;
    const std::string rest = in_lower_case(second, context.rules, context.lower_words, &lowered);
    for (const auto& joiner : context.rules.joiners)
        out.push_back({kJoin, joiner.cost + question + (lowered ? 0 : 0.7), {left + joiner.text + rest}, 2});
}

void list_stand_ins(const EditContext& context, const Sentence& s, const std::string& keyword, std::vector<Edit>& out) {
    const std::string lower = ascii_lower(s.text());
    for (size_t at = lower.find(keyword); at != std::string::npos; at = lower.find(keyword, at + 1)) {
        size_t i = 0, j = 0;
        while (i < s.size() && s.end_of(i) <= at) ++i;
        if (i == s.size() || s.begin_of(i) >= at + keyword.size()) {  // punctuation only
            out.push_back({kStandIn, 8, {s.without(at, at + keyword.size())}, 1});
            continue;
        }
        for (j = i; j + 1 < s.size() && s.begin_of(j + 1) < at + keyword.size();) ++j;
        const size_t n = j - i + 1;
        const bool adjective = i > 0 && n == 1 && s.tight(i - 1) && s.tight(i) &&
                               context.rules.determiners.contains(s.word(i - 1)) &&
                               !context.rules.function_words.contains(s.word(i + 1));
        const bool part_of_name =
            n == 1 && s.capital(i) && ((s.tight(i) && s.capital(i + 1)) || (i > 1 && s.tight(i - 1) && s.capital(i - 1)));
        if (s.size() > n) out.push_back({kStandIn, adjective || part_of_name ? 3.0 : 9.0, {s.replaced(i, n, "")}, 1});
        const auto& words = context.rules.stand_ins.at(stand_in_kind(context, s, j));
        for (size_t k = 0; k < words.size(); ++k) {
            if (words[k].find(keyword) != std::string::npos) continue;
            std::string to = words[k];
            if (s.word(j).ends_with("'s")) to += "'s";
            out.push_back({kStandIn, 6 + 0.2 * static_cast<double>(k), {s.replaced(i, n, to)}, 1});
        }
    }
}

}  // namespace craft
