#include "judge/verdicts/pointwise_judge.h"

#include <algorithm>
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

const std::vector<PointwiseAspect>& pointwise_aspects() {
    static const std::vector<std::string> one_to_five = {"1", "2", "3", "4", "5"};
    static const std::vector<PointwiseAspect> aspects = {{"fluency", one_to_five},
                                                         {"coherence", one_to_five},
                                                         {"consistency", one_to_five},
                                                         {"semantics", one_to_five},
                                                         {"grammaticality", {"2 or more", "1", "0"}},
                                                         {"overcorrection", {"substantial", "moderate", "slight", "none"}}};
    return aspects;
}

std::vector<std::string> pointwise_aspect_names() {
    std::vector<std::string> names;
    for (const PointwiseAspect& aspect : pointwise_aspects()) names.push_back(aspect.name);
    return names;
}

PointwiseJudge::PointwiseJudge(System& system, std::string name, const PromptFiles& prompts, const std::string& aspect,
                               ChoiceAsking asking)
    : system_(system), name_(std::move(name)), asking_(std::move(asking)) {
    const auto& known = pointwise_aspects();
    const auto found = std::find_if(known.begin(), known.end(), [&](const auto& one) { return one.name == aspect; });
    if (found == known.end()) throw_unknown("aspect of pointwise judging", aspect, pointwise_aspect_names());
    aspect_ = *found;
    prompt_ = prompts.text("pointwise." + aspect + ".txt", {"source", "candidate"});
}

Judgement PointwiseJudge::judge(const CandidateGroup& group, const std::vector<size_t>& order, uint64_t repeat) const {
    Judgement judgement;
    judgement.judge = name_;
    judgement.order = order;
    judgement.repeat = repeat;
    if (const std::string reason = nothing_to_judge(group, order); !reason.empty()) {
        judgement.reasons[aspect_.name] = reason;
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
        const uint64_t key = stable_hash(group.id + "\n" + aspect_.name + "\n" + text);
        take_mark(ask_choice(system_, prompt, key, repeat, aspect_.marks, asking_), text, candidate, marks, judgement);
    }
    if (!marks.problem.empty()) {
        judgement.reasons[aspect_.name] = marks.problem;
        return judgement;
    }
    std::map<size_t, double> scores;
    for (const size_t candidate : order)
        scores[candidate] = static_cast<double>(*marks.of.at(group.candidates.at(candidate).text));
    judgement.scores.resize(group.candidates.size());
    for (const auto& [candidate, score] : scores) judgement.scores[candidate] = score;
    if (const auto verdict = extremes(scores))
        judgement.verdicts[aspect_.name] = *verdict;
    else
        judgement.reasons[aspect_.name] = "tie";
    return judgement;
}

}  // namespace craft
