#include "cli/scorer_options.h"

#include <algorithm>

#include "judge/quality.h"
#include "judge/scorers/registry.h"
#include "text/lists.h"

namespace craft {

namespace {

// Of a list of names; `alone` are those that stand for a list.
std::string scorers_problem(const Json& value, const std::vector<std::string>& alone) {
    std::vector<std::string> known = alone;
    for (const std::string& form : quality_scorer_forms()) known.push_back(form);
    for (const auto& name : value.get<std::vector<std::string>>())
        if (std::find(alone.begin(), alone.end(), name) == alone.end() && !quality_scorer_problem(name).empty())
            return "in the list: " + expected_one_of(known, name);
    return "";
}

}  // namespace

Option& bind_scorers(OptionTable& table, std::vector<std::string>& scorers, const std::string& of_auto) {
    return table
        .add("scorers", scorers,
             "scorers whose mean is S_r: " + join(quality_scorer_forms(), ", ") + "; none: S_r is absent; auto: " + of_auto)
        .flag("--scorers")
        .input()
        .reads({})
        .filled()
        .alone({"auto", "none"})
        .checked([](const Json& value) {
            return scorers_problem(value, {"auto", "none"});
        });
}

Option& bind_reward_scorers(OptionTable& table, std::vector<std::string>& scorers) {
    return table
        .add("reward.scorers", scorers,
             "scorers whose mean is S_r: " + join(quality_scorer_forms(), ", ") + "; empty: S_r counts 0")
        .input()
        .reads({})
        .checked([](const Json& value) { return scorers_problem(value, {}); });
}

std::vector<std::string> resolved_scorers(OptionTable& table, const std::vector<std::string>& given, bool is_measurable,
                                          const std::string& why) {
    if (table.at("scorers").is_wrong) return {};
    if (is_auto(given)) return is_measurable ? std::vector<std::string>{"perplexity"} : std::vector<std::string>{};
    if (given.front() == "none") return {};
    if (need_language_model(given) && !is_measurable)
        table.add_problem("--scorers " + join(given, ",") + " needs --perplexity-model MODEL, " + why);
    table.find("scorers")->reads(scorer_models(given));
    return given;
}

bool is_auto(const std::vector<std::string>& scorers) {
    return !scorers.empty() && std::count(scorers.begin(), scorers.end(), "auto") == std::ssize(scorers);
}

}  // namespace craft
