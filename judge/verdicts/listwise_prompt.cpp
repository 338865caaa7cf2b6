#include "judge/verdicts/listwise_prompt.h"

#include <algorithm>

#include "core/error.h"
#include "judge/verdicts/shown_text.h"

namespace craft {

namespace {

bool any_aspect(const Guideline& guideline, bool GuidelineAspect::*sees) {
    return std::any_of(guideline.aspects.begin(), guideline.aspects.end(),
                       [&](const GuidelineAspect& aspect) { return aspect.*sees; });
}

// Headings are part of a response's form.
std::string shown_response(const std::string& response, NotedInQuestion& noted) {
    const ShownText made = shown_text(response);
    for (const std::string& kind : made.noted)
        if (kind != "text like a heading") ++noted[kind];
    return made.text;
}

}  // namespace

void require_shown(const Guideline& guideline, const CandidateGroup& group) {
    if (guideline.sees_instruction && !group.instruction)
        throw Error("group " + group.id, "an instruction, which the guideline shows", "none");
    for (size_t i = 0; guideline.sees_responses && i < group.candidates.size(); ++i)
        if (!group.candidates[i].response)
            throw Error("group " + group.id + ": candidate " + std::to_string(i), "a response, which the guideline shows",
                        "none");
}

ListwisePrompt::ListwisePrompt(Guideline guideline, const PromptFiles& prompts, JudgingMaterials materials)
    : guideline_(std::move(guideline)),
      wordings_(WordingTable::load(prompts.path("listwise.json"))),
      materials_(std::move(materials), any_aspect(guideline_, &GuidelineAspect::sees_alignment),
                 any_aspect(guideline_, &GuidelineAspect::sees_parses)) {
    before_.push_back({Role::system, guideline_.text});
    NotedInQuestion of_examples;  // written by the guideline's author, who may write what they want
    for (const GuidelineExample& example : guideline_.examples) {
        before_.push_back({Role::user, render(example, of_examples)});
        before_.push_back({Role::assistant, example.reply});
    }
}

ListwiseQuestion ListwisePrompt::question(const CandidateGroup& group, const std::vector<size_t>& order) const {
    require_shown(guideline_, group);
    ListwiseQuestion question;
    std::vector<Message> messages = before_;
    messages.push_back({Role::user, render(shown_of(group, order), question.noted)});
    question.conversation = Conversation(messages);
    return question;
}

ShownCandidates ListwisePrompt::shown_of(const CandidateGroup& group, const std::vector<size_t>& order) const {
    ShownCandidates shown{group.source, {}};
    if (guideline_.sees_instruction) shown.instruction = group.instruction.value();
    for (const size_t candidate : order) {
        const Candidate& one = group.candidates.at(candidate);
        shown.candidates.push_back(one.text);
        if (guideline_.sees_responses) shown.responses.push_back(one.response.value());
    }
    return shown;
}

std::string ListwisePrompt::render(const ShownCandidates& shown, NotedInQuestion& noted) const {
    const std::vector<std::string> alignments = materials_.alignments(shown.source, shown.candidates, wordings_, noted);
    std::string text = fill_in(wordings_.first("source"), {{"text", shown_and_counted(shown.source, noted)}});
    text += materials_.parse_of(shown.source, wordings_, noted);
    if (guideline_.sees_instruction)
        text += fill_in(wordings_.first("instruction"), {{"text", shown_and_counted(shown.instruction, noted)}});
    for (size_t i = 0; i < shown.candidates.size(); ++i) {
        text += fill_in(wordings_.first("candidate"),
                        {{"number", std::to_string(i)}, {"text", shown_and_counted(shown.candidates[i], noted)}});
        text += alignments[i];
        text += materials_.parse_of(shown.candidates[i], wordings_, noted);
        if (guideline_.sees_responses)
            text += fill_in(wordings_.first("response"), {{"text", shown_response(shown.responses[i], noted)}});
    }
    return text + wordings_.first("end");
}

}  // namespace craft
