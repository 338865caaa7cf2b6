// `openai:PROFILE` that is asked by the files of a batch: what would be sent, and how what came back is read.
#pragma once

#include <string>
#include <vector>

#include "systems/hosted/profile.h"
#include "systems/system.h"

namespace craft {

// Sends nothing, so that it reads no key. What it says of a request is what HostedSystem of the same profile says, so that
// both find each other's recorded answers.
class UnsentSystem : public System {
public:
    explicit UnsentSystem(HostedProfile profile) : profile_(std::move(profile)) {}

    // Throws Error: a system of this kind cannot answer.
    std::vector<Reply> answer_into(const std::vector<Request>& requests, const SamplingOptions& sampling,
                                   const ReplySink& sink) override;
    std::string name() const override { return "openai:" + profile_.name; }
    Json record(const Request& request, const SamplingOptions& sampling) const override;
    // What a file asks: the record, with the seed of the request's own sample.
    Json body(const Request& request, const SamplingOptions& sampling) const;
    // The first choice of a chat completion, with its price; a failed reply where it is none.
    Reply reply(const Json& completion) const;
    const HostedProfile& profile() const { return profile_; }

private:
    HostedProfile profile_;
};

}  // namespace craft
