// `openai:PROFILE`: a hosted model as a system, by OpenAI's Chat Completions.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "systems/hosted/dispatcher.h"
#include "systems/hosted/profile.h"
#include "systems/system.h"

namespace craft {

// Each request is asked for until it has an answer, a failure that another request would not change, or no retries left. A
// history over the model's window is Failure::prompt_too_long. Wrong keys, a spent quota, a parameter that the server
// refuses, an untrusted certificate and too many failed items end the run: Error from every answer() under way and later
// ones, after the answers that had come or were on their way. What the budget does not bear is Failure::over_budget.
class HostedSystem : public System {
public:
    // Reads the keys. Throws UsageError where one is missing or unreadable; Error where libcurl cannot be started.
    explicit HostedSystem(HostedProfile profile);
    ~HostedSystem() override;

    // Thread-safe. `sink` is called on the caller's thread. At a stop signal nothing more is sent; answers that come within
    // the profile's grace still reach the sink, then Stopped is thrown.
    std::vector<Reply> answer_into(const std::vector<Request>& requests, const SamplingOptions& sampling,
                                   const ReplySink& sink) override;
    std::string name() const override { return "openai:" + profile_.name; }
    Json record(const Request& request, const SamplingOptions& sampling) const override;  // hosted_record()
    // {endpoint_name(): reported_model()}, in which an endpoint that says nothing has null; null where the profile says
    // itself what they serve. Thread-safe. They are asked at the first call and, for a server may have come up or been
    // started again with another model, when answers name a model that they had not named before.
    Json serving() override;
    HostedReport report() const;
    Json figures() const override { return report().to_json(); }

private:
    Json fetch_served_models() const;

    HostedProfile profile_;
    HostedKeys keys_;
    std::mutex serving_mutex_;  // of what follows
    std::optional<Json> serving_;
    size_t named_ = 0;  // models that answers had named when `serving_` was asked for
    std::unique_ptr<Dispatcher> dispatcher_;
};

}  // namespace craft
