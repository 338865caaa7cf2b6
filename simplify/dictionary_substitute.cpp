#include "simplify/dictionary_substitute.h"

#include "simplify/parsed_sentence.h"

namespace craft {

namespace {

bool stands_beside(const EnglishDocument& sentence, size_t at, const EasierWord& word) {
    const auto is_it = [&](size_t other) {
        return sentence[other].lower == word.form || sentence[other].lemma == word.lemma;
    };
    // "frittered away" -> "fooled away" away.
    const size_t blank = word.form.rfind(' ');
    if (blank != std::string::npos && at + 1 < sentence.size() && sentence[at + 1].lower == word.form.substr(blank + 1))
        return true;
    return (at > 0 && is_it(at - 1)) || (at + 1 < sentence.size() && is_it(at + 1));
}

bool is_clear(const EasierWord& word, const SubstituteOptions& options) {
    return word.form.find(' ') == std::string::npos || word.share >= options.phrase_share;
}

// Verbs that carry little sense of their own, and those that a particle gives another one ("carry out").
bool is_left(const EnglishDocument& sentence, size_t at) {
    if (is_one_of(sentence[at].lemma, {"be", "have", "do", "get", "make", "not"})) return true;
    // A participle that describes is no form of its verb any more ("a disconcerting sway").
    if (sentence[at].tag.starts_with("VB") && sentence[at].dep == "amod") return true;
    for (size_t i = at + 1; i < sentence.size() && i < at + 4; ++i)
        if (sentence[i].dep == "prt" && sentence[i].head == at) return true;
    return false;
}

}  // namespace

WordSubstitute dictionary_substitute(std::shared_ptr<const EnglishDictionary> dictionary, const SubstituteOptions& options) {
    // A file that is missing is told now and not within the work.
    dictionary->synonyms();
    dictionary->inflections();
    dictionary->by_count();
    return [dictionary = std::move(dictionary), options](const EnglishDocument& sentence,
                                                         size_t at) -> std::optional<std::string> {
        const EnglishToken& token = sentence[at];
        const std::optional<WordKind> kind = kind_of_tag(token.tag);
        if (!kind || is_left(sentence, at)) return std::nullopt;
        const WordDifficulty& difficulty = dictionary->by_count();
        if (difficulty.of_form(token.lower, token.lemma) < options.hard) return std::nullopt;
        EasierWordOptions words = options.words;
        words.phrases = words.phrases && *kind == WordKind::verb;
        for (const EasierWord& word : dictionary->easier_words(token.lemma, token.tag, *kind, difficulty, words))
            if (word.difficulty <= options.easy && is_clear(word, options) && word.form.find('-') == std::string::npos &&
                !stands_beside(sentence, at, word))
                return word.form;
        return std::nullopt;
    };
}

}  // namespace craft
