// Clauses with because, although, while, whereas, when, after, before and since: each becomes a sentence, with a word that
// keeps what joined the two.
#include <algorithm>

#include "simplify/split_operations.h"

namespace craft {

namespace {

struct Subordinate {
    size_t verb = 0, mark = 0;
    std::vector<size_t> tokens, places;
    std::string conjunction;  // "because"
    bool opens = false;       // it stands before the main clause; else after it
};

// What is put before the second sentence, and whether the clause is that second one.
struct Joint {
    std::vector<std::string> before_second;
    bool clause_is_second = false;
};

bool narrows(const std::string& word) {
    return is_one_of(word, {"only",   "just",   "not",       "especially", "particularly", "partly", "largely",
                            "mainly", "simply", "even",      "shortly",    "soon",         "long",   "ever",
                            "merely", "except", "precisely", "right",      "immediately",  "days",   "weeks",
                            "months", "years",  "hours",     "minutes",    "moments",      "that",   "as"});
}

std::optional<Subordinate> subordinate_at(const ParsedSentence& s, const SplitPiece& piece, size_t verb) {
    Subordinate found{verb, 0, s.subtree(verb), {}, "", false};
    const std::optional<size_t> mark = s.child(verb, {"mark"});
    const size_t first = found.tokens.front();
    const bool when = s[first].lower == "when" && s[first].head == verb;
    if (!mark && !when) return std::nullopt;
    found.mark = mark.value_or(first);
    found.conjunction = s[found.mark].lower;
    const bool even = s[first].lower == "even" && found.mark == first + 1 && found.conjunction == "though";
    if (found.mark != first && !even) return std::nullopt;
    const std::optional<size_t> subject = s.subject(verb);
    if (!subject || !s.finite_word(verb) || !holds(piece.words, first)) return std::nullopt;
    found.places = places_of(piece.words, found.tokens);
    if (found.places.size() != found.tokens.size()) return std::nullopt;
    found.opens = found.places.front() == 0;
    if (!found.opens && !ends_at(piece.words, found.places.back() + 1)) return std::nullopt;
    if (!found.opens && narrows(piece.words[found.places.front() - 1].text)) return std::nullopt;
    return found;
}

bool has_perfect(const ParsedSentence& s, size_t verb) {
    for (const size_t one : s.children(verb))
        if (s[one].dep == "aux" && s[one].lemma == "have") return true;
    return false;
}

bool is_state(const ParsedSentence& s, size_t verb) {
    return is_one_of(s[verb].lemma, {"be", "have", "seem", "remain", "know", "stand", "lie", "live"});
}

// "when it rains" is no time that was; "when it rained" may be one.
bool both_past(const ParsedSentence& s, const SplitPiece& piece, size_t verb) {
    const auto told = [&](size_t one) {
        const std::optional<size_t> finite = s.finite_word(one);
        return finite && s[*finite].tag == "VBD" && !s.is_negated(one);
    };
    return told(piece.verb) && told(verb);
}

std::optional<Joint> joint_of(const ParsedSentence& s, const SplitPiece& piece, const Subordinate& clause) {
    const std::string& word = clause.conjunction;
    const size_t told_by = s.finite_word(piece.verb) ? piece.verb : clause.verb;  // a participle has no tense
    const bool comma = !clause.opens && is_comma(piece.words[clause.places.front() - 1]);
    if (word == "because" || (word == "since" && (clause.opens || comma) && !has_perfect(s, piece.verb)))
        return clause.opens ? Joint{{"So"}, false} : Joint{{"This", s.is_past(told_by) ? "was" : "is", "because"}, true};
    if (is_one_of(word, {"although", "though"})) return Joint{{"But"}, false};
    if (word == "whereas") return Joint{{"But"}, !clause.opens};
    if (word == "while" && (clause.opens || comma)) return Joint{{"Meanwhile", ","}, !clause.opens};
    if (!both_past(s, piece, clause.verb)) return std::nullopt;
    if (word == "when") return is_state(s, piece.verb) ? Joint{{"At", "that", "time", ","}, false} : Joint{{"Then"}, false};
    if (word == "after") return Joint{{"After", "that", ","}, false};
    if (word == "before" && !clause.opens && !has_perfect(s, clause.verb) && !is_state(s, piece.verb))
        return Joint{{"Then"}, true};
    return std::nullopt;
}

bool is_third_person(const std::string& lower) {
    return is_one_of(lower,
                     {"it", "its", "they", "their", "them", "he", "his", "him", "she", "her", "itself", "themselves"});
}

// Whether a pronoun among these words, but for the one at `except`, may mean something that stands in the other clause: no
// noun is before it.
bool looks_elsewhere(const ParsedSentence& s, const PieceWords& words, size_t except, bool any) {
    for (const PieceWord& word : words) {
        if (word.token == PieceWord::kPutIn || word.token == except) continue;
        if (is_third_person(s[word.token].lower)) return true;
        if (!any && s[word.token].tag.starts_with("NN")) return false;
    }
    return false;
}

// Puts `words` in the place of a subject's whole phrase; empty: it does not stand in one piece.
PieceWords with_subject(const ParsedSentence& s, const PieceWords& clause, size_t subject, const PieceWords& words) {
    const std::vector<size_t> places = places_of(clause, s.subtree(subject));
    if (places.empty()) return {};
    return joined(joined(part(clause, 0, places.front()), words), part(clause, places.back() + 1, clause.size()));
}

// Where the clause, told first, has a pronoun for the main clause's subject, the two change places. False: what its pronouns
// mean would come too late.
bool settle_pronouns(const ParsedSentence& s, const SplitPiece& piece, const Subordinate& clause, PieceWords& told,
                     PieceWords& main, std::optional<NounReference>& main_subject) {
    const size_t subject = *s.subject(clause.verb);
    const bool pronoun = is_third_person(s[subject].lower);
    if (looks_elsewhere(s, told, subject, !clause.opens)) return false;
    if (!pronoun) return true;
    const std::optional<size_t> named = s.subject(piece.verb);
    if (!named || piece.subject || s[*named].tag == "PRP" || !holds(main, *named)) return false;
    const std::optional<NounReference> again = personal_pronoun(s[subject].lower);
    if (!again || s.number(*named) != again->number || !s[*named].tag.starts_with("NN")) return false;
    const std::vector<size_t> phrase = s.subtree(*named);
    if (places_of(main, phrase).size() != phrase.size()) return false;
    PieceWords swapped = with_subject(s, told, subject, words_of(s, phrase));
    PieceWords rest = with_subject(s, main, *named, {put_in(again->subject)});
    if (swapped.empty() || rest.empty()) return false;
    told = std::move(swapped);
    main = std::move(rest);
    main_subject = again;
    return true;
}

}  // namespace

SplitPieces split_subordinate(const ParsedSentence& s, const SplitPiece& piece) {
    for (const size_t verb : s.children(piece.verb)) {
        if (s[verb].dep != "advcl") continue;
        const std::optional<Subordinate> clause = subordinate_at(s, piece, verb);
        const std::optional<Joint> joint = clause ? joint_of(s, piece, *clause) : std::nullopt;
        if (!joint) continue;
        PieceWords told = words_of(s, clause->tokens);
        told.erase(told.begin(), told.begin() + (clause->mark == clause->tokens.front() ? 1 : 2));
        told = trimmed(std::move(told));
        PieceWords main = trimmed(clause->opens ? part(piece.words, clause->places.back() + 1, piece.words.size())
                                                : part(piece.words, 0, clause->places.front()));
        std::optional<NounReference> main_subject = piece.subject;
        if (!joint->clause_is_second && !settle_pronouns(s, piece, *clause, told, main, main_subject)) continue;
        // "But" and "So" do not follow "But": one sentence continues one other.
        if (!piece.is_written_first && !joint->clause_is_second) continue;
        PieceWords before;
        for (const std::string& word : joint->before_second) before.push_back(put_in(word));
        SplitPiece first{told, verb, std::nullopt, true}, second{joined(before, main), piece.verb, main_subject, false};
        if (joint->clause_is_second) {
            first = {main, piece.verb, piece.subject, piece.is_written_first};
            second = {joined(before, told), verb, std::nullopt, false};
        }
        return std::vector<SplitPiece>{first, second};
    }
    return std::nullopt;
}

}  // namespace craft
