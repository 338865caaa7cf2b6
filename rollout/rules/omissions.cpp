// Openers, clauses, adverbs and adjectives left out of a sentence.
#include <algorithm>
#include <bitset>

#include "core/ascii.h"
#include "rollout/rules/edits.h"

namespace craft {

namespace {

size_t blanks_between(std::string_view text, size_t begin, size_t end) {
    return static_cast<size_t>(
        std::count(text.begin() + static_cast<std::ptrdiff_t>(begin), text.begin() + static_cast<std::ptrdiff_t>(end), ' '));
}

bool balanced(std::string_view text) {
    int round = 0, quotes = 0;
    for (const char c : text) {
        round += c == '(' ? 1 : c == ')' ? -1 : 0;
        quotes += c == '"' ? 1 : 0;
    }
    const auto count = [&](std::string_view what) {
        int n = 0;
        for (size_t at = text.find(what); at != std::string_view::npos; at = text.find(what, at + 1)) ++n;
        return n;
    };
    return round == 0 && quotes % 2 == 0 && count("“") == count("”");
}

void list_openers(const EditContext& context, const Sentence& s, std::vector<Edit>& out) {
    for (const auto& opener : context.rules.removable_openers) {
        const size_t n = opener.size();
        if (s.size() < n + 3) continue;
        bool same = true;
        for (size_t k = 0; same && k < n; ++k) same = s.word(k) == opener[k];
        if (!same) continue;
        const bool comma = s.text()[s.end_of(n - 1)] == ',';
        if (!comma &&
            !(n == 1 && s.tight(0) && (opener[0] == "and" || opener[0] == "but" || opener[0] == "so" || opener[0] == "yet")))
            continue;
        out.push_back({kShrink, 1, {s.without(0, s.end_of(n - 1) + (comma ? 1 : 0))}, 1});
        return;
    }
    // "In the middle of winter, it ..."
    if (s.size() < 6 || !context.rules.function_words.contains(s.word(0)) || context.rules.pronouns.contains(s.word(0)) ||
        context.rules.determiners.contains(s.word(0)))
        return;
    const size_t comma = s.text().find(", ");
    if (comma == std::string::npos) return;
    const size_t words = blanks_between(s.text(), 0, comma) + 1,
                 rest = blanks_between(s.text(), comma + 2, s.text().size()) + 1;
    if (words > 14 || rest < 4 || !balanced(std::string_view(s.text()).substr(0, comma))) return;
    out.push_back({kShrink, 2 + 0.8 * static_cast<double>(words), {s.without(0, comma + 1)}, 1});
}

using Words = std::vector<std::string_view>;
const Words kDashes = {"-", "--", "—", "–"};
const Words kNextClauses = {"and",   "but", "because", "when",  "which", "who", "before",
                            "after", "if",  "where",   "while", "until", "as"};
const Words kVerbs = {"that",  "is",  "was",   "are", "were", "has",    "had", "have", "will",
                      "would", "can", "could", "may", "must", "should", "do",  "does", "did"};

// Whether one of the words stands between the blank at `at` and the next one.
bool follows_blank(std::string_view text, size_t at, const Words& words) {
    const size_t end = text.find(' ', at + 1);
    if (end == std::string_view::npos) return false;
    return std::find(words.begin(), words.end(), text.substr(at + 1, end - at - 1)) != words.end();
}

// The blank in [from, stop) before the first of the words; `stop` if there is none.
size_t first_of(std::string_view text, size_t from, size_t stop, const Words& words) {
    for (size_t at = text.find(' ', from); at < stop; at = text.find(' ', at + 1))
        if (follows_blank(text, at, words)) return at;
    return stop;
}

// The first mark in [from, stop) that ends a clause; `stop` if there is none.
size_t first_mark(std::string_view text, size_t from, size_t stop) {
    for (size_t at = text.find_first_of(",;\n ", from); at < stop; at = text.find_first_of(",;\n ", at + 1)) {
        if (text[at] == '\n' || (text[at] == ' ' && follows_blank(text, at, kDashes))) return at;
        if ((text[at] == ',' || text[at] == ';') && at + 1 < text.size() && text[at + 1] == ' ') return at;
    }
    return stop;
}

// Where the clause that starts at `from` ends; npos if it holds the subject of what follows.
size_t clause_end(const Sentence& s, const std::string& marker, size_t from, bool loose) {
    for (const char* coordinator : {", and ", ", but ", ", so ", ", yet ", ", or ", "; "})
        if (marker == coordinator) return s.body_end();
    const std::string_view text = s.text();
    size_t stop = first_mark(text, from, s.body_end());
    if (!loose) return stop;
    stop = first_of(text, from, stop, kNextClauses);
    return first_of(text, from - 1, stop, kVerbs) < stop ? std::string_view::npos : stop;
}

// A sentence does not end in a preposition or an article.
bool may_end_before(const EditContext& context, std::string_view text, size_t at) {
    if (at == 0 || text[at - 1] == ',') return false;
    size_t begin = at;
    while (begin > 0 && text[begin - 1] != ' ') --begin;
    const std::string word = ascii_lower(text.substr(begin, at - begin));
    for (const char* be :
         {" is ", " are ", " was ", " were ", " be ", " been "})  // "are nevertheless in favour": not the end
        if (text.substr(0, begin).ends_with(be) && !word.ends_with("ed") && !word.ends_with("en")) return false;
    return !context.rules.function_words.contains(word) ||
           (context.rules.pronouns.contains(word) && !context.rules.determiners.contains(word));
}

// The pairs of neighbouring characters of a text: tells at once that most markers are not in it.
class CharacterPairs {
public:
    explicit CharacterPairs(std::string_view text) {
        for (size_t i = 0; i + 1 < text.size(); ++i) pairs_.set(slot(text, i));
    }
    bool may_hold(std::string_view part) const {
        for (size_t i = 0; i + 1 < part.size(); ++i)
            if (!pairs_[slot(part, i)]) return false;
        return true;
    }

private:
    static size_t slot(std::string_view text, size_t i) {
        return static_cast<unsigned char>(text[i]) % 64U * 64U + static_cast<unsigned char>(text[i + 1]) % 64U;
    }
    std::bitset<4096> pairs_;
};

void list_clauses(const EditContext& context, const Sentence& s, std::vector<Edit>& out) {
    const std::string_view text = s.text();
    const CharacterPairs pairs(text);
    const size_t end_of_text = s.body_end();
    for (const auto& marker : context.rules.clauses) {
        if (!pairs.may_hold(marker)) continue;
        const bool loose = marker[0] == ' ' && marker[1] >= 'a' && marker[1] <= 'z';  // no comma before it
        for (size_t at = text.find(marker); at != std::string_view::npos; at = text.find(marker, at + 1)) {
            if (at + marker.size() >= end_of_text) break;
            const size_t stop = clause_end(s, marker, at + marker.size(), loose);
            if (stop == std::string_view::npos || !may_end_before(context, text, at)) continue;
            const bool relative = marker.starts_with(", wh");
            const size_t words = blanks_between(text, at + 1, stop) + 1;
            const size_t before = blanks_between(text, 0, at) + 1;
            if (before < 3 || words < 2 || (loose && words > 9)) continue;
            if (!balanced(text.substr(at, stop - at))) continue;
            const size_t end = relative && stop < end_of_text && text[stop] == ',' ? stop + 1 : stop;
            const double cost = (loose ? 3.5 : 2) + 0.8 * static_cast<double>(words);
            out.push_back({kShrink, cost, {s.without(at, end)}, 1});
        }
    }
    const size_t open = text.find(" ("), close = open == std::string_view::npos ? open : text.find(')', open);
    if (close != std::string_view::npos && open > 0)
        out.push_back({kShrink,
                       2 + 0.5 * static_cast<double>(blanks_between(text, open + 1, close)),
                       {s.without(open, close + 1)},
                       1});
}

bool is_adverb(const EditContext& context, const Sentence& s, size_t i) {
    const auto word = s.word(i);
    if (word.size() < 5 || !word.ends_with("ly") || s.capital(i) || context.rules.not_adverbs.contains(word)) return false;
    if (i == 0) return false;
    const auto before = s.word(i - 1);
    for (const char* no : {"so", "too", "very", "how", "as", "more", "most", "less", "not"})
        if (before == no) return false;
    for (const char* be : {"is", "are", "was", "were", "be", "been", "and", "or"})
        if (before == be && !s.tight(i)) return false;
    return true;
}

bool is_adjective(const EditContext& context, const Sentence& s, size_t i) {
    if (i == 0 || !s.tight(i - 1) || !s.tight(i) || s.capital(i) || s.capital(i + 1)) return false;
    const auto word = s.word(i), next = s.word(i + 1);
    if (!context.rules.determiners.contains(s.word(i - 1)) || context.rules.function_words.contains(next)) return false;
    if (context.rules.plain_words.contains(word)) return true;
    for (const char* suffix : {"al", "ful", "ous", "ive", "ic", "less", "able", "ible", "ish", "ary", "ern"})
        if (word.size() > 5 && word.ends_with(suffix)) return true;
    return false;
}

}  // namespace

void list_omissions(const EditContext& context, const Sentence& s, std::vector<Edit>& out) {
    list_openers(context, s, out);
    if (s.size() < 4) return;
    for (size_t i = 0; i < s.size(); ++i) {
        if (is_adverb(context, s, i)) out.push_back({kShrink, 1.6, {s.replaced(i, 1, "")}, 1});
        if (is_adjective(context, s, i)) out.push_back({kShrink, 2.5, {s.replaced(i, 1, "")}, 1});
    }
    list_clauses(context, s, out);
}

}  // namespace craft
