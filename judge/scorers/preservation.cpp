#include "judge/scorers/preservation.h"

#include <algorithm>
#include <memory>
#include <set>

#include "core/error.h"
#include "core/utf8.h"

namespace craft {

namespace {

std::vector<std::string> read_entities(const Json& answer, const std::string& text, const std::string& where) {
    const std::string field = where + ": field 'entities'";
    if (!answer.contains("entities")) throw Error(field, "a list of texts", "none");
    const Json& list = answer.at("entities");
    if (!list.is_array()) throw Error(field, "a list of texts", std::string(list.type_name()));
    std::vector<std::string> entities;
    for (const Json& one : list) {
        const std::string* entity = one.get_ptr<const std::string*>();
        if (entity == nullptr || entity->empty()) throw Error(field, "texts that are not empty", shortened(one.dump(), 60));
        if (text.find(*entity) == std::string::npos)
            throw Error(field, "a name that occurs in the text", "'" + shortened(*entity, 60) + "'");
        if (std::find(entities.begin(), entities.end(), *entity) == entities.end()) entities.push_back(*entity);
    }
    return entities;
}

}  // namespace

KeywordsOfTexts keywords_one_by_one(KeywordFinder find) {
    return [find = std::move(find)](const std::vector<std::string>& texts) {
        std::vector<std::vector<std::string>> all;
        for (const std::string& text : texts) all.push_back(find(text));
        return all;
    };
}

KeywordsOfTexts keywords_by_command(JsonAsker ask) {
    return [ask = std::move(ask), asked = std::make_shared<size_t>(0)](const std::vector<std::string>& texts) {
        std::vector<Json> requests;
        for (const std::string& text : texts) requests.push_back({{"id", std::to_string(++*asked)}, {"text", text}});
        std::vector<std::vector<std::string>> all;
        ask(requests, [&](const Json& answer, const std::string& where) {
            all.push_back(read_entities(answer, texts.at(all.size()), where));
        });
        return all;
    };
}

std::vector<double> PreservationScorer::score(const std::vector<ScoredPair>& pairs) {
    std::set<std::string> fresh;
    for (const ScoredPair& pair : pairs)
        if (!known_.contains(pair.source)) fresh.insert(pair.source);
    const std::vector<std::string> texts(fresh.begin(), fresh.end());
    if (!texts.empty()) {
        std::vector<std::vector<std::string>> found = keywords_(texts);
        for (size_t i = 0; i < texts.size(); ++i) known_[texts[i]] = std::move(found.at(i));
    }
    std::vector<double> values;
    for (const ScoredPair& pair : pairs)
        values.push_back(keyword_preservation(pair.source, pair.hypothesis, known_.at(pair.source)).share().value_or(1));
    return values;
}

}  // namespace craft
