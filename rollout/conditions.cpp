#include "rollout/conditions.h"

#include <set>

#include "text/latex.h"

namespace craft {

std::vector<std::string> keywords_to_preserve(const std::string& text, const Preserve& preserve) {
    std::vector<std::string> keywords;
    if (preserve.latex) keywords = latex_keywords(text);
    if (!preserve.names) return keywords;
    std::set<std::string> seen(keywords.begin(), keywords.end());
    for (std::string& name : preserve.find_names(text))
        if (seen.insert(name).second) keywords.push_back(std::move(name));
    return keywords;
}

double Conditions::share() const {
    double met = preserved.value_or(0), count = preserved ? 1 : 0;
    for (const Condition& condition : all) {
        met += condition.met ? 1 : 0;
        ++count;
    }
    return count == 0 ? 1 : met / count;
}

Conditions check_conditions(const ParsedCalls& calls, const MeasuredText& original, const MeasuredText& revision,
                            const std::vector<std::string>& preserve) {
    Conditions found;
    std::set<std::string> seen;
    const ToolTexts texts{original, revision};
    for (const ParsedCall& parsed : calls.calls) {
        const std::string call = parsed.call ? normal_form(*parsed.call) : parsed.text;
        if (!seen.insert(call).second) continue;
        if (!parsed.call) {
            found.all.push_back({call, false, std::nullopt, parsed.problem});
            continue;
        }
        const bool is_condition =
            !std::holds_alternative<TextEval>(*parsed.call) && !std::holds_alternative<DetectKeyword>(*parsed.call);
        if (!is_condition) continue;
        const ToolResult result = craft_tools().run(parsed.bound, texts);
        if (result.met) found.all.push_back({call, *result.met, result.value, {}});
    }
    found.preserved = keyword_preservation(original.text(), revision.text(), preserve).share();
    return found;
}

Json to_json(const Conditions& conditions) {
    Json list = Json::array();
    for (const Condition& condition : conditions.all) {
        Json one = {{"call", condition.call}, {"met", condition.met}, {"value", value_or_null(condition.value)}};
        if (!condition.problem.empty()) one["problem"] = condition.problem;
        list.push_back(std::move(one));
    }
    if (conditions.preserved)
        list.push_back({{"call", "preserved"}, {"met", *conditions.preserved >= 1}, {"value", *conditions.preserved}});
    return list;
}

}  // namespace craft
