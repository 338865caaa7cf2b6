// A system that says what a function says, and counts what it was asked.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "systems/recorded/answer_cache.h"
#include "systems/system.h"

namespace craft::test {

inline Request ask(const std::string& text, uint64_t sample = 0) {
    return {{{Role::user, text}}, 0, sample};
}

inline std::string question_of(const Request& request) {
    return request.conversation.messages.at(0).at("content").get<std::string>();
}

class ScriptedSystem : public System {
public:
    using Script = std::function<Reply(const Request& request)>;
    // `script` may be called by several threads at once.
    explicit ScriptedSystem(Script script) : script_(std::move(script)) {}
    std::vector<Reply> answer_into(const std::vector<Request>& requests, const SamplingOptions& /*sampling*/,
                                   const ReplySink& sink) override {
        std::vector<Reply> replies;
        for (size_t i = 0; i < requests.size(); ++i) {
            {
                const std::lock_guard<std::mutex> lock(mutex_);
                asked_.push_back(question_of(requests[i]) + "/" + std::to_string(requests[i].sample));
            }
            replies.push_back(script_(requests[i]));
            if (sink) sink({i}, {replies.back()});
        }
        return replies;
    }
    std::string name() const override { return "scripted"; }
    Json record(const Request& request, const SamplingOptions& sampling) const override {
        Json record = {{"model", "scripted"}};
        add_request(record, request, sampling);
        return record;
    }
    std::vector<std::string> asked() const {
        const std::lock_guard<std::mutex> lock(mutex_);
        return asked_;
    }

private:
    Script script_;
    mutable std::mutex mutex_;
    std::vector<std::string> asked_;
};

// An answer whose every field has a value.
inline Reply full_reply(const std::string& text) {
    Reply reply;
    reply.text = text;
    reply.reasoning = "because of " + text;
    reply.usage = {.prompt_tokens = 12, .new_tokens = 3, .cached_tokens = 4, .seconds = .1, .retries = 2, .usd = 1e-5 / 3};
    reply.mean_logprob = -1. / 3;
    return reply;
}

inline NewAnswer new_answer(const std::string& request, uint64_t sample, Reply reply) {
    return {recorded_request("{\"q\":\"" + request + "\"}", sample), std::move(reply), "scripted"};
}

// All that a reply says but whether it was recorded.
inline std::string said(const Reply& reply) {
    const Json rest = {{"status", static_cast<int>(reply.status)},
                       {"failure", failure_name(reply.failure)},
                       {"error", reply.error},
                       {"logprob", value_or_null(reply.mean_logprob)},
                       {"prompt", reply.usage.prompt_tokens},
                       {"new", reply.usage.new_tokens},
                       {"cached", reply.usage.cached_tokens},
                       {"seconds", reply.usage.seconds},
                       {"retries", reply.usage.retries},
                       {"usd", value_or_null(reply.usage.usd)}};
    return reply.text + "|" + reply.reasoning + "|" + rest.dump();
}

}  // namespace craft::test
