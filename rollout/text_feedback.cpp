#include "rollout/text_feedback.h"

#include <algorithm>

#include "core/error.h"
#include "data/feedback_reply.h"
#include "rollout/feedback.h"

namespace craft {

const std::vector<std::string>& text_feedback_aspects() {
    static const std::vector<std::string> aspects = {"fluency", "grammaticality", "coherence"};
    return aspects;
}

TextFeedbackGiver::TextFeedbackGiver(System& system, const PromptFiles& prompts, TextFeedbackOptions options)
    : system_(system), options_(std::move(options)) {
    const std::filesystem::path file = prompts.path("feedback.json");
    const WordingTable wordings = WordingTable::load(file);
    for (const std::string& aspect : options_.aspects) {
        const auto& known = text_feedback_aspects();
        if (std::find(known.begin(), known.end(), aspect) == known.end())
            throw_unknown("aspect of text feedback", aspect, known);
        const std::string& wording = wordings.first("text_feedback." + aspect);
        for (const char* placeholder : {"{original}", "{suggestion}"})
            if (wording.find(placeholder) == std::string::npos)
                throw Error(file.string() + ": text_feedback." + aspect, std::string("the placeholder ") + placeholder,
                            "none");
        aspects_.push_back({prompts.text("feedback." + aspect + ".txt", {"text"}), wording});
    }
}

void TextFeedbackGiver::add(const Reply& reply, const std::string& text, const Aspect& aspect, TextFeedback& told) const {
    told.usage.push_back(reply.usage);
    if (const std::string problem = reply.problem(); !problem.empty()) {
        ++told.counted["feedback: " + problem];
        return;
    }
    const FeedbackReply read = read_feedback_reply(reply.text, text);
    for (const auto& [kind, count] : read.counted) told.counted["feedback: " + kind] += count;
    int64_t left = options_.max_suggestions;
    for (const Suggestion& one : read.suggestions) {
        ++told.counted[left > 0 ? "feedback: suggestions" : "feedback: beyond the most"];
        if (left-- <= 0) continue;
        told.lines += (told.lines.empty() ? "" : "\n") +
                      fill_in(aspect.wording, {{"original", one.original}, {"suggestion", one.suggestion}});
    }
}

std::vector<std::string> TextFeedbackGiver::prompts(const std::string& text) const {
    std::vector<std::string> all;
    for (const Aspect& aspect : aspects_) all.push_back(fill_in(aspect.prompt, {{"text", text}}));
    return all;
}

std::vector<TextFeedback> TextFeedbackGiver::of(const std::vector<std::string>& texts) const {
    std::vector<TextFeedback> told(texts.size());
    std::map<std::string, size_t> first;  // of equal texts the one that is asked about
    std::vector<Request> asks;
    for (size_t i = 0; i < texts.size(); ++i) {
        if (!first.emplace(texts[i], i).second) continue;
        const std::vector<std::string> all = prompts(texts[i]);
        for (size_t a = 0; a < all.size(); ++a) asks.push_back({{{Role::user, all[a]}}, stable_hash(texts[i]), a});
    }
    if (asks.empty()) return told;
    const std::vector<Reply> replies = system_.answer(asks, options_.sampling);
    if (replies.size() != asks.size())
        throw Error("feedback " + system_.name(), std::to_string(asks.size()) + " replies", std::to_string(replies.size()));
    size_t next = 0;
    for (size_t i = 0; i < texts.size(); ++i) {
        if (const size_t asked = first.at(texts[i]); asked != i) {
            told[i].lines = told[asked].lines;
            continue;
        }
        for (const Aspect& aspect : aspects_) add(replies[next++], texts[i], aspect, told[i]);
    }
    return told;
}

void note_feedback(RevisionResult& result, const TextFeedback& told) {
    for (const Usage& usage : told.usage) result.cost.add(usage);
    for (const auto& [kind, count] : told.counted) result.counted[kind] += count;
}

void add_to_step(Step& step, const std::string& lines, const WordingTable& wordings) {
    if (lines.empty()) return;
    step.feedback += (step.feedback.empty() ? "" : "\n") + lines;
    step.observation = observation_text(step.revision, step.feedback, wordings);
}

}  // namespace craft
