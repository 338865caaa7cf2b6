#include "simplify/word_substitution.h"

#include <algorithm>
#include <cctype>

#include "simplify/indefinite_article.h"
#include "text/utf8.h"

namespace craft {

namespace {

bool is_plain_word(const std::string& text) {
    return std::all_of(text.begin(), text.end(),
                       [](unsigned char c) { return std::isalpha(c) != 0 || c == '-' || c >= 0x80; });
}

// A noun, verb, adjective or adverb that is no name's, nor an auxiliary.
bool may_change(const EnglishToken& token, size_t at) {
    const std::string& tag = token.tag;
    const bool is_content =
        tag == "NN" || tag == "NNS" || tag.starts_with("VB") || tag.starts_with("JJ") || tag.starts_with("RB");
    if (!is_content || token.entity_place != 'O' || token.dep == "aux" || token.dep == "auxpass" || token.dep == "neg")
        return false;
    if (!is_plain_word(token.text)) return false;
    return token.text == token.lower || (at == 0 && token.text.substr(1) == token.lower.substr(1)) || token.sentence_start;
}

std::string in_the_case_of(const std::string& word, const EnglishToken& token) {
    return token.text == token.lower ? word : uppercase_first(word);
}

}  // namespace

std::string substitute_words(const std::string& text, const EnglishDocument& document, const WordSubstitute& easier) {
    std::string made;
    size_t copied = 0;  // bytes of `text`
    for (size_t i = 0; i < document.size(); ++i) {
        const EnglishToken& token = document[i];
        if (!may_change(token, i)) continue;
        const std::optional<std::string> word = easier(document, i);
        if (!word || word->empty() || *word == token.lower) continue;
        made += text.substr(copied, token.byte - copied);
        // An article right before it, which was copied last.
        if (i > 0 && (document[i - 1].lower == "a" || document[i - 1].lower == "an") && document[i - 1].space_after &&
            made.ends_with(document[i - 1].text + " ")) {
            made.resize(made.size() - document[i - 1].text.size() - 1);
            made += article_before(document[i - 1].text, *word) + " ";
        }
        made += in_the_case_of(*word, token);
        copied = token.byte + token.text.size();
    }
    return made + text.substr(copied);
}

}  // namespace craft
