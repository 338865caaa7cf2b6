#include "rollout/session.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"
#include "core/rng.h"
#include "core/signals.h"
#include "rollout/feedback.h"

namespace craft {

namespace {

constexpr double kNoGain = 1e-9;  // of S_a, a weighted sum: equal ones can differ in their last bits

}  // namespace

uint64_t step_key(const Instruction& instruction, size_t steps) {
    return stable_hash(instruction.id + "\n" + instruction.instruction + "\n" + instruction.text, steps);
}

Session::Session(System& planner, Reviser& reviser, Judge& judge, PromptTemplate prompt, WordingTable feedback,
                 SessionOptions options)
    : planner_(planner),
      reviser_(reviser),
      judge_(judge),
      prompt_(std::move(prompt)),
      feedback_(std::move(feedback)),
      options_(std::move(options)) {}

Trajectory Session::start(const Instruction& instruction) const {
    Trajectory trajectory;
    trajectory.instruction = instruction;
    trajectory.prompt = prompt_.render(instruction);
    return trajectory;
}

// Plans, revises and judges one step for each ask.
std::vector<Step> Session::next_steps(const std::vector<Ask>& asks) {
    std::vector<Request> requests;
    for (const auto& ask : asks)
        requests.push_back({ask.history->messages(), step_key(ask.history->instruction, ask.history->steps.size()),
                            ask.sample, ask.history});
    const auto replies = planner_.answer(requests, options_.sampling);
    if (replies.size() != asks.size())
        throw Error("planner " + planner_.name(), std::to_string(asks.size()) + " replies", std::to_string(replies.size()));

    std::vector<RevisionRequest> revisions;
    for (size_t i = 0; i < asks.size(); ++i) {
        const Trajectory& history = *asks[i].history;
        const std::string& text = history.steps.empty() ? history.instruction.text : history.steps.back().revision;
        // The reviser's stream does not depend on the sample: equal responses get equal revisions.
        revisions.push_back({text, history.instruction.text, replies[i].text, requests[i].item});
        report_.cut_replies += replies[i].finished ? 0 : 1;
    }
    throw_if_stopped();
    const auto revised = reviser_.revise(revisions);
    if (revised.size() != asks.size())
        throw Error("reviser " + reviser_.name(), std::to_string(asks.size()) + " revisions",
                    std::to_string(revised.size()));

    std::vector<Revision> to_judge;
    for (size_t i = 0; i < asks.size(); ++i)
        to_judge.push_back({&asks[i].history->instruction, replies[i].text, revised[i]});
    throw_if_stopped();
    const auto judged = judge_.judge(to_judge);

    std::vector<Step> steps(asks.size());
    for (size_t i = 0; i < asks.size(); ++i) {
        steps[i].response = replies[i].text;
        steps[i].finished = replies[i].finished;
        steps[i].mean_logprob = replies[i].mean_logprob;
        steps[i].revision = revised[i];
        steps[i].scores = judged[i].scores();
        const MeasuredText original(asks[i].history->instruction.text, options_.sentences),
            revision(revised[i], options_.sentences);
        steps[i].feedback = step_feedback(replies[i].text, original, revision, judged[i].s_r, feedback_);
        steps[i].observation = observation_text(revised[i], steps[i].feedback, feedback_);
    }
    report_.steps += static_cast<int64_t>(steps.size());
    return steps;
}

std::vector<Trajectory> Session::run(const std::vector<Instruction>& instructions) {
    std::vector<Trajectory> trajectories;
    for (const auto& instruction : instructions) trajectories.push_back(start(instruction));
    const double least_gain = options_.epsilon < 0 ? options_.epsilon : std::max(options_.epsilon, kNoGain);
    std::vector<size_t> active(instructions.size());
    std::iota(active.begin(), active.end(), size_t{0});
    for (int64_t step = 0; step < options_.max_steps && !active.empty(); ++step) {
        std::vector<Ask> asks;
        for (const size_t i : active) asks.push_back({&trajectories[i], 0});
        auto steps = next_steps(asks);
        std::vector<size_t> improving;
        for (size_t k = 0; k < active.size(); ++k) {
            Trajectory& trajectory = trajectories[active[k]];
            const bool better =
                trajectory.steps.empty() || steps[k].scores.s_a - trajectory.steps.back().scores.s_a >= least_gain;
            if (!better) {
                ++report_.stopped["no gain"];
                continue;
            }
            trajectory.steps.push_back(std::move(steps[k]));
            improving.push_back(active[k]);
        }
        active = std::move(improving);
    }
    if (!active.empty()) report_.stopped["most steps"] += static_cast<int64_t>(active.size());
    report_.trajectories += static_cast<int64_t>(trajectories.size());
    return trajectories;
}

std::vector<Trajectory> Session::roll_out(const std::vector<Instruction>& instructions, const std::vector<int64_t>& steps) {
    if (steps.size() != instructions.size())
        throw Error("roll_out", "one number of steps an instruction",
                    std::to_string(steps.size()) + " for " + std::to_string(instructions.size()));
    std::vector<Trajectory> trajectories;
    for (const auto& instruction : instructions) trajectories.push_back(start(instruction));
    for (;;) {
        std::vector<size_t> active;
        std::vector<Ask> asks;
        for (size_t i = 0; i < trajectories.size(); ++i) {
            if (static_cast<int64_t>(trajectories[i].steps.size()) >= steps[i]) continue;
            active.push_back(i);
            asks.push_back({&trajectories[i], 0});
        }
        if (active.empty()) break;
        auto next = next_steps(asks);
        for (size_t k = 0; k < active.size(); ++k) trajectories[active[k]].steps.push_back(std::move(next[k]));
    }
    report_.trajectories += static_cast<int64_t>(trajectories.size());
    return trajectories;
}

std::vector<std::vector<Step>> Session::sample(const std::vector<Trajectory>& histories, int64_t samples) {
    if (samples < 1) throw Error("samples of a step", "at least 1", std::to_string(samples));
    std::vector<Ask> asks;
    for (const auto& history : histories)
        for (int64_t k = 0; k < samples; ++k) asks.push_back({&history, static_cast<uint64_t>(k)});
    auto steps = next_steps(asks);
    std::vector<std::vector<Step>> out(histories.size());
    for (size_t i = 0; i < steps.size(); ++i) out[i / static_cast<size_t>(samples)].push_back(std::move(steps[i]));
    return out;
}

}  // namespace craft
