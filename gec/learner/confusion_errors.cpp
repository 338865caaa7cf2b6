// Words that are written for others that sound or mean much the same.
#include "gec/learner/error_kinds.h"

namespace craft {

namespace {

// Tags that `right` must have, apart by blanks, for `written` to be wrong in its place.
struct Confusion {
    std::string_view right, tags, written;
    double weight;
};
constexpr Confusion kConfusions[] = {
    {"their", "PRP$", "there", 2},
    {"there", "EX RB", "their", 2},
    {"its", "PRP$", "it's", 2},
    {"than", "IN", "then", 3},
    {"then", "RB", "than", 2},
    {"too", "RB", "to", 2},
    {"to", "TO", "too", .3},
    {"your", "PRP$", "you're", 2},
    {"lose", "VB VBP", "loose", 2},
    {"loose", "JJ", "lose", 2},
    {"quiet", "JJ", "quite", 2},
    {"quite", "RB PDT", "quiet", 2},
    {"were", "VBD", "where", .5},
    {"where", "WRB", "were", 1},
    {"whose", "WP$", "who's", 2},
    {"hear", "VB VBP", "here", 2},
    {"here", "RB", "hear", 2},
    {"weather", "NN", "whether", 2},
    {"whether", "IN", "weather", 2},
    {"accept", "VB VBP", "except", 2},
    {"except", "IN", "accept", 2},
    {"advice", "NN", "advise", 2},
    {"effect", "NN", "affect", 2},
    {"affect", "VB VBP", "effect", 2},
    {"past", "IN JJ", "passed", 2},
    {"passed", "VBD VBN", "past", 2},
    {"piece", "NN", "peace", 2},
    {"peace", "NN", "piece", 2},
    {"which", "WDT", "witch", .5},
    {"know", "VB VBP", "now", 1.5},
    {"now", "RB", "know", 1},
    {"knew", "VBD", "new", 2},
    {"new", "JJ", "knew", 1},
    {"write", "VB VBP", "right", 2},
    {"right", "JJ NN", "write", 2},
    {"buy", "VB VBP", "by", 2},
    {"by", "IN", "buy", .3},
    {"threw", "VBD", "through", 2},
    {"through", "IN RP", "threw", 1},
    {"off", "RP IN", "of", 2},
    {"of", "IN", "off", .3},
    {"form", "NN VB", "from", 1.5},
    {"from", "IN", "form", .7},
    {"thing", "NN", "think", 2},
    {"think", "VB VBP", "thing", 2},
    {"live", "VB VBP", "life", 2},
    {"life", "NN", "live", 2},
    {"since", "IN", "sense", 1},
    {"sense", "NN", "since", 2},
    {"whole", "JJ", "hole", 2},
    {"wear", "VB VBP", "where", 2},
    {"week", "NN", "weak", 2},
    {"weak", "JJ", "week", 2},
    {"meet", "VB VBP", "meat", 2},
    {"meat", "NN", "meet", 2},
    {"sea", "NN", "see", 2},
    {"see", "VB VBP", "sea", 1},
    {"belief", "NN", "believe", 2},
    {"success", "NN", "succeed", 2},
    {"choice", "NN", "choose", 2},
    {"price", "NN", "prize", 2},
    {"won", "VBD", "one", 1},
    {"one", "CD", "won", .3},
    {"wait", "VB VBP", "weight", 2},
    {"principal", "JJ", "principle", 2},
    {"desert", "NN", "dessert", 2},
    {"breath", "NN", "breathe", 2},
    {"breathe", "VB VBP", "breath", 2},
    {"death", "NN", "dead", 2},
    {"dead", "JJ", "death", 2},
    {"health", "NN", "healthy", 2},
    {"difference", "NN", "different", 2},
    {"different", "JJ", "difference", 1},
    {"difficulty", "NN", "difficult", 2},
    {"difficult", "JJ", "difficulty", 1},
    {"important", "JJ", "importance", 1},
    {"safety", "NN", "safe", 2},
    {"strength", "NN", "strong", 2},
    {"almost", "RB", "most", 1},
};

bool is_listed(std::string_view tags, const std::string& tag) {
    return (" " + std::string(tags) + " ").find(" " + tag + " ") != std::string::npos;
}

// "it's" and "you're" are two tokens.
void contracted(const CorrectSentence& s, size_t token, LearnerErrors& found) {
    if (s[token].space_after || token + 1 >= s.size()) return;
    const bool is_verb = s.is_tag(token + 1, {"VBZ", "VBP"}) && s[token + 1].space_after;
    if (!is_verb) return;
    if (s.is_lower(token, {"it"}) && s[token + 1].text.ends_with("s"))
        found.push_back(s.instead_of(token, token + 1, "its").weighing(3));
    if (s.is_lower(token, {"you"}) && s[token + 1].text.ends_with("re"))
        found.push_back(s.instead_of(token, token + 1, "your").weighing(3));
    if (s.is_lower(token, {"they"}) && s[token + 1].text.ends_with("re"))
        found.push_back(s.instead_of(token, token + 1, "their").weighing(3));
    if (s.is_lower(token, {"who"}) && s[token + 1].text.ends_with("s"))
        found.push_back(s.instead_of(token, token + 1, "whose").weighing(2));
}

// "said me", "do a mistake", "make my homework"
void collocations(const CorrectSentence& s, const LearnerLanguage& language, size_t verb, LearnerErrors& found) {
    if (s[verb].pos != "VERB" || !s.is_whole_word(verb)) return;
    const auto swap = [&](std::string_view lemma, size_t because, double weight) {
        const std::string written = language.forms().form(lemma, s[verb].tag);
        if (!written.empty()) found.push_back(s.instead_of(verb, written).because_of(because).weighing(weight));
    };
    if (s.is_lemma(verb, {"tell"}) && s.is_lower(verb + 1, {"me", "him", "her", "us", "them"})) swap("say", verb + 1, 2);
    if (s.is_lemma(verb, {"say"}) && s.is_lower(verb + 1, {"that"}) && s[verb + 1].dep == "mark") swap("tell", verb + 1, 2);
    const auto object = s.child(verb, {"dobj"});
    if (!object || *object < verb) return;
    if (s.is_lemma(verb, {"make"}) &&
        s.is_lemma(*object, {"mistake", "decision", "effort", "noise", "progress", "speech", "choice"}))
        swap("do", *object, 2);
    if (s.is_lemma(verb, {"do"}) && s.is_lemma(*object, {"homework", "work", "job", "exercise", "damage", "harm"}))
        swap("make", *object, 2);
    if (s.is_lemma(verb, {"take"}) && s.is_lemma(*object, {"photograph", "photo", "picture"})) swap("make", *object, 1);
}

}  // namespace

LearnerErrors confusion_errors(const CorrectSentence& sentence, const LearnerLanguage& language) {
    LearnerErrors found;
    for (size_t i = 0; i < sentence.size(); ++i) {
        contracted(sentence, i, found);
        collocations(sentence, language, i, found);
        if (!sentence.is_whole_word(i) || sentence[i].dep == "compound") continue;
        if (sentence.is_lower(i, {"who"}) && sentence[i].dep == "nsubj" && sentence[sentence[i].head].dep == "relcl")
            found.push_back(sentence.instead_of(i, "which"));
        for (const Confusion& one : kConfusions)
            if (one.right == sentence[i].lower && one.weight > 0 && is_listed(one.tags, sentence[i].tag))
                found.push_back(sentence.instead_of(i, std::string(one.written)).weighing(one.weight));
    }
    return found;
}

}  // namespace craft
