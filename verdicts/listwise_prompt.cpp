#include "verdicts/listwise_prompt.h"

#include <algorithm>

#include "core/error.h"
#include "verdicts/shown_text.h"

namespace craft {

namespace {

bool any_aspect(const Guideline& guideline, bool GuidelineAspect::*sees) {
    return std::any_of(guideline.aspects.begin(), guideline.aspects.end(),
                       [&](const GuidelineAspect& aspect) { return aspect.*sees; });
}

// Marks in what was made of a text were counted with the text.
std::string shown(const std::string& text) {
    return shown_text(text).text;
}

std::string shown_and_counted(const std::string& text, std::map<std::string, int64_t>& noted) {
    const ShownText made = shown_text(text);
    for (const std::string& kind : made.noted) ++noted[kind];
    return made.text;
}

// "0_the 1_committee"
std::string numbered(const std::vector<std::string>& words) {
    std::string line;
    for (size_t i = 0; i < words.size(); ++i) line += (i > 0 ? " " : "") + std::to_string(i) + "_" + words[i];
    return line;
}

// "0_the-0_the 3_ascertain-2_find"
std::string linked(const WordAlignment& alignment) {
    std::string line;
    for (const auto& [source, candidate] : alignment.links)
        line += (line.empty() ? "" : " ") + std::to_string(source) + "_" + alignment.source.at(source) + "-" +
                std::to_string(candidate) + "_" + alignment.candidate.at(candidate);
    return line;
}

}  // namespace

ListwisePrompt::ListwisePrompt(Guideline guideline, const PromptFiles& prompts, JudgingMaterials materials)
    : guideline_(std::move(guideline)),
      wordings_(WordingTable::load(prompts.path("listwise.json"))),
      materials_(std::move(materials)),
      sees_alignment_(any_aspect(guideline_, &GuidelineAspect::sees_alignment)),
      sees_parses_(any_aspect(guideline_, &GuidelineAspect::sees_parses)) {
    before_.push_back({Role::system, guideline_.text});
    std::map<std::string, int64_t> of_examples;  // written by the guideline's author, who may write what they want
    for (const GuidelineExample& example : guideline_.examples) {
        before_.push_back({Role::user, render(example.source, example.candidates, of_examples)});
        before_.push_back({Role::assistant, example.reply});
    }
}

std::vector<std::string> ListwisePrompt::lacking() const {
    std::vector<std::string> lacking;
    if (sees_alignment_ && !materials_.align) lacking.emplace_back("alignment");
    if (sees_parses_ && !materials_.parse) lacking.emplace_back("parses");
    return lacking;
}

ListwiseQuestion ListwisePrompt::question(const std::string& source, const std::vector<std::string>& candidates) const {
    ListwiseQuestion question;
    std::vector<Message> messages = before_;
    messages.push_back({Role::user, render(source, candidates, question.noted)});
    question.conversation = Conversation(messages);
    return question;
}

std::string ListwisePrompt::render(const std::string& source, const std::vector<std::string>& candidates,
                                   std::map<std::string, int64_t>& noted) const {
    std::vector<WordAlignment> alignments;
    if (sees_alignment_ && materials_.align) {
        std::vector<std::pair<std::string, std::string>> pairs;
        for (const std::string& candidate : candidates) pairs.emplace_back(source, candidate);
        alignments = materials_.align(pairs);
        if (alignments.size() != pairs.size())
            throw Error("word alignments", std::to_string(pairs.size()), std::to_string(alignments.size()));
    }
    std::string text = fill_in(wordings_.first("source"), {{"text", shown_and_counted(source, noted)}});
    text += parse_of(source, noted);
    for (size_t i = 0; i < candidates.size(); ++i) {
        text += fill_in(wordings_.first("candidate"),
                        {{"number", std::to_string(i)}, {"text", shown_and_counted(candidates[i], noted)}});
        if (!alignments.empty()) text += alignment_of(alignments[i], noted);
        text += parse_of(candidates[i], noted);
    }
    return text + wordings_.first("end");
}

std::string ListwisePrompt::alignment_of(const WordAlignment& alignment, std::map<std::string, int64_t>& noted) const {
    if (!alignment.problem.empty() || alignment.source.empty() || alignment.candidate.empty()) {
        ++noted["without alignment"];
        return "";
    }
    return fill_in(wordings_.first("alignment"), {{"source", shown(numbered(alignment.source))},
                                                  {"candidate", shown(numbered(alignment.candidate))},
                                                  {"links", shown(linked(alignment))}});
}

std::string ListwisePrompt::parse_of(const std::string& text, std::map<std::string, int64_t>& noted) const {
    if (!sees_parses_ || !materials_.parse) return "";
    const std::string parse = materials_.parse(text);
    if (parse.empty()) {
        ++noted["without parse"];
        return "";
    }
    return fill_in(wordings_.first("parse"), {{"parse", shown(parse)}});
}

}  // namespace craft
