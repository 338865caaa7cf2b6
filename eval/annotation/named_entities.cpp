#include "eval/annotation/named_entities.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/log.h"
#include "english/lazy_pipeline.h"
#include "judge/fidelity/capital_names.h"

namespace craft {

std::vector<std::string> entity_texts(const EnglishDocument& document, std::string_view text) {
    std::vector<std::string> found;
    std::unordered_set<std::string_view> seen;
    for (size_t first = 0; first < document.size();) {
        size_t end = first + 1;
        if (document[first].entity_place != 'B') {
            first = end;
            continue;
        }
        while (end < document.size() && document[end].entity_place == 'I') ++end;
        const EnglishToken& last = document[end - 1];
        const std::string_view entity =
            text.substr(document[first].byte, last.byte + last.text.size() - document[first].byte);
        const std::string& label = document[first].entity;
        if (label != "CARDINAL" && label != "ORDINAL" && seen.insert(entity).second) found.emplace_back(entity);
        first = end;
    }
    return found;
}

KeywordFinder named_entities(std::shared_ptr<const LazyEnglishPipeline> english) {
    return [english = std::move(english)](const std::string& text) {
        return entity_texts(english->get().annotate(text), text);
    };
}

namespace {

// Names by their capitals, which says so once.
class CapitalNames {
public:
    explicit CapitalNames(std::string hint) : hint_(std::move(hint)) {}
    std::vector<std::string> operator()(const std::string& text) {
        std::call_once(said_, [this] {
            log_warning("names are recognised by their capitals, without an English model",
                        hint_.empty() ? Json::object() : Json{{"hint", hint_}});
        });
        return capital_names(text);
    }

private:
    std::once_flag said_;
    std::string hint_;
};

}  // namespace

NameFinder find_names(const std::string& model) {
    const EnglishModel english = find_english(model);
    if (english.pipeline == nullptr) {
        auto guess = std::make_shared<CapitalNames>(english.hint);
        return {[guess](const std::string& text) { return (*guess)(text); }, "names:capitals"};
    }
    std::string name = english.name;
    std::replace(name.begin(), name.end(), ' ', '-');
    return {named_entities(english.pipeline), "names:" + name};
}

}  // namespace craft
