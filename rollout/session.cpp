#include "rollout/session.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>

#include "core/error.h"
#include "rollout/text_feedback.h"

namespace craft {

namespace {

constexpr double kNoGain = 1e-9;  // of S_a, a weighted sum: equal ones can differ in their last bits

// What `one` makes of each of `ins` by itself; without a flow, what `together` makes of all.
template <class In, class Out>
std::vector<Out> made(Flow* flow, const std::vector<In>& ins, const std::function<Out(size_t)>& one,
                      const std::function<std::vector<Out>()>& together) {
    if (flow == nullptr) return together();
    std::vector<Out> outs;
    size_t next = 0;
    flow->run<size_t, Out>(
        [&]() -> std::optional<size_t> { return next < ins.size() ? std::optional(next++) : std::nullopt; },
        [&](size_t& i) { return one(i); }, [&](size_t&, Out& out) { outs.push_back(std::move(out)); });
    return outs;
}

}  // namespace

Session::Session(Responder& planner, Reviser& reviser, Judge& judge, PromptTemplate prompt, WordingTable feedback,
                 const SessionOptions& options)
    : stepper_(planner, reviser, judge), prompt_(std::move(prompt)), feedback_(std::move(feedback)), options_(options) {}

Trajectory Session::start(const Instruction& instruction) const {
    Trajectory trajectory;
    trajectory.instruction = instruction;
    trajectory.prompt = prompt_.render(instruction);
    return trajectory;
}

std::vector<Step> Session::next_steps(const std::vector<StepRequest>& asks) {
    std::vector<Step> steps;
    for (const StepResult& result : stepper_.next(asks)) steps.push_back(result.observed_step(feedback_));
    return steps;
}

// One call for the revisions of all these steps.
void Session::add_suggestions(const std::vector<Step*>& steps) const {
    if (options_.text_feedback == nullptr || steps.empty()) return;
    std::vector<std::string> texts;
    for (const Step* step : steps) texts.push_back(step->revision);
    const std::vector<TextFeedback> told = options_.text_feedback->of(texts);
    for (size_t i = 0; i < steps.size(); ++i) {
        add_to_step(*steps[i], told[i].lines, feedback_);
        for (const auto& [kind, count] : told[i].counted) steps[i]->counted[kind] += count;
    }
}

std::vector<Trajectory> Session::run(const std::vector<Instruction>& instructions) {
    return made<Instruction, Trajectory>(
        options_.flow, instructions, [&](size_t i) { return run_together({instructions[i]}).front(); },
        [&] { return run_together(instructions); });
}

std::vector<Trajectory> Session::run_together(const std::vector<Instruction>& instructions) {
    std::vector<Trajectory> trajectories;
    for (const auto& instruction : instructions) trajectories.push_back(start(instruction));
    const double least_gain = options_.epsilon < 0 ? options_.epsilon : std::max(options_.epsilon, kNoGain);
    std::vector<size_t> active(instructions.size());
    std::iota(active.begin(), active.end(), size_t{0});
    for (int64_t step = 0; step < options_.max_steps && !active.empty(); ++step) {
        std::vector<StepRequest> asks;
        for (const size_t i : active) asks.push_back({&trajectories[i], 0});
        auto steps = next_steps(asks);
        std::vector<size_t> improving;
        for (size_t k = 0; k < active.size(); ++k) {
            Trajectory& trajectory = trajectories[active[k]];
            const bool better =
                trajectory.steps.empty() || steps[k].scores.s_a - trajectory.steps.back().scores.s_a >= least_gain;
            if (!better) continue;
            // After a response that is none there is nothing to continue with.
            if (steps[k].finished) improving.push_back(active[k]);
            trajectory.steps.push_back(std::move(steps[k]));
        }
        active = std::move(improving);
        if (step + 1 == options_.max_steps) break;  // nobody reads what is suggested for the last one
        std::vector<Step*> read;
        for (const size_t i : active) read.push_back(&trajectories[i].steps.back());
        add_suggestions(read);
    }
    return trajectories;
}

std::vector<Trajectory> Session::roll_out(const std::vector<Instruction>& instructions, const std::vector<int64_t>& steps) {
    if (steps.size() != instructions.size())
        throw Error("roll_out", "one number of steps per instruction",
                    std::to_string(steps.size()) + " for " + std::to_string(instructions.size()));
    return made<Instruction, Trajectory>(
        options_.flow, instructions, [&](size_t i) { return roll_out_together({instructions[i]}, {steps[i]}).front(); },
        [&] { return roll_out_together(instructions, steps); });
}

std::vector<Trajectory> Session::roll_out_together(const std::vector<Instruction>& instructions,
                                                   const std::vector<int64_t>& steps) {
    std::vector<Trajectory> trajectories;
    for (const auto& instruction : instructions) trajectories.push_back(start(instruction));
    std::vector<bool> ended(instructions.size(), false);
    for (;;) {
        std::vector<size_t> active;
        std::vector<StepRequest> asks;
        for (size_t i = 0; i < trajectories.size(); ++i) {
            if (ended[i] || static_cast<int64_t>(trajectories[i].steps.size()) >= steps[i]) continue;
            active.push_back(i);
            asks.push_back({&trajectories[i], 0});
        }
        if (active.empty()) break;
        auto next = next_steps(asks);
        for (size_t k = 0; k < active.size(); ++k) {
            ended[active[k]] = !next[k].finished;
            if (next[k].finished) trajectories[active[k]].steps.push_back(std::move(next[k]));
        }
        std::vector<Step*> read;  // by whom the step after the history is sampled, if by nobody before
        for (const size_t i : active)
            if (!ended[i]) read.push_back(&trajectories[i].steps.back());
        add_suggestions(read);
    }
    return trajectories;
}

std::vector<std::vector<Step>> Session::sample(const std::vector<Trajectory>& histories, int64_t samples,
                                               const StepsSink& ranked) {
    if (samples < 1) throw Error("samples of a step", "at least 1", std::to_string(samples));
    const auto told = [&](size_t i, const std::vector<Step>& steps) {
        if (ranked) ranked(i, steps);
    };
    return made<Trajectory, std::vector<Step>>(
        options_.flow, histories,
        [&](size_t i) {
            std::vector<Step> steps = sample_together({histories[i]}, samples).front();
            told(i, steps);
            return steps;
        },
        [&] {
            auto all = sample_together(histories, samples);
            for (size_t i = 0; i < all.size(); ++i) told(i, all[i]);
            return all;
        });
}

std::vector<std::vector<Step>> Session::sample_together(const std::vector<Trajectory>& histories, int64_t samples) {
    std::vector<StepRequest> asks;
    for (const auto& history : histories)
        for (int64_t k = 0; k < samples; ++k) asks.push_back({&history, static_cast<uint64_t>(k)});
    std::vector<std::vector<Step>> out(histories.size());
    for (size_t at = 0; const StepResult& result : stepper_.next(asks))
        out[at++ / static_cast<size_t>(samples)].push_back(result.step());
    return out;
}

}  // namespace craft
