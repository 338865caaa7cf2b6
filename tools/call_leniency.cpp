#include "tools/call_leniency.h"

#include <algorithm>
#include <variant>

#include "text/utf8.h"
#include "tools/call_wrapping.h"

namespace craft {

namespace {

bool names_parameter(const Tool& tool, const std::string& keyword) {
    return std::any_of(tool.parameters.begin(), tool.parameters.end(),
                       [&](const ParameterNames& names) { return names.front() == keyword; });
}

// A number where the form is a list: tools take it as a list of one.
bool has_lone_id(const BoundCall& call, const Tool& tool) {
    for (size_t i = 0; i < tool.forms.size() && i < call.arguments.size(); ++i)
        if (tool.forms[i].kind == ArgumentForm::Kind::ids && std::holds_alternative<int64_t>(call.arguments[i])) return true;
    return false;
}

}  // namespace

void note_form(const CallReading& reading, std::string_view written, const BoundCall& call, const Tool& tool,
               Leniency& counts) {
    bool has_keywords = false, has_alias = !tool.alias_of.empty();
    for (const RawArgument& argument : reading.call.arguments) {
        has_keywords = has_keywords || !argument.keyword.empty();
        has_alias = has_alias || (!argument.keyword.empty() && !names_parameter(tool, argument.keyword));
    }
    bool is_explained = written == normal_form(call);
    const auto note = [&](bool is_there, const char* kind) {
        if (is_there) ++counts[kind];
        is_explained = is_explained || is_there;
    };
    note(has_alias, leniency::kAliasName);
    note(has_keywords, leniency::kKeywordArguments);
    note(reading.single_quotes, leniency::kSingleQuotes);
    note(written.find('\n') != std::string_view::npos, leniency::kSeveralLines);
    note(has_lone_id(call, tool), leniency::kLoneId);
    if (!is_explained) ++counts[leniency::kSpacing];
}

void note_line(std::span<const ParsedToolCall> found, std::string_view text, const LinePlaces& places, Leniency& counts) {
    if (found.empty()) {
        const std::string_view line = trim_view(text.substr(places.begin, text.substr(places.begin).find('\n')));
        ++counts[line.empty() ? leniency::kSpacing : is_fence(line) ? leniency::kFenceBetween : leniency::kProse];
        return;
    }
    if (found.size() > 1) ++counts[leniency::kSeveralCalls];
    if (places.call_end == 0 || !found.back().call) return;
    const bool goes_to_end = places.call_end == std::min(text.find('\n', places.call_end), text.size());
    if (places.call_begin != places.begin || !goes_to_end) ++counts[leniency::kAroundCall];
}

}  // namespace craft
