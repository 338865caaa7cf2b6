// `openai:PROFILE` that is asked by the files of a batch: what would be sent, and how what came back is read.
#pragma once

#include <string>
#include <vector>

#include "systems/file_reply.h"
#include "systems/hosted/profile.h"

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
    // What a file asks, with the seed of the request's own sample; `learnt`: with max_completion_tokens, for the server has
    // refused max_tokens.
    Json body(const Request& request, const SamplingOptions& sampling, bool learnt = false) const;
    // What a server sent with this status (0: not known) in answer to a request of this record, in canonical JSON: the first
    // choice of a chat completion, with its price, or why there is none, and what becomes of the item, all as HostedSystem
    // has it.
    FileReply read(int64_t status, const Json& sent, const std::string& record) const;
    const HostedProfile& profile() const { return profile_; }

private:
    FileReply read_answer(const Json& completion, const Json& asked) const;
    FileReply read_refusal(long status, const Json& sent, const Json& asked) const;
    HostedProfile profile_;
};

}  // namespace craft
