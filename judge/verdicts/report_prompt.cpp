#include "judge/verdicts/report_prompt.h"

#include "core/error.h"

namespace craft {

namespace {

GuidelineAspect reported_aspect(const Guideline& guideline, const std::string& name) {
    for (const GuidelineAspect& one : guideline.aspects)
        if (one.name == name) return one;
    if (guideline.aspects.empty() && name.empty()) return {};
    throw_unknown("aspect", name, guideline.aspect_names());
}

}  // namespace

ReportPrompt::ReportPrompt(const Guideline& guideline, std::string aspect, const PromptFiles& prompts,
                           JudgingMaterials materials)
    : wordings_(WordingTable::load(prompts.path("report.json"))),
      materials_(std::move(materials), reported_aspect(guideline, aspect).sees_alignment,
                 reported_aspect(guideline, aspect).sees_parses) {
    const std::string task =
        aspect.empty() ? wordings_.first("task") : fill_in(wordings_.first("task_of_aspect"), {{"aspect", aspect}});
    before_.push_back({Role::system, guideline.text + "\n\n" + task});
    NotedInQuestion of_examples;
    for (const GuidelineReport& example : guideline.reports) {
        if (example.aspect != aspect) continue;
        before_.push_back({Role::user, render(example.source, example.candidate, of_examples)});
        before_.push_back({Role::assistant, example.text});
    }
}

ListwiseQuestion ReportPrompt::question(const std::string& source, const std::string& candidate) const {
    ListwiseQuestion question;
    std::vector<Message> messages = before_;
    messages.push_back({Role::user, render(source, candidate, question.noted)});
    question.conversation = Conversation(messages);
    return question;
}

std::string ReportPrompt::render(const std::string& source, const std::string& candidate, NotedInQuestion& noted) const {
    std::string text = fill_in(wordings_.first("source"), {{"text", shown_and_counted(source, noted)}});
    text += materials_.parse_of(source, wordings_, noted);
    text += fill_in(wordings_.first("candidate"), {{"text", shown_and_counted(candidate, noted)}});
    text += materials_.alignments(source, {candidate}, wordings_, noted).at(0);
    text += materials_.parse_of(candidate, wordings_, noted);
    return text + wordings_.first("end");
}

}  // namespace craft
