#include "simplify/dictionary_substitute.h"

namespace craft {

namespace {

std::optional<WordKind> kind_of(const std::string& tag) {
    if (tag == "NN" || tag == "NNS") return WordKind::noun;
    if (tag.starts_with("VB")) return WordKind::verb;
    if (tag.starts_with("JJ")) return WordKind::adjective;
    if (tag.starts_with("RB")) return WordKind::adverb;
    return std::nullopt;
}

// A verb with a particle ("set out"), whose meaning is no longer the verb's alone.
bool has_particle(const EnglishDocument& sentence, size_t token) {
    for (const EnglishToken& other : sentence)
        if (other.head == token && other.dep == "prt") return true;
    return false;
}

// A noun's modifier that is a noun ("stone bridge") is part of a name for the thing.
bool is_compound(const EnglishToken& token) {
    return token.dep == "compound";
}

}  // namespace

WordSubstitute dictionary_substitute(std::shared_ptr<const EnglishDictionary> dictionary,
                                     const DictionarySubstituteOptions& options) {
    return [dictionary = std::move(dictionary), options](const EnglishDocument& sentence,
                                                         size_t at) -> std::optional<std::string> {
        const EnglishToken& token = sentence[at];
        const auto kind = kind_of(token.tag);
        if (!kind || is_compound(token) || has_particle(sentence, at)) return std::nullopt;
        const WordDifficulty &by_size = dictionary->by_size(), &by_count = dictionary->by_count();
        if (by_size.of_form(token.lower, token.lemma) < options.hard_from) return std::nullopt;
        const double count = by_count.of_form(token.lower, token.lemma);
        for (const EasierWord& word : dictionary->easier_words(token.lemma, token.tag, *kind, by_size, options.margin))
            if (!word.is_wider && by_count.of_form(word.form, word.lemma) + options.fewer <= count) return word.form;
        return std::nullopt;
    };
}

}  // namespace craft
