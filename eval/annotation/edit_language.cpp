#include "eval/annotation/edit_language.h"

#include <filesystem>

#include "core/log.h"
#include "english/lazy_pipeline.h"
#include "english/word_list.h"

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

EditLanguage open_edit_language(const std::string& english, const std::string& words) {
    const EnglishModel model = find_english(english);
    if (model.pipeline == nullptr) {
        log_warning("edits by letters alone, all of type OTHER, without an English model",
                    model.hint.empty() ? Json::object() : Json{{"hint", model.hint}});
        return {};
    }
    std::string name;
    EditLanguage language = english_edit_language(model.pipeline, known_words(words, name));
    model.pipeline->get();  // what is wrong with it is no fault of the first sentence
    log_info("edits by ERRANT's rules", {{"english", model.name}, {"words", name}});
    return language;
}

KnownWord known_words(const std::string& given, std::string& name) {
    const std::filesystem::path file = given == "auto" ? english_word_list_file() : std::filesystem::path(given);
    std::error_code none;
    name = "none";
    if (given == "auto" && !std::filesystem::exists(file, none)) {
        log_warning("without a word list no edit counts as spelling",
                    {{"hint", "scripts/setup.sh --english installs one; --words FILE names another"}});
        return [](const std::string&) { return true; };
    }
    if (given == "none") return [](const std::string&) { return true; };
    name = file.stem().string();
    return [words = std::make_shared<const WordList>(WordList::load(file))](const std::string& word) {
        return words->knows(word);
    };
}

}  // namespace craft
