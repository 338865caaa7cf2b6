#include "rollout/tree/search_options.h"

#include <cmath>

#include "rollout/tree/tree_fields.h"

namespace craft {

namespace {

// Each visit walks from a node up to the root; nobody revises a text so many times in a row.
constexpr int64_t kDeepest = 1000;

// Calls visit(name, field) for each field, in the order in which files have them.
template <class Options, class Visit>
void for_each_search_option(Options& options, const Visit& visit) {
    visit("children", options.children);
    visit("depth", options.depth);
    visit("iterations", options.iterations);
    visit("patience", options.patience);
    visit("explore", options.explore);
    visit("leaves", options.leaves);
    visit("use_quality", options.use_quality);
    visit("use_constraints", options.use_constraints);
}

}  // namespace

std::vector<FieldProblem> search_problems(const SearchOptions& options) {
    std::vector<FieldProblem> problems;
    const auto need = [&](bool fine, const char* field, const char* problem) {
        if (!fine) problems.push_back({field, problem});
    };
    need(options.children >= 1, "children", "expected at least 1");
    need(options.depth >= 1 && options.depth <= kDeepest, "depth", "expected a number from 1 to 1000");
    need(options.iterations >= 1, "iterations", "expected at least 1");
    need(options.patience >= 0, "patience", "expected at least 0 (0: no early stop)");
    need(options.explore >= 0 && std::isfinite(options.explore), "explore", "expected a number of at least 0");
    need(options.leaves >= 1, "leaves", "expected at least 1");
    need(options.use_quality || options.use_constraints, "use_quality", "expected true where use_constraints is false");
    return problems;
}

Json to_json(const SearchOptions& options) {
    Json object = Json::object();
    for_each_search_option(options, [&](const char* name, const auto& value) { object[name] = value; });
    return object;
}

SearchOptions search_options_from_json(const Json& object, const std::string& where) {
    SearchOptions options;
    TreeFields fields(object, where);
    for_each_search_option(options, [&](const char* name, auto& value) { fields.read(name, value); });
    fields.finish();
    for (const FieldProblem& problem : search_problems(options))
        throw Error(where + ": field '" + problem.field + "': " + problem.problem);
    return options;
}

}  // namespace craft
