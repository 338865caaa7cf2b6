#include "eval/annotation/edit_language.h"

namespace craft {

AnnotatedTokens edit_tokens(EnglishDocument document) {
    AnnotatedTokens tokens;
    tokens.reserve(document.size());
    for (EnglishToken& token : document)
        tokens.push_back({std::move(token.text), std::move(token.lower), std::move(token.lemma), std::move(token.pos),
                          std::move(token.tag), std::move(token.dep), static_cast<int64_t>(token.head)});
    return tokens;
}

EditLanguage english_edit_language(std::shared_ptr<const LazyEnglishPipeline> english, KnownWord known_word) {
    EditLanguage language;
    language.annotate = [english = std::move(english)](const std::vector<std::string>& words) {
        return edit_tokens(english->get().annotate_words(words, {.entities = false}));
    };
    language.known_word = std::move(known_word);
    return language;
}

std::function<AnnotatedTokens(const std::string&)> english_sentence_tokens(
    std::shared_ptr<const LazyEnglishPipeline> english) {
    return [english = std::move(english)](const std::string& sentence) {
        return edit_tokens(english->get().annotate(sentence, {.entities = false}));
    };
}

}  // namespace craft
