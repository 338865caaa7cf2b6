// Appositions and opening participles: "X, a Y," and "Built in 1841, X" become "X is a Y" and "X was built in 1841".
#include <algorithm>

#include "english/listed_words.h"
#include "simplify/set_off_parts.h"
#include "simplify/split_operations.h"

namespace craft {

namespace {

// Nouns that sum up what was said before them: ", a practice that ..." tells of no other noun.
bool sums_up(const std::string& lemma) {
    return listed_words("summary_nouns").contains(lemma);
}

struct Apposition {
    size_t head = 0, noun = 0;
    std::vector<size_t> tokens, places;
    bool is_summary = false;
};

// "by tanker", "in shadow": nothing tells which one.
bool is_bare(const ParsedSentence& s, size_t noun) {
    return s[noun].tag == "NN" && !s.has_child(noun, {"det", "poss", "nummod"});
}

std::optional<Apposition> apposition_at(const ParsedSentence& s, const SplitPiece& piece, size_t token) {
    Apposition found{token, s[token].head, set_off_apposition(s, piece.words, token), {}, false};
    if (found.tokens.empty()) return std::nullopt;
    found.places = places_of(piece.words, found.tokens);
    const std::optional<size_t> subject = s.subject(piece.verb);
    found.is_summary = s[found.tokens.front()].lower != "the" && ends_at(piece.words, found.places.back() + 1) &&
                       (sums_up(s[token].lemma) || is_bare(s, found.noun)) &&
                       !(subject && s.is_within(*subject, found.noun));
    return found;
}

// Whether `token` stands within a phrase that the noun has and may itself be what is spoken of: one with "of", or a name.
bool is_after_of(const ParsedSentence& s, size_t noun, size_t token) {
    const bool is_name = token != PieceWord::kPutIn && s[token].tag.starts_with("NNP");
    return std::any_of(s.children(noun).begin(), s.children(noun).end(), [&](size_t one) {
        return s[one].dep == "prep" && (s[one].lower == "of" || is_name) && token != PieceWord::kPutIn &&
               s.is_within(token, one);
    });
}

PieceWords statement(const ParsedSentence& s, PieceWords who, const std::string& be, const std::vector<size_t>& tokens) {
    who.push_back(put_in(be));
    return joined(std::move(who), trimmed(words_of(s, tokens)));
}

SplitPieces told_after(const ParsedSentence& s, const SplitPiece& piece, const Apposition& found, const NounReference& noun,
                       const std::string& be) {
    SplitPiece rest = piece;
    rest.words = without(piece.words, found.tokens, opens_sentence(s, piece, found.tokens));
    return std::vector<SplitPiece>{rest, {statement(s, {put_in(noun.subject)}, be, found.tokens), found.head, noun, true}};
}

SplitPieces apposition_apart(const ParsedSentence& s, const SplitPiece& piece, const Apposition& found) {
    const bool past = s.is_past(piece.verb);
    if (found.is_summary) {
        SplitPiece rest = piece;
        rest.words = without(piece.words, found.tokens, false);
        const PieceWords words = statement(s, {put_in("this")}, past ? "was" : "is", found.tokens);
        return std::vector<SplitPiece>{
            rest, {words, found.head, NounReference{"this", "this", "its", GrammaticalNumber::singular}}};
    }
    // In "the collapse of the roof, a canopy of wood," either noun may be meant.
    const size_t before = piece.words[found.places.front() - 2].token;
    if (before != found.noun && s.has_child(found.noun, {"prep"}) && s.number(found.noun) == GrammaticalNumber::singular &&
        !s[found.noun].tag.starts_with("NNP") && is_after_of(s, found.noun, before))
        return std::nullopt;
    const std::optional<NounReference> named = refer_to(s, found.noun, /*pronoun=*/false);
    const std::optional<std::string> be = named ? copula(named->number, past) : std::nullopt;
    if (!be || s.number(found.head) != named->number) return std::nullopt;
    if (s.subject(piece.verb) == found.noun)
        if (SplitPieces pieces = told_of_subject(s, piece, found.tokens, found.head, statement(s, {}, *be, found.tokens)))
            return pieces;
    return told_after(s, piece, found, *named, *be);
}

}  // namespace

SplitPieces split_apposition(const ParsedSentence& s, const SplitPiece& piece) {
    for (const PieceWord& word : piece.words) {
        if (word.token == PieceWord::kPutIn || word.token == piece.verb) continue;
        const std::optional<Apposition> found = apposition_at(s, piece, word.token);
        if (!found) continue;
        if (SplitPieces pieces = apposition_apart(s, piece, *found)) return pieces;
    }
    return std::nullopt;
}

namespace {

// "Built in 1841, the mill ...": the places of the participle's words at the beginning and of the subject's after the
// comma.
struct OpeningParticiple {
    size_t verb = 0, first = 0;
    size_t end = 0;  // of its words
    size_t subject_begin = 0, subject_end = 0;
};

std::optional<OpeningParticiple> opening_participle(const ParsedSentence& s, const SplitPiece& piece, size_t verb,
                                                    size_t subject) {
    if (s[verb].dep != "advcl" || s[verb].tag != "VBN" || verb > subject) return std::nullopt;
    const std::vector<size_t> tokens = s.subtree(verb), places = places_of(piece.words, tokens);
    if (places.size() != tokens.size() || places.front() != 0) return std::nullopt;
    const size_t first = tokens.front();
    if (s.has_child(verb, {"mark", "nsubj", "nsubjpass", "aux"}) && s[first].lower != "having") return std::nullopt;
    if (is_one_of(s[first].tag, {"WRB", "IN"})) return std::nullopt;  // "when asked": of a time, not of the subject
    const std::vector<size_t> phrase = s.subtree(subject), who = places_of(piece.words, phrase);
    const size_t end = places.back() + 1;
    const bool follows = end < piece.words.size() && is_comma(piece.words[end]) && who.size() == phrase.size() &&
                         who.front() == end + 1 && who.back() + 1 < piece.words.size() &&
                         !is_comma(piece.words[who.back() + 1]);
    if (!follows) return std::nullopt;
    return OpeningParticiple{verb, first, end, who.front(), who.back() + 1};
}

// The verb that makes a statement of the participle; none where it would say another thing.
std::optional<std::string> verb_before(const ParsedSentence& s, const SplitPiece& piece, const OpeningParticiple& found,
                                       const NounReference& again) {
    const bool is_past = s.is_past(piece.verb);
    const bool past = is_past || !is_lasting_state(s[found.verb].lemma);
    // "Viewed from afar, it looks small" tells of whenever somebody does.
    if (past && !is_past && !s.has_child(found.verb, {"agent"})) return std::nullopt;
    if (s[found.first].lower != "having") return copula(again.number, past);
    return is_past ? std::optional<std::string>("had") : std::nullopt;
}

}  // namespace

SplitPieces split_opening_participle(const ParsedSentence& s, const SplitPiece& piece) {
    const std::optional<size_t> subject = s.subject(piece.verb);
    if (!subject || piece.subject || !holds(piece.words, *subject) || piece.words.front().token == PieceWord::kPutIn)
        return std::nullopt;
    for (const size_t verb : s.children(piece.verb)) {
        const std::optional<OpeningParticiple> found = opening_participle(s, piece, verb, *subject);
        const std::optional<NounReference> again = found ? refer_to(s, *subject, /*pronoun=*/true) : std::nullopt;
        const std::optional<std::string> be = again ? verb_before(s, piece, *found, *again) : std::nullopt;
        if (!be) continue;
        PieceWords first = trimmed(part(piece.words, found->subject_begin, found->subject_end));
        first.push_back(put_in(*be));
        const bool having = *be == "had";
        PieceWords said = trimmed(part(piece.words, having ? 1 : 0, found->end));
        if (!having && !said.empty() && said.front().token == s.begin()) said.front().text = s[said.front().token].lower;
        first = joined(std::move(first), said);
        PieceWords second = trimmed(part(piece.words, found->subject_end, piece.words.size()));
        return std::vector<SplitPiece>{{first, verb, again}, {joined({put_in(again->subject)}, second), piece.verb, again}};
    }
    return std::nullopt;
}

}  // namespace craft
