#include "english/dictionary/word_forms.h"

#include <algorithm>
#include <set>

#include "english/listed_words.h"

namespace craft {

WordForms::WordForms(std::shared_ptr<const EnglishDictionary> dictionary)
    : dictionary_(std::move(dictionary)), inflections_(dictionary_->inflections()) {
    const WordLines& verbs = listed_words("irregular_verbs");
    for (const std::string& lemma : std::set<std::string>(verbs.begin(), verbs.end()))
        for (const char* tag : {"VBD", "VBN"})
            for (const std::string& form : inflections_.forms(lemma, tag))
                if (!verbs.contains(form))
                    irregular_.emplace(form, lemma);  // "lay" is a verb of its own, and "cut" its own past
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
    if (auto lemma = irregular_verb_of(word)) return lemma;
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

std::optional<std::string> WordForms::irregular_verb_of(std::string_view word) const {
    const auto found = irregular_.find(std::string(word));
    return found == irregular_.end() ? std::nullopt : std::optional(found->second);
}

std::string WordForms::agreeing(std::string_view lemma, bool is_singular, bool past) const {
    if (lemma == "be") return past ? (is_singular ? "was" : "were") : (is_singular ? "is" : "are");
    if (past) return form(lemma, "VBD");
    return is_singular ? form(lemma, "VBZ") : std::string(lemma);
}

}  // namespace craft
