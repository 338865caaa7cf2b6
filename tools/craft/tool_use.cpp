#include "tools/craft/tool_use.h"

#include <set>
#include <string_view>

namespace craft {

namespace {

using CallSet = std::set<std::string>;
const std::string kTextEval = "text_eval()";

CallCounts counts_of(const CallSet& predicted, const CallSet& gold) {
    CallCounts counts{0, static_cast<int64_t>(predicted.size()), static_cast<int64_t>(gold.size())};
    for (const auto& call : predicted) counts.correct += static_cast<int64_t>(gold.count(call));
    return counts;
}

// 2 |predicted and gold| / (|predicted| + |gold|); 0 for two empty sets. `more`: calls that both sides have besides.
double f1_of(const CallCounts& counts, int64_t more) {
    const int64_t total = counts.predicted + counts.gold + 2 * more;
    return total == 0 ? 0.0 : 2.0 * static_cast<double>(counts.correct + more) / static_cast<double>(total);
}

ToolUse compare(CallSet calls, CallSet wanted) {
    ToolUse use;
    calls.erase(kTextEval);
    wanted.erase(kTextEval);
    use.exact_match = calls == wanted;
    use.counts = counts_of(calls, wanted);
    use.constraint_f1 = wanted.empty() ? (calls.empty() ? 1.0 : 0.0) : f1_of(use.counts, 0);
    use.tool_f1 = f1_of(use.counts, 1);
    return use;
}

}  // namespace

std::string unusable_form(const std::string& text) {
    std::string out;
    char quote = '\0';  // of the string that is open
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool opens = quote == '\0' && (c == '"' || c == '\'');
        if (opens || (quote != '\0' && c == quote)) {
            quote = opens ? c : '\0';
            out.push_back('"');
        } else if (quote != '\0' || std::string_view(" \t\r\n").find(c) == std::string_view::npos) {
            out.push_back(c);
            if (quote != '\0' && c == '\\' && i + 1 < text.size()) out.push_back(text[++i]);
        }
    }
    return out;
}

ToolUse score_tool_use(const ParsedCalls& predicted, const std::vector<ToolCall>& gold) {
    CallSet calls, unusable, wanted;
    for (const ParsedCall& parsed : predicted.calls) {
        if (parsed.call) {
            calls.insert(normal_form(*parsed.call));
        } else {
            unusable.insert(unusable_form(parsed.text));
        }
    }
    for (const ToolCall& call : gold) wanted.insert(normal_form(call));
    // A leading newline keeps unusable text apart from every normal form.
    for (const auto& text : unusable) calls.insert("\n" + text);

    ToolUse use = compare(std::move(calls), std::move(wanted));
    use.unusable = static_cast<int64_t>(unusable.size());
    return use;
}

ToolUse published_tool_use(const std::vector<std::string>& recorded, const std::vector<std::string>& gold) {
    CallSet calls(recorded.begin(), recorded.end());
    calls.erase("python");  // a fence's language that the authors' extraction left in
    return compare(std::move(calls), CallSet(gold.begin(), gold.end()));
}

}  // namespace craft
