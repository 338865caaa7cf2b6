#include "systems/flowing_systems.h"

#include <algorithm>

namespace craft {

ComputedSystem::ComputedSystem(Flow& flow, std::shared_ptr<System> inner) : flow_(flow), inner_(std::move(inner)) {
    serve_ = [this](const std::vector<void*>& jobs) {
        std::vector<Asked*> asked;
        for (void* job : jobs) asked.push_back(static_cast<Asked*>(job));
        serve(asked);
    };
}

std::vector<Reply> ComputedSystem::answer_into(const std::vector<Request>& requests, const SamplingOptions& sampling,
                                               const ReplySink& sink) {
    Asked asked{&requests, &sampling};
    flow_.compute(this, serve_, &asked);
    report_all(asked.replies, sink);
    return std::move(asked.replies);
}

// One call of the inner system for all that were asked with the same sampling.
void ComputedSystem::serve(const std::vector<Asked*>& asked) {
    std::vector<bool> served(asked.size(), false);
    for (size_t first = 0; first < asked.size(); ++first) {
        if (served[first]) continue;
        std::vector<Request> requests;
        std::vector<Asked*> together;
        for (size_t i = first; i < asked.size(); ++i) {
            if (served[i] || *asked[i]->sampling != *asked[first]->sampling) continue;
            served[i] = true;
            together.push_back(asked[i]);
            requests.insert(requests.end(), asked[i]->requests->begin(), asked[i]->requests->end());
        }
        std::vector<Reply> replies = inner_->answer(requests, *asked[first]->sampling);
        if (replies.size() != requests.size())
            throw Error("system " + inner_->name(), std::to_string(requests.size()) + " replies",
                        std::to_string(replies.size()));
        auto from = std::make_move_iterator(replies.begin());
        for (Asked* one : together) {
            const auto to = from + static_cast<std::ptrdiff_t>(one->requests->size());
            one->replies.assign(from, to);
            from = to;
        }
    }
}

}  // namespace craft
