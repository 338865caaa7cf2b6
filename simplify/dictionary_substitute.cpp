#include "simplify/dictionary_substitute.h"

#include "english/parsed_sentence.h"

namespace craft {

namespace {

bool stands_beside(const EnglishDocument& sentence, size_t at, const std::string& lemma, const std::string& form) {
    const auto is_it = [&](size_t other) { return sentence[other].lower == form || sentence[other].lemma == lemma; };
    // "frittered away" -> "fooled away" away.
    const size_t blank = form.rfind(' ');
    if (blank != std::string::npos && at + 1 < sentence.size() && sentence[at + 1].lower == form.substr(blank + 1))
        return true;
    return (at > 0 && is_it(at - 1)) || (at + 1 < sentence.size() && is_it(at + 1));
}

// "relinquish it" -> "give up it".
bool parts_from_pronoun(const EnglishDocument& sentence, size_t at, const std::string& form) {
    return form.find(' ') != std::string::npos && at + 1 < sentence.size() && sentence[at + 1].tag == "PRP";
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

class DictionarySubstitute {
public:
    DictionarySubstitute(std::shared_ptr<const EnglishDictionary> dictionary, std::shared_ptr<const PlainWords> plain,
                         SubstituteOptions options)
        : dictionary_(std::move(dictionary)), plain_(std::move(plain)), options_(options) {}

    std::optional<std::string> operator()(const EnglishDocument& sentence, size_t at) const {
        const std::optional<WordKind> kind = kind_of_tag(sentence[at].tag);
        if (!kind || is_left(sentence, at)) return std::nullopt;
        if (auto plain = plain_word(sentence, at, *kind)) return plain;
        return easier_word(sentence, at, *kind);
    }

private:
    std::optional<std::string> plain_word(const EnglishDocument& sentence, size_t at, WordKind kind) const {
        if (!plain_) return std::nullopt;
        const EnglishToken& token = sentence[at];
        const auto lemma = plain_->of_word(token.lemma, kind);
        if (!lemma) return std::nullopt;
        std::string form = dictionary_->inflections().forms(*lemma, token.tag).front();
        if (stands_beside(sentence, at, *lemma, form) || parts_from_pronoun(sentence, at, form)) return std::nullopt;
        return form;
    }

    std::optional<std::string> easier_word(const EnglishDocument& sentence, size_t at, WordKind kind) const {
        const EnglishToken& token = sentence[at];
        const WordDifficulty& difficulty = dictionary_->by_count();
        if (difficulty.of_form(token.lower, token.lemma) < options_.hard) return std::nullopt;
        EasierWordOptions words = options_.words;
        words.phrases = words.phrases && kind == WordKind::verb;
        for (const EasierWord& word : dictionary_->easier_words(token.lemma, token.tag, kind, difficulty, words))
            if (word.difficulty <= options_.easy && is_clear(word, options_) && word.form.find('-') == std::string::npos &&
                !stands_beside(sentence, at, word.lemma, word.form) && !parts_from_pronoun(sentence, at, word.form))
                return word.form;
        return std::nullopt;
    }

    std::shared_ptr<const EnglishDictionary> dictionary_;
    std::shared_ptr<const PlainWords> plain_;
    SubstituteOptions options_;
};

}  // namespace

WordSubstitute dictionary_substitute(std::shared_ptr<const EnglishDictionary> dictionary,
                                     std::shared_ptr<const PlainWords> plain, const SubstituteOptions& options) {
    // A file that is missing is told now and not within the work.
    dictionary->synonyms();
    dictionary->inflections();
    dictionary->by_count();
    return DictionarySubstitute(std::move(dictionary), std::move(plain), options);
}

}  // namespace craft
