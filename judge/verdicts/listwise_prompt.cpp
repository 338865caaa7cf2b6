#include "judge/verdicts/listwise_prompt.h"

#include <algorithm>

namespace craft {

namespace {

bool any_aspect(const Guideline& guideline, bool GuidelineAspect::*sees) {
    return std::any_of(guideline.aspects.begin(), guideline.aspects.end(),
                       [&](const GuidelineAspect& aspect) { return aspect.*sees; });
}

}  // namespace

ListwisePrompt::ListwisePrompt(Guideline guideline, const PromptFiles& prompts, JudgingMaterials materials)
    : guideline_(std::move(guideline)),
      wordings_(WordingTable::load(prompts.path("listwise.json"))),
      materials_(std::move(materials), any_aspect(guideline_, &GuidelineAspect::sees_alignment),
                 any_aspect(guideline_, &GuidelineAspect::sees_parses)) {
    before_.push_back({Role::system, guideline_.text});
    NotedInQuestion of_examples;  // written by the guideline's author, who may write what they want
    for (const GuidelineExample& example : guideline_.examples) {
        before_.push_back({Role::user, render(example.source, example.candidates, of_examples)});
        before_.push_back({Role::assistant, example.reply});
    }
}

ListwiseQuestion ListwisePrompt::question(const std::string& source, const std::vector<std::string>& candidates) const {
    ListwiseQuestion question;
    std::vector<Message> messages = before_;
    messages.push_back({Role::user, render(source, candidates, question.noted)});
    question.conversation = Conversation(messages);
    return question;
}

std::string ListwisePrompt::render(const std::string& source, const std::vector<std::string>& candidates,
                                   NotedInQuestion& noted) const {
    const std::vector<std::string> alignments = materials_.alignments(source, candidates, wordings_, noted);
    std::string text = fill_in(wordings_.first("source"), {{"text", shown_and_counted(source, noted)}});
    text += materials_.parse_of(source, wordings_, noted);
    for (size_t i = 0; i < candidates.size(); ++i) {
        text += fill_in(wordings_.first("candidate"),
                        {{"number", std::to_string(i)}, {"text", shown_and_counted(candidates[i], noted)}});
        text += alignments[i];
        text += materials_.parse_of(candidates[i], wordings_, noted);
    }
    return text + wordings_.first("end");
}

}  // namespace craft
