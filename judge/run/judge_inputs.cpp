#include "judge/run/judge_inputs.h"

#include <algorithm>

#include "core/error.h"
#include "core/id_index.h"
#include "core/log.h"
#include "core/rows.h"
#include "data/revised_text.h"

namespace craft {

namespace {

JudgeInput grouped_outputs(const JudgeOptions& options, uint64_t seed) {
    JudgeInput input;
    JsonLinesOptions lines = options.lines;
    lines.bad_lines = &input.bad_lines;
    const std::vector<RevisedText> texts = read_revised_texts(options.items, lines);
    std::vector<CandidateGroup> groups;
    IdIndex index;
    for (const RevisedText& text : texts) {
        index.add(text.id, groups.size(), text.where);
        groups.push_back({text.id, text.text, "", {}});
    }
    for (const auto& [system, file] : options.outputs) {
        const std::vector<RevisedText> outputs = read_revised_texts(file, lines);
        for (const RevisedText& one : outputs)
            groups[index.row_of(one.id, one.where)].candidates.push_back({system, one.text});
    }
    for (const RevisedText& text : options.sample ? drawn_texts(texts, *options.sample, seed) : texts) {
        CandidateGroup& group = groups[index.row_of(text.id, text.where)];
        for (const auto& output : options.outputs) {
            const auto is_its = [&](const Candidate& one) { return one.system == output.first; };
            if (std::none_of(group.candidates.begin(), group.candidates.end(), is_its)) ++input.missing[output.first];
        }
        if (group.candidates.empty())
            ++input.without_output;
        else
            input.groups.push_back(std::move(group));
    }
    if (!input.missing.empty()) log_warning("texts without an output of a system", input.missing);
    return input;
}

}  // namespace

JudgeInput read_judge_input(const JudgeOptions& options, uint64_t seed) {
    if (!options.items.empty()) return grouped_outputs(options, seed);
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
    if (gives_marks(options.form) || options.guideline.empty()) return std::nullopt;
    Guideline guideline = read_guideline(options.guideline);
    for (const CandidateJudgeSpec& spec : options.specs) require_sees_guideline(guideline, options.guideline, spec);
    options.aspect = aspect_of_guideline(guideline, options.guideline, options.aspect);
    return guideline;
}

void require_sees_guideline(const Guideline& guideline, const std::string& file, const CandidateJudgeSpec& spec) {
    if (spec.kind != CandidateJudgeSpec::Kind::rules || !guideline.sees_more_than_texts()) return;
    throw UsageError("--guideline: " + file + " shows instructions or responses, of which the judge " + spec.text +
                     " sees nothing: expected a model as the judge, or a guideline for texts");
}

std::string aspect_of_guideline(const Guideline& guideline, const std::string& file, const std::string& asked) {
    const std::vector<std::string> known = guideline.aspect_names();
    std::string list;
    for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
    if (known.size() == 1 && asked.empty()) return known[0];
    const bool is_known = std::find(known.begin(), known.end(), asked) != known.end();
    if (known.empty() && !asked.empty())
        throw UsageError("--aspect: " + file + " names no aspects, and has one verdict, got " + asked);
    if (!known.empty() && !is_known)
        throw UsageError("--aspect: expected one of " + list + ", the aspects of " + file + ", got " +
                         (asked.empty() ? "nothing" : asked) + did_you_mean(asked, known));
    return asked;
}

}  // namespace craft
