#include "systems/hosted/hosted_system.h"

#include <algorithm>

#include "core/signals.h"
#include "systems/hosted/hosted_record.h"
#include "systems/hosted/model_list.h"
#include "systems/hosted/url.h"

namespace craft {

namespace {

constexpr double kListPatience = 5;  // seconds for a list of models: a server that has none is not waited for

}  // namespace

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
    return hosted_record(profile_, request, sampling);
}

Json HostedSystem::serving() {
    if (!profile_.serves.empty()) return nullptr;
    const size_t named = report().models.size();
    const std::lock_guard lock(serving_mutex_);
    // The first name is nothing new to who has heard what all servers say.
    const bool is_silent =
        serving_ && std::any_of(serving_->begin(), serving_->end(), [](const Json& said) { return said.is_null(); });
    const bool is_news = named > named_ && (named > 1 || is_silent);
    if (!serving_ || is_news) {
        serving_ = fetch_served_models();
        named_ = named;
    }
    return *serving_;
}

Json HostedSystem::fetch_served_models() const {
    Json said = Json::object();
    const std::vector<HttpAnswer> answers = ask_model_lists(profile_, keys_, kListPatience);
    for (size_t i = 0; i < answers.size(); ++i) {
        const bool has_list = answers[i].end == HttpAnswer::End::replied && answers[i].status == 200;
        said[endpoint_name(profile_.endpoints[i].base_url)] =
            has_list ? reported_model(keys_.redacted(answers[i].body), profile_.model) : Json();
    }
    return said;
}

HostedReport HostedSystem::report() const {
    return dispatcher_->report();
}

}  // namespace craft
