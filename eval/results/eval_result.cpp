#include "eval/results/eval_result.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "core/utf8.h"
#include "metrics/edits/edit_results.h"
#include "metrics/registry.h"

namespace craft {

namespace {

// In the order in which they are looked for: what commands of `eval` give their items without naming a metric.
constexpr std::array<const char*, 8> kMainFigures = {"accuracy", "f1",    "f0.5",     "preserved",
                                                     "errors",   "ne_er", "entailed", "score"};
constexpr double kLargest = 1e100;
constexpr const char* kSummands = "summands";
constexpr uint64_t kLargestSummand = 1'000'000'000'000;  // the sums of a file's items then fit into 64 bits
constexpr std::array<const char*, 7> kScorerKeys = {"metric",  "signature", "options", "scoring",
                                                    "reading", "sentences", "kind"};

std::string shown(const Json& value) {
    return shortened(dump_line(value), 60);
}

constexpr std::string_view kOption = "options.";

// What a result says of one of its figures; nullptr where it says nothing.
const Json* said_of(const Json& document, const std::string& figure) {
    const auto figures = document.find("figures");
    if (figures == document.end() || !figures->is_object()) return nullptr;
    const auto said = figures->find(figure);
    return said == figures->end() || !said->is_object() ? nullptr : &*said;
}

std::string item_place(const EvalResult& result, const std::string& id) {
    return result.name + ": item '" + shortened(id, 80) + "'";
}

}  // namespace

std::optional<double> figure_at(const Json& object, const std::string& key, const std::string& where) {
    const auto found = object.find(key);
    if (found == object.end() || found->is_null()) return std::nullopt;
    if (found->is_boolean()) return found->get<bool>() ? 1 : 0;
    if (!found->is_number()) throw Error(where + ": field '" + key + "'", "a number", shown(*found));
    // Sums of larger ones would leave the range of numbers, and what no figure has is a fault of its writer.
    if (!(std::abs(found->get<double>()) <= kLargest))
        throw Error(where + ": field '" + key + "'", "at most 1e100", shown(*found));
    return found->get<double>();
}

EvalResult eval_result_from_json(Json document, const std::string& name) {
    if (!document.is_object()) throw Error(name, "a result of eval, which is an object", document.type_name());
    const auto items = document.find("items");
    if (items == document.end() || !items->is_array())
        throw Error(name + ": field 'items'", "a list", items == document.end() ? "none" : items->type_name(),
                    "was it written by an eval command?");
    EvalResult result;
    result.name = name;
    size_t place = 0;
    for (Json& item : *items) {
        const std::string where = name + ": items[" + std::to_string(place) + "]";
        if (!item.is_object()) throw Error(where, "an object", item.type_name());
        const std::string id = id_text(item, where);
        if (!result.items.emplace(id, std::move(item)).second)
            throw Error(where, "each id once", "'" + shortened(id, 80) + "' again");
        result.places[id] = place++;
    }
    document.erase(items);
    result.head = std::move(document);
    return result;
}

EvalResult read_eval_result(const std::filesystem::path& path) {
    return eval_result_from_json(read_json_file(path), path.string());
}

std::optional<double> item_figure(const EvalResult& result, const std::string& id, const std::string& key) {
    const auto counted = result.items.at(id).find("counted");
    if (counted != result.items.at(id).end() && *counted == false) return std::nullopt;
    return figure_at(result.items.at(id), key, item_place(result, id));
}

std::optional<std::vector<int64_t>> item_summands(const EvalResult& result, const std::string& id) {
    const Json& item = result.items.at(id);
    if (!has_value(item, kSummands)) return std::nullopt;
    const std::string where = item_place(result, id) + ": field '" + kSummands + "'";
    const Json& list = item.at(kSummands);
    if (!list.is_array()) throw Error(where, "a list of whole numbers", list.type_name());
    std::vector<int64_t> summands;
    for (const Json& number : list) {
        const bool whole = number.is_number_unsigned() || (number.is_number_integer() && number.get<int64_t>() >= 0);
        const bool fits = whole && number.get<uint64_t>() <= kLargestSummand;
        if (!fits) throw Error(where, "whole numbers from 0 to 1e12", shown(number));
        summands.push_back(number.get<int64_t>());
    }
    return summands;
}

std::optional<double> corpus_figure(const EvalResult& result, const std::string& key) {
    const auto corpus = result.head.find("corpus");
    if (corpus == result.head.end() || !corpus->is_object()) return std::nullopt;
    return figure_at(*corpus, key, result.name + ": corpus");
}

std::string main_figure(const EvalResult& result) {
    const auto metric = result.head.find("metric");
    const std::string name = metric != result.head.end() && metric->is_string() ? metric->get<std::string>() : "";
    std::set<std::string> keys;
    for (const auto& [id, item] : result.items) {
        for (const auto& [key, value] : item.items()) {
            if (key == name) return name;  // also where it is null
            if (value.is_number() || value.is_boolean()) keys.insert(key);
        }
    }
    const auto options = result.head.find("options");
    if (options != result.head.end() && options->is_object() && options->contains("beta") &&
        options->at("beta").is_number()) {
        const std::string f = f_name(options->at("beta").get<double>());
        if (keys.contains(f)) return f;
    }
    for (const char* known : kMainFigures)
        if (keys.contains(known)) return known;
    throw Error(result.name, "items with a figure", figure_names(result), "--metric says which figure counts");
}

std::string figure_names(const EvalResult& result) {
    std::set<std::string> keys;
    for (const auto& [id, item] : result.items)
        for (const auto& [key, value] : item.items())
            if (key != "id" && (value.is_number() || value.is_boolean())) keys.insert(key);
    std::string all;
    for (const std::string& key : keys) all += (all.empty() ? "" : ", ") + key;
    return all.empty() ? "none" : shortened(all, 400);
}

Json scorer_of(const Json& document, const std::string& figure) {
    Json scorer = Json::object();
    const Json* said = said_of(document, figure);
    if (said == nullptr || !has_value(*said, "depends_on") || !said->at("depends_on").is_array()) {
        for (const char* key : kScorerKeys)
            if (has_value(document, key)) scorer[key] = document.at(key);
        // What says only how figures are shown is no other scorer.
        if (scorer.contains("options") && scorer["options"].is_object()) scorer["options"].erase("tier");
        return scorer;
    }
    for (const char* key : {"metric", "kind"})
        if (has_value(document, key)) scorer[key] = document.at(key);
    for (const Json& key : said->at("depends_on")) {
        if (!key.is_string()) continue;
        const auto name = key.get<std::string>();
        if (name.starts_with(kOption)) {
            const std::string option = name.substr(kOption.size());
            const bool is_there = has_value(document, "options") && has_value(document.at("options"), option.c_str());
            if (is_there) scorer["options"][option] = document.at("options").at(option);
        } else if (has_value(document, name.c_str())) {
            scorer[name] = document.at(name);
        }
    }
    return scorer;
}

Better better_of(const Json& document, const std::string& figure) {
    if (const Json* said = said_of(document, figure); said != nullptr && has_value(*said, "better")) {
        if (said->at("better") == "higher") return Better::higher;
        if (said->at("better") == "lower") return Better::lower;
        return Better::unsaid;
    }
    // SOME's part of that name is a score; elsewhere it counts errors.
    const bool is_score = has_value(document, "metric") && document.at("metric") == "some";
    if (is_lower_better(figure)) return is_score ? Better::higher : Better::lower;
    static constexpr std::array<const char*, 20> kUnsaid = {"quality",         "compression_ratio",
                                                            "sentence_splits", "levenshtein_similarity",
                                                            "exact_copies",    "additions_proportion",
                                                            "entities",        "deletions_proportion",
                                                            "occurrences",     "keywords",
                                                            "sentences",       "words",
                                                            "syllables",       "source_bleu",
                                                            "sys_len",         "ref_len",

                                                            "ignored",         "counted",
                                                            "proposed",        "gold"};
    return std::find(kUnsaid.begin(), kUnsaid.end(), figure) != kUnsaid.end() ? Better::unsaid : Better::higher;
}

}  // namespace craft
