#include "eval/editeval/conditions.h"

#include <algorithm>
#include <set>

namespace craft {

namespace {

const std::string kMissing = ": missing predictions";

// Takes over what is there and says something.
void take(EditConditions& into, const std::string& name, const Json& object, const std::string& key) {
    if (object.is_object() && has_value(object, key)) into[name] = object.at(key);
}

// In alphabetical order: that of a file of prompts changes no figure.
Json sorted_prompts(const Json& dataset) {
    std::set<std::string> prompts;
    if (dataset.is_object() && dataset.contains("prompts") && dataset.at("prompts").is_array())
        for (const Json& one : dataset.at("prompts"))
            if (one.is_object() && has_value(one, "prompt") && one.at("prompt").is_string())
                prompts.insert(one.at("prompt").get<std::string>());
    return prompts.empty() ? Json() : Json(prompts);
}

}  // namespace

EditConditions conditions_of(const Json& result) {
    EditConditions all;
    if (!result.is_object()) return all;
    take(all, "normalize", result, "normalize");
    // The file's hash stands among the settings.
    if (const auto way = all.find("normalize"); way != all.end() && way->second.is_string())
        if (way->second.get_ref<const std::string&>().starts_with("t5:")) way->second = "t5";
    if (result.contains("settings") && result.at("settings").is_object())
        for (const auto& [name, value] : result.at("settings").items()) take(all, name, result.at("settings"), name);
    if (result.contains("metrics") && result.at("metrics").is_object())
        for (const auto& [name, value] : result.at("metrics").items())
            take(all, "signature of " + name, result.at("metrics"), name);
    if (!result.contains("datasets") || !result.at("datasets").is_object()) return all;
    for (const auto& [name, dataset] : result.at("datasets").items()) {
        take(all, name + ": items", dataset, "count");
        take(all, name + kMissing, dataset, "missing");
        if (dataset.is_object() && dataset.contains("references"))
            take(all, name + ": references", dataset.at("references"), "count");
        if (Json prompts = sorted_prompts(dataset); !prompts.is_null()) all[name + ": prompts"] = std::move(prompts);
    }
    return all;
}

std::vector<ConditionDifference> differences_of(const std::vector<std::pair<std::string, EditConditions>>& systems) {
    std::map<std::string, std::map<std::string, Json>> said;  // by condition, then system
    for (const auto& [system, conditions] : systems)
        for (const auto& [name, value] : conditions) said[name][system] = value;
    std::vector<ConditionDifference> differences;
    for (const auto& [name, values] : said) {
        const Json& first = values.begin()->second;
        const bool differs = std::any_of(values.begin(), values.end(), [&](const auto& one) { return one.second != first; });
        const bool is_missing = name.ends_with(kMissing) && first != 0;
        if (values.size() > 1 && (differs || is_missing)) differences.push_back({name, values});
    }
    return differences;
}

}  // namespace craft
