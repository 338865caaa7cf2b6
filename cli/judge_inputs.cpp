#include "cli/judge_inputs.h"

#include <algorithm>

#include "core/error.h"
#include "core/id_index.h"
#include "core/rows.h"

namespace craft {

JudgeInput read_judge_input(const JudgeOptions& options) {
    JudgeInput input;
    IdIndex ids;
    JsonLinesOptions lines = options.lines;
    lines.bad_lines = &input.bad_lines;
    for_each_row(options.input, lines, [&](const Json& row, const std::string& where) {
        CandidateGroup group = candidate_group_from_json(row, where, &input.unknown);
        ids.add(group.id, input.groups.size(), where);
        input.groups.push_back(std::move(group));
    });
    input.unknown.warn(options.input);
    return input;
}

std::optional<Guideline> read_judge_guideline(JudgeOptions& options) {
    if (options.form == JudgeForm::pointwise) return std::nullopt;
    Guideline guideline = read_guideline(options.guideline);
    const std::vector<std::string> known = guideline.aspect_names();
    std::string list;
    for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
    if (known.size() == 1 && options.aspect.empty()) options.aspect = known[0];
    const bool is_known = std::find(known.begin(), known.end(), options.aspect) != known.end();
    if (known.empty() && !options.aspect.empty())
        throw UsageError("--aspect: " + options.guideline + " names no aspects, and has one verdict, got " + options.aspect);
    if (!known.empty() && !is_known)
        throw UsageError("--aspect: expected one of " + list + ", the aspects of " + options.guideline + ", got " +
                         (options.aspect.empty() ? "nothing" : options.aspect));
    return guideline;
}

}  // namespace craft
