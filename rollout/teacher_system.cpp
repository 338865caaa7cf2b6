#include "rollout/teacher_system.h"

#include "core/error.h"

namespace craft {

std::vector<Reply> TeacherSystem::answer(const std::vector<Request>& requests, const SamplingOptions&) {
    std::vector<Reply> replies;
    for (const auto& request : requests) {
        if (request.trajectory == nullptr)
            throw Error("rules teacher", "the trajectory so far with each request", "messages only",
                        "the rules teacher reads gold calls and cannot answer from messages");
        replies.push_back({print_response(teacher_.respond(*request.trajectory, request.item, request.sample)), true, 0, 0});
    }
    return replies;
}

}  // namespace craft
