#include "model/spec/adapter_rules.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace craft {

namespace {

bool names_module(const std::string& name, const std::string& module) {
    return module == name || module.ends_with("." + name);
}

bool any_names(const std::vector<std::string>& names, const std::string& module) {
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return names_module(name, module); });
}

template <class T>
const T* first_match(const std::vector<std::pair<RegularExpression, T>>& patterns, const std::string& module) {
    for (const auto& [pattern, value] : patterns)
        if (pattern.matches_start(module)) return &value;
    return nullptr;
}

template <class T>
void check_matches(const std::vector<std::pair<RegularExpression, T>>& expressions,
                   const std::vector<std::pair<std::string, T>>& patterns, const std::vector<std::string>& targets,
                   const std::string& where) {
    for (size_t i = 0; i < expressions.size(); ++i) {
        const auto matches = [&](const std::string& module) { return expressions[i].first.matches_start(module); };
        if (!targets.empty() && std::none_of(targets.begin(), targets.end(), matches))
            throw Error(where, "patterns of targets, one of which is '" + targets.front() + "'",
                        "'" + patterns[i].first + "', which matches none");
    }
}

}  // namespace

AdapterRules::AdapterRules(const LoraOptions& options, const std::string& where) : options_(options) {
    if (!options.target_expression.empty()) target_.emplace_back(options.target_expression, where + ": target_modules");
    if (!options.excluded_expression.empty())
        excluded_.emplace_back(options.excluded_expression, where + ": exclude_modules");
    for (const std::string& module : options.saved_modules)
        saved_.emplace_back("(^|.*\\.)" + module + "($|\\..*)", where + ": modules_to_save");
    if (options.layers_patterns.empty()) layers_.emplace_back(R"(.*?\.[^.]*\.(?P<idx>\d+)\.)", where);
    for (const std::string& pattern : options.layers_patterns)
        layers_.emplace_back("(?:^|.*?\\.)" + pattern + R"(\.(?P<idx>\d+)\.)", where + ": layers_pattern");
    for (const auto& [pattern, rank_there] : options.ranks)
        ranks_.emplace_back(RegularExpression("(.*\\.)?(" + pattern + ")$", where + ": rank_pattern"), rank_there);
    for (const auto& [pattern, alpha] : options.alphas)
        alphas_.emplace_back(RegularExpression("(.*\\.)?(" + pattern + ")$", where + ": alpha_pattern"), alpha);
}

bool AdapterRules::is_excluded(const std::string& module) const {
    if (!excluded_.empty() ? excluded_[0].matches_whole(module) : any_names(options_.excluded, module)) return true;
    return std::any_of(saved_.begin(), saved_.end(), [&](const auto& saved) { return saved.matches_start(module); });
}

// The number of the first pattern that matches; a list of layers does not concern targets given by an expression or by their
// whole name.
bool AdapterRules::is_in_layers(const std::string& module) const {
    if (options_.layers.empty()) return true;
    for (const RegularExpression& pattern : layers_) {
        const auto number = pattern.group(module, "idx");
        if (!number) continue;
        return std::any_of(options_.layers.begin(), options_.layers.end(),
                           [&](int64_t layer) { return std::to_string(layer) == *number; });
    }
    return false;
}

bool AdapterRules::is_target(const std::string& module) const {
    if (is_excluded(module)) return false;
    if (!target_.empty()) return target_[0].matches_whole(module);
    const bool is_whole_name = std::find(options_.targets.begin(), options_.targets.end(), module) != options_.targets.end();
    return is_whole_name || (any_names(options_.targets, module) && is_in_layers(module));
}

// PEFT compares plain ends here, without a dot: "norm" saves every module whose name ends with it.
bool AdapterRules::is_saved(const std::string& module) const {
    for (size_t end = module.size(); end != std::string::npos && end > 0; end = module.rfind('.', end - 1)) {
        const std::string part = module.substr(0, end);
        for (const std::string& name : options_.saved_modules)
            if (part.ends_with(name)) return true;
    }
    return false;
}

int64_t AdapterRules::rank(const std::string& module) const {
    const int64_t* const own = first_match(ranks_, module);
    return own != nullptr ? *own : options_.rank;
}

double AdapterRules::scale(const std::string& module) const {
    const double* const own = first_match(alphas_, module);
    const auto ranks = static_cast<double>(rank(module));
    return (own != nullptr ? *own : options_.alpha) / (options_.rslora ? std::sqrt(ranks) : ranks);
}

// PEFT ignores such a pattern with a warning; whoever wrote it gets other ranks and scales than were asked for. One that
// matches a module of the model that is no target does as little. What PEFT itself writes (EVA, conversions) names targets.
void AdapterRules::check_patterns(const std::vector<std::string>& targets, const std::string& where) const {
    check_matches(ranks_, options_.ranks, targets, where + ": rank_pattern");
    check_matches(alphas_, options_.alphas, targets, where + ": alpha_pattern");
}

}  // namespace craft
