#include "rollout/stepper.h"

#include <unordered_map>

#include "core/error.h"
#include "core/signals.h"
#include "rollout/feedback.h"

namespace craft {

namespace {

void expect_one_each(const std::string& who, const char* what, size_t asks, size_t got) {
    if (got != asks) throw Error(who, std::to_string(asks) + " " + what, std::to_string(got));
}

}  // namespace

Step StepResult::step() const {
    Step step;
    step.response = reply.text;
    step.finished = reply.is_finished();
    step.mean_logprob = reply.mean_logprob;
    step.revision = revision.text();
    step.unusable = revised.unusable;
    count_revision(step.counted, revised);
    step.scores = judged.scores();
    return step;
}

Step StepResult::observed_step(const WordingTable& wordings, const KeywordFinder& names) const {
    Step observed = step();
    observed.feedback = step_feedback(response.calls, *original, revision, judged.s_r, wordings, names);
    observed.observation = observation_text(observed.revision, observed.feedback, wordings);
    return observed;
}

std::vector<StepResult> Stepper::next(const std::vector<StepRequest>& asks) {
    std::vector<Reply> replies = planner_.respond(asks);
    expect_one_each("planner " + planner_.name(), "replies", asks.size(), replies.size());
    std::vector<ParsedResponse> responses;
    for (const Reply& reply : replies) responses.emplace_back(reply.problem().empty() ? reply.text : "");

    std::vector<Revised> revised(asks.size());
    std::vector<RevisionRequest> requests;
    std::vector<size_t> planned;  // whose each request is
    for (size_t i = 0; i < asks.size(); ++i) {
        const Trajectory& history = *asks[i].history;
        const std::string& original = history.instruction.text;
        revised[i].text = history.steps.empty() ? original : history.steps.back().revision;
        revised[i].unusable = replies[i].problem();
        if (!revised[i].is_usable()) continue;
        // The reviser's stream does not depend on the sample: equal responses get equal revisions.
        requests.push_back({revised[i].text, original, &responses[i], step_key(history), history.instruction.instruction});
        planned.push_back(i);
    }
    throw_if_stopped();
    std::vector<Revised> made = revise_all(reviser_, requests);
    for (size_t k = 0; k < planned.size(); ++k) revised[planned[k]] = std::move(made[k]);

    std::vector<StepResult> results;
    results.reserve(asks.size());
    std::unordered_map<std::string_view, std::shared_ptr<const MeasuredText>> originals;
    std::vector<Revision> to_judge;
    for (size_t i = 0; i < asks.size(); ++i) {
        const Instruction& instruction = asks[i].history->instruction;
        std::shared_ptr<const MeasuredText>& original = originals[instruction.text];
        if (!original) original = std::make_shared<const MeasuredText>(instruction.text, judge_.sentences());
        results.push_back({std::move(replies[i]),
                           std::move(responses[i]),
                           original,
                           MeasuredText(std::move(revised[i].text), judge_.sentences()),
                           std::move(revised[i]),
                           {}});
        const StepResult& result = results.back();
        to_judge.push_back({&instruction, &result.response.calls, original.get(), &result.revision});
    }
    throw_if_stopped();
    std::vector<Judged> judged = judge_.judge(to_judge);
    expect_one_each("judge", "verdicts", asks.size(), judged.size());
    for (size_t i = 0; i < asks.size(); ++i) results[i].judged = std::move(judged[i]);
    return results;
}

}  // namespace craft
