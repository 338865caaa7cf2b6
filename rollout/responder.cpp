#include "rollout/responder.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"
#include "core/rng.h"

namespace craft {

namespace {

constexpr const char* kLeftOutObservation = "###OBSERVATION: (left out)";

}  // namespace

uint64_t step_key(const Trajectory& history) {
    const Instruction& instruction = history.instruction;
    return stable_hash(instruction.id + "\n" + instruction.instruction + "\n" + instruction.text, history.steps.size());
}

std::vector<Message> messages_without(const Trajectory& history, size_t cut) {
    std::vector<Message> messages = history.messages();
    for (Message& message : messages) {
        if (cut == 0) break;
        // The first user message is the prompt.
        if (message.role != Role::user || &message == &messages.front()) continue;
        message.content = kLeftOutObservation;
        --cut;
    }
    return messages;
}

bool is_malformed(const Reply& reply) {
    // A system asks by itself once more where that may help.
    if (!reply.problem().empty()) return false;
    const ParsedResponse response(reply.text);
    const auto unusable = [](const ParsedCall& call) { return !call.call; };
    return (response.calls.calls.empty() && response.parts.plan.empty()) ||
           std::any_of(response.calls.calls.begin(), response.calls.calls.end(), unusable);
}

std::vector<Reply> SystemResponder::respond(const std::vector<StepRequest>& asks) {
    std::vector<Reply> replies = within_window(asks, sampling_);
    SamplingOptions again = sampling_;
    if (again.temperature == 0) again.temperature = options_.again_temperature;
    for (int64_t attempt = 1; attempt < options_.attempts; ++attempt) {
        std::vector<size_t> which;
        std::vector<StepRequest> some;
        for (size_t i = 0; i < asks.size(); ++i) {
            if (!is_malformed(replies[i])) continue;
            which.push_back(i);
            some.push_back({asks[i].history, asks[i].sample + static_cast<uint64_t>(attempt) * kAttemptStride});
        }
        if (which.empty()) break;
        again_ += static_cast<int64_t>(which.size());
        std::vector<Reply> answered = within_window(some, again);
        for (size_t k = 0; k < which.size(); ++k) replies[which[k]] = std::move(answered[k]);
    }
    return replies;
}

std::vector<Reply> SystemResponder::within_window(const std::vector<StepRequest>& asks, const SamplingOptions& sampling) {
    std::vector<Reply> replies(asks.size());
    std::vector<size_t> open(asks.size());
    std::iota(open.begin(), open.end(), size_t{0});
    for (size_t cut = 0; !open.empty(); ++cut) {
        std::vector<Request> requests;
        for (const size_t i : open)
            requests.push_back({messages_without(*asks[i].history, cut), step_key(*asks[i].history), asks[i].sample});
        std::vector<Reply> answered = system_.answer(requests, sampling);
        if (answered.size() != requests.size())
            throw Error("planner " + name(), std::to_string(requests.size()) + " replies", std::to_string(answered.size()));
        std::vector<size_t> again;
        for (size_t k = 0; k < open.size(); ++k) {
            Reply& reply = replies[open[k]];
            reply = std::move(answered[k]);
            generated_ += reply.usage.new_tokens;
            // The last observation holds the revision that is to be planned for: it stays.
            if (reply.failure != Failure::prompt_too_long || cut + 1 >= asks[open[k]].history->steps.size()) continue;
            again.push_back(open[k]);
            ++cut_;
        }
        open = std::move(again);
    }
    return replies;
}

std::vector<Reply> TeacherResponder::respond(const std::vector<StepRequest>& asks) {
    std::vector<Reply> replies;
    for (const StepRequest& ask : asks)
        replies.push_back({print_response(teacher_.respond(*ask.history, step_key(*ask.history), ask.sample))});
    return replies;
}

}  // namespace craft
