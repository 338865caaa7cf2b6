#include "systems/hosted/hosted_system.h"

#include "core/signals.h"
#include "systems/hosted/chat_request.h"

namespace craft {

HostedSystem::HostedSystem(HostedProfile profile)
    : profile_(std::move(profile)),
      keys_(HostedKeys::read(profile_)),
      dispatcher_(std::make_unique<Dispatcher>(profile_, keys_)) {}

HostedSystem::~HostedSystem() = default;

std::vector<Reply> HostedSystem::answer_into(const std::vector<Request>& requests, const SamplingOptions& sampling,
                                             const ReplySink& sink) {
    throw_if_stopped();
    if (requests.empty()) return {};
    record(requests.front(), sampling);  // what cannot be asked for at all is said here, and not in the dispatcher's thread
    const auto batch = std::make_shared<Batch>(requests, sampling);
    dispatcher_->submit(batch);
    try {
        return batch->wait(sink);
    } catch (...) {
        dispatcher_->withdraw(batch);
        throw;
    }
}

Json HostedSystem::record(const Request& request, const SamplingOptions& sampling) const {
    return chat_body(profile_, request, sampling, {.field = profile_.max_tokens_field, .for_record = true});
}

HostedReport HostedSystem::report() const {
    return dispatcher_->report();
}

}  // namespace craft
