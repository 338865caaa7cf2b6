#include "rollout/feedback.h"

#include <cstdio>

namespace craft {

namespace {

std::string one_decimal(double value) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.1f", value);
    return digits;
}

std::string comma_list(const std::vector<std::string>& words) {
    std::string out;
    for (const auto& word : words) {
        if (!out.empty()) out += ", ";
        out += word;
    }
    return out;
}

// What one call found; conditions that are not met are added to `unmet`.
std::string tool_line(const ParsedCall& parsed, const ToolTexts& texts, const WordingTable& wordings,
                      std::vector<std::string>& unmet, int64_t& checked) {
    if (!parsed.call) return fill_in(wordings.first("tool_unusable"), {{"call", parsed.text}, {"reason", parsed.problem}});
    const std::string call = normal_form(*parsed.call);
    const ToolResult result = craft_tools().run(parsed.bound, texts);
    if (!result.met) return fill_in(wordings.first("tool_label"), {{"call", call}, {"label", result.text}});
    ++checked;
    if (!*result.met) unmet.push_back(call);
    const std::string label = *result.met ? "0" : "1";
    if (!result.value) return fill_in(wordings.first("tool_label"), {{"call", call}, {"label", label}});
    return fill_in(wordings.first("tool_value"),
                   {{"call", call}, {"value", std::to_string(*result.value)}, {"label", label}});
}

// A text may have hundreds of names, and a planner reads the line in every later turn.
std::vector<std::string> told_keywords(std::vector<std::string> found) {
    if (found.size() <= kMaxKeywords) return found;
    const std::string more = "and " + std::to_string(found.size() - kMaxKeywords) + " more";
    found.resize(kMaxKeywords);
    found.push_back(more);
    return found;
}

}  // namespace

std::string step_feedback(const ParsedCalls& calls, const MeasuredText& original, const MeasuredText& revision,
                          std::optional<double> quality, const WordingTable& wordings, const KeywordFinder& names) {
    std::string out;
    std::vector<std::string> unmet;
    int64_t checked = 0;
    const ToolTexts texts{original, revision, quality,
                          [&](const MeasuredText& text) { return told_keywords(names(text.text())); }};
    for (const auto& parsed : calls.calls) out += tool_line(parsed, texts, wordings, unmet, checked) + "\n";
    if (quality) out += fill_in(wordings.first("quality"), {{"score", one_decimal(*quality)}}) + "\n";
    if (checked == 0) return out + wordings.first("nothing_checked");
    return out + (unmet.empty() ? wordings.first("all_met") : fill_in(wordings.first("unmet"), {{"", comma_list(unmet)}}));
}

std::string observation_text(const std::string& revision, const std::string& feedback, const WordingTable& wordings) {
    return fill_in(wordings.first("observation"), {{"revision", revision}, {"feedback", feedback}});
}

}  // namespace craft
