// Clauses and predicates that "and", "but", "so" or a semicolon joins.
#include <algorithm>

#include "simplify/split_operations.h"
#include "text/utf8.h"

namespace craft {

namespace {

// A word that makes the first clause need the second one, or hold for both.
bool binds_clauses(const ParsedSentence& s, size_t verb) {
    bool negated = false, only = false;
    for (const size_t one : s.children(verb)) {
        const std::string& word = s[one].lower;
        if (is_one_of(s[one].dep, {"preconj"}) || is_one_of(word, {"either", "neither", "both"})) return true;
        negated = negated || s[one].dep == "neg";
        only = only || is_one_of(word, {"only", "just", "merely", "simply"});
        if (s[one].dep == "advcl" && one < verb)
            for (const size_t mark : s.children(one))
                if (s[mark].dep == "mark" && is_one_of(s[mark].lower, {"if", "unless", "once"})) return true;
    }
    return negated && only;
}

// "and": nothing; "but", "yet": "But"; "so": "So".
std::optional<PieceWords> opening_of(const std::string& conjunction) {
    if (conjunction == "and" || conjunction == ";") return PieceWords();
    if (conjunction == "but" || conjunction == "yet") return PieceWords{put_in("But")};
    if (conjunction == "so") return PieceWords{put_in("So")};
    return std::nullopt;
}

// The auxiliaries that the second predicate shares with the first: "was built and (was) closed". Absent: it does not stand.
std::optional<PieceWords> shared_auxiliaries(const ParsedSentence& s, size_t verb, size_t second) {
    // "were assigned and flogged": taggers take the second one for a past tense, too.
    const bool passive = s.has_child(verb, {"auxpass"}) && s[second].tag == "VBD" && s[second].lower.ends_with("ed") &&
                         !s.has_child(second, {"dobj", "aux", "auxpass"});
    if (!passive && s.finite_word(second)) return PieceWords();
    if (s.has_child(second, {"aux", "auxpass"}) || s.is_negated(verb)) return std::nullopt;
    PieceWords words;
    for (const size_t one : s.children(verb))
        if (one < verb && is_one_of(s[one].dep, {"aux", "auxpass"})) words.push_back({s[one].text, one});
    if (words.empty()) return std::nullopt;
    const std::string tag = passive ? "VBN" : s[second].tag;
    const std::string& last = s[words.back().token].lemma;
    const bool fits = tag == "VBN" ? is_one_of(last, {"be", "have"}) : tag == "VBG" ? last == "be" : tag == "VB";
    // In "may require her to sit and strike" the second one belongs to the infinitive.
    const bool same = s[verb].tag == tag && !(tag == "VB" && s.has_child(verb, {"xcomp", "ccomp"}));
    if (!fits || !same) return std::nullopt;
    for (PieceWord& word : words) word = put_in(word.text);
    return words;
}

std::optional<SplitPiece> second_clause(const ParsedSentence& s, const SplitPiece& piece, size_t verb,
                                        const PieceWords& words, PieceWords opening) {
    SplitPiece made{{}, verb, std::nullopt, opening.empty()};
    if (s.subject(verb) || s.has_child(verb, {"csubj"})) {
        if (!s.finite_word(verb)) return std::nullopt;
        made.words = joined(std::move(opening), words);
        return made;
    }
    const std::optional<NounReference> subject = subject_reference(s, piece, /*pronoun=*/true);
    const std::optional<PieceWords> auxiliaries = shared_auxiliaries(s, piece.verb, verb);
    if (!subject || !auxiliaries || !s.agrees(verb, subject->number)) return std::nullopt;
    opening.push_back(put_in(subject->subject));
    made.words = joined(joined(std::move(opening), *auxiliaries), words);
    made.subject = subject;
    return made;
}

}  // namespace

SplitPieces split_coordination(const ParsedSentence& s, const SplitPiece& piece) {
    const size_t verb = piece.verb;
    const std::optional<size_t> conjunction = s.child(verb, {"cc"}), second = s.child(verb, {"conj"});
    if (!conjunction || !second || *second < *conjunction || !s.is_verb(*second)) return std::nullopt;
    if (!holds(piece.words, *conjunction) || binds_clauses(s, verb)) return std::nullopt;
    const std::optional<PieceWords> opening = opening_of(s[*conjunction].lower);
    const std::vector<size_t> places = places_of(piece.words, s.subtree(*second)),
                              cc = places_of(piece.words, {*conjunction});
    if (!opening || places.empty() || cc.empty() || cc.front() > places.front()) return std::nullopt;
    // Both predicates may share what comes after the second one ("designed and built the bridge").
    const std::vector<size_t> at_verb = places_of(piece.words, {verb});
    if (!ends_at(piece.words, places.back() + 1) || at_verb.empty() || at_verb.front() + 1 >= cc.front())
        return std::nullopt;
    const PieceWords words = trimmed(part(piece.words, places.front(), places.back() + 1));
    const std::optional<SplitPiece> made = second_clause(s, piece, *second, words, *opening);
    if (!made) return std::nullopt;
    SplitPiece first = piece;
    first.words = trimmed(part(piece.words, 0, cc.front()));
    return std::vector<SplitPiece>{first, *made};
}

SplitPieces split_at_semicolon(const ParsedSentence& s, const SplitPiece& piece) {
    const auto found =
        std::find_if(piece.words.begin(), piece.words.end(), [](const PieceWord& word) { return word.text == ";"; });
    if (found == piece.words.end()) return std::nullopt;
    std::vector<SplitPiece> halves(2);
    halves[0].words.assign(piece.words.begin(), found);
    halves[1].words.assign(found + 1, piece.words.end());
    for (SplitPiece& half : halves) {
        // The half's main verb depends on nothing within it.
        const auto is_main = [&](const PieceWord& word) {
            return word.token != PieceWord::kPutIn && (s.is_root(word.token) || !holds(half.words, s[word.token].head)) &&
                   s.is_verb(word.token) && s.subject(word.token) && s.finite_word(word.token);
        };
        const auto main = std::find_if(half.words.begin(), half.words.end(), is_main);
        if (main == half.words.end()) return std::nullopt;
        half.verb = main->token;
    }
    halves[0].subject = piece.verb == halves[0].verb ? piece.subject : std::nullopt;
    return halves;
}

}  // namespace craft
