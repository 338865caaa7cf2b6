#include "rollout/responder.h"

#include "core/rng.h"

namespace craft {

uint64_t step_key(const Trajectory& history) {
    const Instruction& instruction = history.instruction;
    return stable_hash(instruction.id + "\n" + instruction.instruction + "\n" + instruction.text, history.steps.size());
}

std::vector<Reply> SystemResponder::respond(const std::vector<StepRequest>& asks) {
    std::vector<Request> requests;
    for (const StepRequest& ask : asks) requests.push_back({ask.history->messages(), step_key(*ask.history), ask.sample});
    std::vector<Reply> replies = system_.answer(requests, sampling_);
    for (const Reply& reply : replies) generated_ += reply.usage.new_tokens;
    return replies;
}

std::vector<Reply> TeacherResponder::respond(const std::vector<StepRequest>& asks) {
    std::vector<Reply> replies;
    for (const StepRequest& ask : asks)
        replies.push_back({print_response(teacher_.respond(*ask.history, step_key(*ask.history), ask.sample))});
    return replies;
}

}  // namespace craft
