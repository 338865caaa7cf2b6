#include "eval/annotation/named_entities.h"

#include <unordered_set>

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

}  // namespace craft
