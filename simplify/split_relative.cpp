// Relative clauses: "X, who ...," becomes "X ... X ...".
#include <algorithm>

#include "simplify/split_operations.h"

namespace craft {

namespace {

struct Relative {
    size_t verb = 0, noun = 0;
    std::vector<size_t> tokens, places;
    bool is_apart = false;  // after a comma: it says more of something that is known
};

bool starts_with_comma(const PieceWords& words, const std::vector<size_t>& places) {
    return places.front() > 0 && is_comma(words[places.front() - 1]);
}

std::optional<Relative> relative_at(const ParsedSentence& s, const SplitPiece& piece, size_t verb) {
    Relative found{verb, s[verb].head, s.subtree(verb), {}, false};
    if (s[verb].dep != "relcl" || found.noun > verb || !holds(piece.words, found.noun) || !s.finite_word(verb))
        return std::nullopt;
    found.places = places_of(piece.words, found.tokens);
    if (found.places.size() != found.tokens.size()) return std::nullopt;  // a part of it was split off before
    found.is_apart = starts_with_comma(piece.words, found.places);
    // What follows without a comma belongs to the clause, whatever the parse says ("so rare that").
    const size_t behind = found.places.back() + 1;
    if (found.is_apart && !ends_at(piece.words, behind) && !is_comma(piece.words[behind])) return std::nullopt;
    return found;
}

// "a house that ..." names a house; "houses that ..." and "the house that ..." say which ones are meant.
bool introduces_its_noun(const ParsedSentence& s, const SplitPiece& piece, const Relative& clause) {
    const std::optional<size_t> article = s.child(clause.noun, {"det"}), subject = s.subject(piece.verb);
    // A statement that an apposition became says what somebody is: "a midwife who ...".
    if (clause.noun == piece.verb) return false;
    if (!article || !is_one_of(s[*article].lower, {"a", "an"}) || !ends_at(piece.words, clause.places.back() + 1))
        return false;
    if (s.is_negated(piece.verb) || s.is_negated(clause.verb)) return false;
    if (is_one_of(s[clause.noun].lemma,
                  {"kind", "sort", "type", "way", "lot", "number", "time", "reason", "manner", "degree"}))
        return false;
    if (const std::optional<size_t> finite = s.finite_word(clause.verb);
        is_one_of(s[*finite].lower, {"would", "could", "might", "should"}))
        return false;
    // After a comma it says again what another noun or a whole clause said: no parse made an apposition of it.
    const size_t start = s.subtree(clause.noun).front();
    if (start > s.begin() && s[start - 1].text == ",") return false;
    const bool is_cleft = subject && s[*subject].lower == "it" && s[piece.verb].lemma == "be";
    return !is_cleft && (!subject || refer_to(s, *subject, true) || piece.subject);
}

bool is_main_subject(const ParsedSentence& s, const SplitPiece& piece, size_t noun) {
    return s.subject(piece.verb) == noun;
}

// "which were held at night and whose teachers ...": the second half has a relative word of its own.
bool is_joined_to_relative(const ParsedSentence& s, size_t verb) {
    const std::optional<size_t> joined = s.child(verb, {"conj"});
    if (!joined) return false;
    const std::vector<size_t> tokens = s.subtree(*joined);
    return is_one_of(s[tokens.front()].tag, {"WDT", "WP", "WP$", "WRB", "IN"});
}

// What the clause speaks of, as it is named where the clause stands alone.
std::optional<NounReference> named_in_clause(const ParsedSentence& s, const SplitPiece& piece, const Relative& clause) {
    // In "the vote in Thornby, which was close, ..." either noun may be meant.
    const std::optional<size_t> main = s.subject(piece.verb);
    if (clause.is_apart && main && *main != clause.noun && s.is_within(clause.noun, *main)) return std::nullopt;
    std::optional<NounReference> noun = refer_to(s, clause.noun, is_main_subject(s, piece, clause.noun));
    if (noun && s[clause.noun].tag == "NN" && noun->subject == bare_noun(s, clause.noun) && s.is_past(clause.verb))
        noun = NounReference{"the " + noun->subject, "the " + noun->object, "the " + noun->possessive, noun->number};
    return noun;
}

// "who taught": whether a statement with the noun in its place is one of it.
bool may_be_subject(const ParsedSentence& s, const Relative& clause, const NounReference& noun) {
    if (!s.agrees(clause.verb, noun.number)) return false;
    // "a spinster of great wit, who taught": nobody is called wit, and no river is a who.
    const bool is_stuff = s[clause.noun].tag == "NN" && !s.has_child(clause.noun, {"det", "poss", "nummod"});
    const bool is_place = is_one_of(s[clause.noun].entity, {"GPE", "LOC", "FAC", "ORG"});
    return s[clause.tokens.front()].lower != "who" || (!is_stuff && !is_place);
}

// "which she built in May": the noun comes after the verb and its particle.
PieceWords with_object(const ParsedSentence& s, const Relative& clause, const NounReference& noun, const PieceWords& rest) {
    const bool is_thing = s[clause.tokens.front()].lower == "which" && noun.number == GrammaticalNumber::singular;
    const size_t behind = std::max(clause.verb, s.child(clause.verb, {"prt"}).value_or(0));
    PieceWords words;
    for (const PieceWord& word : rest) {
        words.push_back(word);
        if (word.token == behind) words.push_back(put_in(is_thing ? "it" : noun.object));
    }
    return words;
}

// The clause's words with its relative word replaced.
std::optional<SplitPiece> clause_alone(const ParsedSentence& s, const SplitPiece& piece, const Relative& clause) {
    const std::optional<NounReference> noun = named_in_clause(s, piece, clause);
    const std::optional<size_t> subject = s.subject(clause.verb);
    if (!noun || !subject || is_joined_to_relative(s, clause.verb)) return std::nullopt;
    const PieceWords words = words_of(s, clause.tokens), rest = part(words, 1, words.size());
    SplitPiece made{{}, clause.verb, std::nullopt, true};
    const size_t first = clause.tokens.front();
    const bool is_verbs = s[first].head == clause.verb;
    if (*subject == first && s.is_lower(first, {"who", "which", "that"})) {
        if (!may_be_subject(s, clause, *noun)) return std::nullopt;
        made.words = joined({put_in(noun->subject)}, rest);
        made.subject = noun;
    } else if (s[first].lower == "whose" && s[first].head == *subject) {
        made.words = joined({put_in(noun->possessive)}, rest);
    } else if (s.is_lower(first, {"which", "whom"}) && s[first].dep == "dobj" && is_verbs && clause.is_apart &&
               !s.has_child(clause.verb, {"conj"})) {
        made.words = with_object(s, clause, *noun, rest);
    } else if (s[first].lower == "where" && is_verbs && clause.is_apart) {
        made.words = joined({put_in("there")}, rest);
    } else {
        return std::nullopt;
    }
    return made;
}

// ", accustomed to such noise," : a participle that tells what its noun was.
std::optional<SplitPiece> participle_alone(const ParsedSentence& s, const SplitPiece& piece, size_t verb, Relative& found) {
    if (s[verb].dep != "acl" || s[verb].tag != "VBN" || s.has_child(verb, {"aux", "auxpass", "nsubj", "mark"}))
        return std::nullopt;
    found = {verb, s[verb].head, s.subtree(verb), {}, false};
    found.places = places_of(piece.words, found.tokens);
    if (found.places.size() != found.tokens.size() || found.noun > found.tokens.front() || !holds(piece.words, found.noun) ||
        !starts_with_comma(piece.words, found.places))
        return std::nullopt;
    const size_t end = found.places.back() + 1;
    if (!ends_at(piece.words, end) && !is_comma(piece.words[end])) return std::nullopt;
    // In "the fear of parties, fed by ..." either noun may be meant, and after "that was buried and" it is no sentence.
    if (s[found.noun].dep == "pobj" && s[s[s[found.noun].head].head].tag.starts_with("NN")) return std::nullopt;
    if (s.has_child(found.noun, {"cc", "relcl"})) return std::nullopt;
    if (is_one_of(s[found.tokens.front()].lower, {"however", "though", "although", "if", "when", "while", "as", "albeit"}))
        return std::nullopt;
    // Its noun stands right before the comma, or what depends on the noun does.
    const size_t before = found.places.front() < 2 ? PieceWord::kPutIn : piece.words[found.places.front() - 2].token;
    if (before == PieceWord::kPutIn || !s.is_within(before, found.noun)) return std::nullopt;
    const std::optional<NounReference> noun = refer_to(s, found.noun, is_main_subject(s, piece, found.noun));
    const bool past = s.is_past(piece.verb) || !is_lasting_state(s[verb].lemma);
    // "Cabbage, steeped in water, turns blue": whenever it is.
    if (past && !s.is_past(piece.verb) && s[found.noun].tag == "NN" && !s.has_child(found.noun, {"det", "poss"}))
        return std::nullopt;
    const std::optional<std::string> be = noun ? copula(noun->number, past) : std::nullopt;
    if (!be) return std::nullopt;
    return SplitPiece{joined({put_in(noun->subject), put_in(*be)}, words_of(s, found.tokens)), verb, noun, true};
}

}  // namespace

SplitPieces split_relative_clause(const ParsedSentence& s, const SplitPiece& piece) {
    for (const PieceWord& word : piece.words) {
        if (word.token == PieceWord::kPutIn || word.token == piece.verb) continue;
        std::optional<Relative> clause = relative_at(s, piece, word.token);
        std::optional<SplitPiece> alone;
        if (clause && (clause->is_apart || introduces_its_noun(s, piece, *clause))) alone = clause_alone(s, piece, *clause);
        if (!clause) {
            clause.emplace();
            alone = participle_alone(s, piece, word.token, *clause);
        }
        if (!alone) continue;
        if (alone->subject && is_main_subject(s, piece, clause->noun)) {
            const PieceWords said = part(alone->words, 1, alone->words.size());
            if (SplitPieces pieces = told_of_subject(s, piece, clause->tokens, clause->verb, said)) return pieces;
        }
        SplitPiece rest = piece;
        rest.words = without(piece.words, clause->tokens, opens_sentence(s, piece, clause->tokens));
        return std::vector<SplitPiece>{rest, *alone};
    }
    return std::nullopt;
}

}  // namespace craft
