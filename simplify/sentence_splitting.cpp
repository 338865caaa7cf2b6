#include "simplify/sentence_splitting.h"

#include <algorithm>
#include <deque>

#include "english/listed_words.h"
#include "simplify/split_operations.h"
#include "text/utf8.h"

namespace craft {

std::optional<NounReference> subject_reference(const ParsedSentence& sentence, const SplitPiece& piece, bool pronoun) {
    if (piece.subject && pronoun && piece.subject->number == GrammaticalNumber::plural) return personal_pronoun("they");
    if (piece.subject) return piece.subject;
    const std::optional<size_t> subject = sentence.subject(piece.verb);
    if (!subject || !holds(piece.words, *subject)) return std::nullopt;
    return refer_to(sentence, *subject, pronoun);
}

SplitPieces told_of_subject(const ParsedSentence& sentence, const SplitPiece& piece, const std::vector<size_t>& described,
                            size_t verb, const PieceWords& said) {
    const std::optional<size_t> subject = sentence.subject(piece.verb);
    if (!subject || piece.subject || piece.words.empty() || piece.words.front().token == PieceWord::kPutIn)
        return std::nullopt;
    const std::vector<size_t> phrase = sentence.subtree(*subject);
    const std::vector<size_t> places = places_of(piece.words, phrase), within = places_of(piece.words, described);
    if (places.empty() || within.empty() || places.front() != 0) return std::nullopt;
    if (count_words(part(piece.words, within.back() + 1, places.back() + 1)) > 0) return std::nullopt;
    const std::optional<NounReference> again = refer_to(sentence, *subject, /*pronoun=*/true);
    if (!again) return std::nullopt;
    const PieceWords who = trimmed(part(piece.words, 0, within.front()));
    const PieceWords predicate = trimmed(part(piece.words, places.back() + 1, piece.words.size()));
    return std::vector<SplitPiece>{{joined(who, said), verb, again, piece.is_written_first},
                                   {joined({put_in(again->subject)}, predicate), piece.verb, again, true}};
}

bool opens_sentence(const ParsedSentence& sentence, const SplitPiece& piece, const std::vector<size_t>& tokens) {
    const std::optional<size_t> subject = sentence.subject(piece.verb);
    return !piece.subject && subject && tokens.back() < *subject && !sentence.is_within(tokens.back(), *subject);
}

bool is_lasting_state(const std::string& lemma) {
    return listed_words("lasting_state_verbs").contains(lemma);
}

std::optional<std::string> copula(GrammaticalNumber number, bool past) {
    if (number == GrammaticalNumber::unknown) return std::nullopt;
    if (number == GrammaticalNumber::plural) return past ? "were" : "are";
    return past ? "was" : "is";
}

namespace {

constexpr auto kOperations = {split_at_semicolon,       split_coordination, split_subordinate,
                              split_opening_participle, split_apposition,   split_relative_clause};

// What is quoted is somebody's own words, and a question or an exclamation is about all of its clauses.
bool may_be_split(const ParsedSentence& s) {
    for (size_t i = s.begin(); i < s.end(); ++i)
        if (is_one_of(s[i].text, {"\"", "“", "”", "``", "''", "?", "!"})) return false;
    return true;
}

bool is_balanced(const PieceWords& words) {
    int64_t open = 0;
    for (const PieceWord& word : words) {
        open += word.text == "(" ? 1 : word.text == ")" ? -1 : 0;
        if (open < 0) return false;
    }
    return open == 0;
}

// Whether its last word is one that something must follow.
bool is_cut(const PieceWords& words) {
    const PieceWords rest = trimmed(words);
    return rest.empty() ||
           is_one_of(rest.back().text, {"and", "or", "but", "nor", "yet", "the", "a", "an", "of", "to", "that"});
}

bool are_whole(const std::vector<SplitPiece>& pieces, const SplittingOptions& options) {
    return std::all_of(pieces.begin(), pieces.end(), [&](const SplitPiece& piece) {
        return count_words(piece.words) >= options.least_words && is_balanced(piece.words) && !is_cut(piece.words);
    });
}

// The pieces of the first operation that finds something; empty: none does.
std::vector<SplitPiece> split_once(const ParsedSentence& s, const SplitPiece& piece, const SplittingOptions& options) {
    for (const auto operation : kOperations)
        if (const SplitPieces pieces = operation(s, piece); pieces && are_whole(*pieces, options)) return *pieces;
    return {};
}

std::optional<SplitPiece> whole_sentence(const ParsedSentence& s) {
    SplitPiece whole;
    std::optional<size_t> root;
    for (size_t i = s.begin(); i < s.end(); ++i) {
        if (!s[i].is_space) whole.words.push_back({s[i].text, i});
        if (s.is_root(i)) root = i;
    }
    // A main verb without tense or subject, or with a subordinating word, was parsed wrongly, or is none.
    if (!root || !s.finite_word(*root) || !s.subject(*root) || s.has_child(*root, {"mark"})) return std::nullopt;
    whole.verb = *root;
    return whole;
}

std::vector<SplitPiece> split_pieces(const ParsedSentence& s, const SplittingOptions& options) {
    std::vector<SplitPiece> done;
    const std::optional<SplitPiece> whole = may_be_split(s) ? whole_sentence(s) : std::nullopt;
    if (!whole) return done;
    std::deque<SplitPiece> open = {*whole};
    while (!open.empty()) {
        const SplitPiece piece = open.front();
        open.pop_front();
        const bool may_split = done.size() + open.size() + 2 <= options.max_sentences;
        const std::vector<SplitPiece> pieces = may_split ? split_once(s, piece, options) : std::vector<SplitPiece>();
        if (pieces.empty())
            done.push_back(piece);
        else
            open.insert(open.begin(), pieces.begin(), pieces.end());
    }
    return done;
}

}  // namespace

std::string split_sentences_by_parse(const std::string& text, const EnglishDocument& document,
                                     const SplittingOptions& options) {
    std::string made;
    for (const ParsedSentence& sentence : parsed_sentences(document)) {
        const std::vector<SplitPiece> pieces = split_pieces(sentence, options);
        const size_t begin = document[sentence.begin()].byte;
        const size_t end = sentence.end() < document.size() ? document[sentence.end()].byte : text.size();
        const std::string own = text.substr(begin, end - begin);
        if (pieces.size() < 2) {
            made += own;
            continue;
        }
        std::string sentences;
        for (const SplitPiece& piece : pieces) sentences += (sentences.empty() ? "" : " ") + written(sentence, piece.words);
        made += sentences + own.substr(trim_view(own).size());  // with the blanks after it
    }
    return made;
}

}  // namespace craft
