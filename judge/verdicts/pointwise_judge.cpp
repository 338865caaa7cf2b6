#include "judge/verdicts/pointwise_judge.h"

#include <optional>

#include "core/error.h"
#include "core/rng.h"
#include "judge/verdicts/extremes.h"
#include "judge/verdicts/listwise_judge.h"
#include "judge/verdicts/shown_text.h"
#include "text/wording_table.h"

namespace craft {

namespace {

// The marks of a group's texts so far.
struct Marks {
    std::map<std::string, std::optional<size_t>> of;  // by text; absent: it could not be read
    std::string problem;
};

void take_mark(const ChoiceAnswer& answer, const std::string& text, size_t candidate, Marks& marks, Judgement& judgement) {
    marks.of[text] = answer.choice;
    for (const ChoiceAttempt& attempt : answer.attempts)
        judgement.attempts.push_back({.reply = attempt.reply,
                                      .thinking = attempt.thinking,
                                      .let_pass = attempt.read.let_pass,
                                      .problem = attempt.read.problem,
                                      .is_failed = attempt.is_failed,
                                      .shown = {candidate}});
    if (!answer.choice && marks.problem.empty()) marks.problem = answer.attempts.back().read.problem;
}

}  // namespace

PointwiseJudge::PointwiseJudge(System& system, std::string name, const PromptFiles& prompts, const std::string& aspect,
                               ChoiceAsking asking, bool marks_all)
    : system_(system),
      name_(std::move(name)),
      scale_(mark_scale(aspect)),
      asking_(std::move(asking)),
      marks_all_(marks_all) {
    prompt_ = prompts.text("pointwise." + aspect + ".txt", {"source", "candidate"});
}

Judgement PointwiseJudge::judge(const CandidateGroup& group, const std::vector<size_t>& order, uint64_t repeat) const {
    Judgement judgement;
    judgement.judge = name_;
    judgement.order = order;
    judgement.repeat = repeat;
    const std::string& aspect = scale_.name;
    const std::string nothing = nothing_to_judge(group, order);
    if (!nothing.empty() && !marks_all_) {
        judgement.reasons[aspect] = nothing;
        return judgement;
    }
    const ShownText source = shown_text(group.source);
    for (const std::string& kind : source.noted) ++judgement.noted[kind];
    Marks marks;
    for (const size_t candidate : order) {
        const std::string& text = group.candidates.at(candidate).text;
        if (marks.of.contains(text)) continue;
        const ShownText shown = shown_text(text);
        for (const std::string& kind : shown.noted) ++judgement.noted[kind];
        const std::string prompt = fill_in(prompt_, {{"source", source.text}, {"candidate", shown.text}});
        const uint64_t key = stable_hash(group.id + "\n" + aspect + "\n" + text);
        take_mark(ask_choice(system_, prompt, key, repeat, scale_.marks, asking_), text, candidate, marks, judgement);
    }
    std::vector<std::optional<double>>& figures = judgement.marks[aspect];
    figures.resize(group.candidates.size());
    for (const size_t candidate : order)
        if (const auto place = marks.of.at(group.candidates.at(candidate).text)) figures[candidate] = scale_.figure(*place);
    if (!marks.problem.empty()) {
        judgement.reasons[aspect] = marks.problem;
        return judgement;
    }
    std::map<size_t, double> scores;
    for (const size_t candidate : order)
        scores[candidate] = static_cast<double>(*marks.of.at(group.candidates.at(candidate).text));
    judgement.scores.resize(group.candidates.size());
    for (const auto& [candidate, score] : scores) judgement.scores[candidate] = score;
    if (const auto verdict = extremes(scores))
        judgement.verdicts[aspect] = *verdict;
    else
        judgement.reasons[aspect] = nothing.empty() ? "tie" : nothing;
    return judgement;
}

}  // namespace craft
