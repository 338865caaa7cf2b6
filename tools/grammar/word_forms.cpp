#include "tools/grammar/word_forms.h"

#include <algorithm>

namespace craft {

namespace {

// Verbs whose past is not made with -ed; what it is the table says.
constexpr const char* kIrregularVerbs[] = {
    "arise", "awake", "bear",       "beat",   "become",  "begin",  "bend",  "bet",    "bind",  "bite",  "bleed", "blow",
    "break", "bring", "build",      "burn",   "burst",   "buy",    "catch", "choose", "come",  "cost",  "creep", "cut",
    "deal",  "dig",   "do",         "draw",   "dream",   "drink",  "drive", "eat",    "fall",  "feed",  "feel",  "fight",
    "find",  "fly",   "forbid",     "forget", "forgive", "freeze", "get",   "give",   "go",    "grow",  "hang",  "have",
    "hear",  "hide",  "hit",        "hold",   "hurt",    "keep",   "know",  "lay",    "lead",  "learn", "leave", "lend",
    "let",   "lie",   "lose",       "make",   "mean",    "meet",   "pay",   "put",    "read",  "ride",  "ring",  "rise",
    "run",   "say",   "see",        "seek",   "sell",    "send",   "set",   "shake",  "shine", "shoot", "show",  "shut",
    "sing",  "sink",  "sit",        "sleep",  "smell",   "speak",  "spell", "spend",  "spill", "split", "spoil", "spread",
    "stand", "steal", "stick",      "strike", "swear",   "sweep",  "swim",  "swing",  "take",  "teach", "tear",  "tell",
    "think", "throw", "understand", "wake",   "wear",    "weep",   "win",   "wind",   "write"};

}  // namespace

WordForms::WordForms(std::shared_ptr<const EnglishDictionary> dictionary)
    : dictionary_(std::move(dictionary)), inflections_(dictionary_->inflections()) {
    for (const char* lemma : kIrregularVerbs)
        for (const char* tag : {"VBD", "VBN"})
            for (const std::string& form : inflections_.forms(lemma, tag)) irregular_.emplace(form, lemma);
    for (const char* form : {"am", "is", "are", "was", "were", "been", "being"}) irregular_.emplace(form, "be");
}

bool WordForms::is_verb(std::string_view lemma) const {
    return inflections_.knows(lemma, WordKind::verb);
}

bool WordForms::is_adjective(std::string_view lemma) const {
    return inflections_.knows(lemma, WordKind::adjective);
}

std::string WordForms::form(std::string_view lemma, std::string_view tag) const {
    const std::vector<std::string> forms = inflections_.forms(lemma, tag);
    return forms.empty() ? std::string(lemma) : forms.front();
}

bool WordForms::is_form(std::string_view word, std::string_view lemma, std::string_view tag) const {
    const std::vector<std::string> forms = inflections_.forms(lemma, tag);
    return std::find(forms.begin(), forms.end(), word) != forms.end();
}

std::optional<std::string> WordForms::verb_of(std::string_view word) const {
    const std::string text(word);
    if (is_verb(text)) return text;
    if (const auto found = irregular_.find(text); found != irregular_.end()) return found->second;
    struct Ending {
        std::string_view ending, instead, tag;
    };
    static constexpr Ending kEndings[] = {{"ies", "y", "VBZ"}, {"es", "", "VBZ"},   {"s", "", "VBZ"},
                                          {"ied", "y", "VBD"}, {"ed", "", "VBD"},   {"ed", "e", "VBD"},
                                          {"ing", "", "VBG"},  {"ing", "e", "VBG"}, {"ying", "ie", "VBG"}};
    for (const Ending& one : kEndings) {
        if (!word.ends_with(one.ending) || word.size() < one.ending.size() + (one.tag == "VBG" ? 1 : 2)) continue;
        const std::string stem = text.substr(0, text.size() - one.ending.size());
        for (const std::string& lemma : {stem + std::string(one.instead), stem.substr(0, stem.size() - 1)})
            if (is_verb(lemma) && is_form(word, lemma, one.tag)) return lemma;
    }
    return std::nullopt;
}

std::string WordForms::agreeing(std::string_view lemma, bool is_singular, bool past) const {
    if (lemma == "be") return past ? (is_singular ? "was" : "were") : (is_singular ? "is" : "are");
    if (past) return form(lemma, "VBD");
    return is_singular ? form(lemma, "VBZ") : std::string(lemma);
}

}  // namespace craft
