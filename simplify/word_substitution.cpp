#include "simplify/word_substitution.h"

#include <algorithm>
#include <cctype>

#include "english/indefinite_article.h"
#include "text/utf8.h"

namespace craft {

namespace {

bool is_plain_word(const std::string& text) {
    return std::all_of(text.begin(), text.end(),
                       [](unsigned char c) { return std::isalpha(c) != 0 || c == '-' || c >= 0x80; });
}

// A part of "self-absorbed", which no other word can take the place of.
bool is_joined(const EnglishDocument& document, size_t at) {
    const auto is_hyphen = [&](size_t i) { return document[i].text == "-" || document[i].text == "/"; };
    return (at > 0 && is_hyphen(at - 1) && !document[at - 1].space_after) ||
           (at + 1 < document.size() && is_hyphen(at + 1) && !document[at].space_after);
}

// A noun, verb, adjective or adverb that is no name's, nor an auxiliary, nor a noun that says of what kind another one is:
// it is often part of a term.
bool may_change(const EnglishDocument& document, size_t at) {
    const EnglishToken& token = document[at];
    const std::string& tag = token.tag;
    const bool is_content =
        tag == "NN" || tag == "NNS" || tag.starts_with("VB") || tag.starts_with("JJ") || tag.starts_with("RB");
    if (!is_content || token.entity_place != 'O' || token.dep == "compound" || is_joined(document, at) ||
        token.dep == "aux" || token.dep == "auxpass" || token.dep == "neg")
        return false;
    if (!is_plain_word(token.text)) return false;
    return token.text == token.lower || (at == 0 && token.text.substr(1) == token.lower.substr(1)) || token.sentence_start;
}

std::string in_the_case_of(const std::string& word, const EnglishToken& token) {
    return token.text == token.lower ? word : uppercase_first(word);
}

// What takes the place of the tokens [at, at + tokens).
struct Replacement {
    std::string text;
    size_t tokens = 1;
};

std::optional<Replacement> phrase_at(const EnglishDocument& document, size_t at, const PlainWords& plain) {
    std::vector<std::string> words;
    for (size_t i = at; i < document.size() && words.size() < plain.longest_phrase(); ++i) {
        const EnglishToken& token = document[i];
        const bool begins = i == at;
        // Capitals within and tokens that stand together ("cannot", "it's") are no words of a set phrase.
        if (token.entity_place != 'O' || (!begins && (token.text != token.lower || !document[i - 1].space_after))) break;
        words.push_back(token.lower);
    }
    const auto phrase = plain.of_phrase(words);
    return phrase ? std::optional(Replacement{phrase->plain, phrase->words}) : std::nullopt;
}

std::optional<Replacement> replacement_at(const EnglishDocument& document, size_t at, const WordSubstitute& easier,
                                          const PlainWords* plain) {
    if (plain)
        if (auto phrase = phrase_at(document, at, *plain)) return phrase;
    if (!may_change(document, at)) return std::nullopt;
    const std::optional<std::string> word = easier(document, at);
    if (!word || word->empty() || *word == document[at].lower) return std::nullopt;
    return Replacement{*word};
}

}  // namespace

std::string substitute_words(const std::string& text, const EnglishDocument& document, const WordSubstitute& easier,
                             const PlainWords* plain) {
    std::string made;
    size_t copied = 0;  // bytes of `text`
    for (size_t i = 0; i < document.size(); ++i) {
        const EnglishToken& token = document[i];
        const auto replacement = replacement_at(document, i, easier, plain);
        if (!replacement) continue;
        made += text.substr(copied, token.byte - copied);
        // An article right before it, which was copied last.
        if (i > 0 && (document[i - 1].lower == "a" || document[i - 1].lower == "an") && document[i - 1].space_after &&
            made.ends_with(document[i - 1].text + " ")) {
            made.resize(made.size() - document[i - 1].text.size() - 1);
            made += article_before(document[i - 1].text, replacement->text) + " ";
        }
        made += in_the_case_of(replacement->text, token);
        i += replacement->tokens - 1;
        copied = document[i].byte + document[i].text.size();
    }
    return made + text.substr(copied);
}

}  // namespace craft
