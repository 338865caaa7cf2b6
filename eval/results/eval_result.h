// A result of `eval`, as its file says it: items with ids and figures, whichever command wrote them.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"

namespace craft {

struct EvalResult {
    std::string name;                      // the file, for messages
    Json head = Json::object();            // the document without its items
    std::map<std::string, Json> items;     // by id: the order in a file changes no digit
    std::map<std::string, size_t> places;  // where each id stands in the file, for figures that hang on it (GLEU's draws)
};

// Throws Error unless it is an object with a list "items" of objects with an "id" each, which occurs once.
EvalResult eval_result_from_json(Json document, const std::string& name);
EvalResult read_eval_result(const std::filesystem::path& path);

// The figure of an object under this key: a number up to 1e100, or a flag as 0 or 1; absent where it is null or missing.
// Throws Error(where + ": field 'x'") where it is anything else.
std::optional<double> figure_at(const Json& object, const std::string& key, const std::string& where);
// That of an item; absent too where the item says that it is in no figure ("counted": false, as of a text with too little to
// keep). Throws Error likewise.
std::optional<double> item_figure(const EvalResult& result, const std::string& id, const std::string& key);
// That of the corpus. Throws Error likewise.
std::optional<double> corpus_figure(const EvalResult& result, const std::string& key);

// What an item adds to corpus figures that are no means of items ("summands"): whole numbers from 0 to 1e12. None where it
// has no such key. Throws Error likewise.
std::optional<std::vector<int64_t>> item_summands(const EvalResult& result, const std::string& id);

// The key of the main figure: "metric" where the result names one that items hold, else the first of accuracy, f1,
// preserved, ne_er and the like that an item holds. Throws Error that lists the items' keys if none is there.
std::string main_figure(const EvalResult& result);

// What must be the same for figures to be compared: metric, signature, options, scoring, reading, sentences and kind, as far
// as the result has them; an empty object where it says nothing. Where the result says what a figure depends on
// ("figures": {FIGURE: {"depends_on": ["signature", "options.threshold"]}}), kind, metric and these alone.
Json scorer_of(const Json& document, const std::string& figure = "");

enum class Better { higher, lower, unsaid };
// Whether more or less of a result's figure is better, as the result says it ("figures": {FIGURE: {"better": "lower"}}),
// else by its name: unsaid of counts (sentences, keywords) and of estimates that only describe (compression ratio).
Better better_of(const Json& document, const std::string& figure);

// The items' keys that hold a number or a flag, but "id": "accuracy, f1"; "none".
std::string figure_names(const EvalResult& result);

}  // namespace craft
