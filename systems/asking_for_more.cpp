#include "systems/asking_for_more.h"

#include "core/error.h"

namespace craft {

namespace {

bool is_cut(const Reply& reply) {
    return reply.status == Reply::Status::cut;
}

bool is_too_long(const Reply& reply) {
    return reply.failure == Failure::prompt_too_long;
}

// What both requests cost.
Usage sum_of(const Usage& first, const Usage& second) {
    Usage sum = second;
    sum.prompt_tokens += first.prompt_tokens;
    sum.new_tokens += first.new_tokens;
    sum.cached_tokens += first.cached_tokens;
    sum.seconds += first.seconds;
    sum.retries += first.retries + 1;
    if (first.usd) sum.usd = sum.usd.value_or(0) + *first.usd;
    return sum;
}

}  // namespace

std::vector<Reply> AskingForMore::answer_into(const std::vector<Request>& requests, const SamplingOptions& sampling,
                                              const ReplySink& sink) {
    if (sampling.max_new_tokens) return inner_.answer_into(requests, sampling, sink);
    const ReplySink finished = [&](const std::vector<size_t>& which, const std::vector<Reply>& told) {
        for (size_t i = 0; i < which.size(); ++i)
            if (sink && !is_cut(told[i]) && !is_too_long(told[i])) sink({which[i]}, {told[i]});
    };
    std::vector<Reply> replies = inner_.answer_into(requests, sampling, finished);
    std::vector<size_t> open;
    for (size_t i = 0; i < replies.size(); ++i)
        if (is_cut(replies[i]) || is_too_long(replies[i])) open.push_back(i);
    ask_again(requests, sampling, 2 * kMaxNewTokens, is_cut, replies);
    ask_again(requests, sampling, kFewerNewTokens, is_too_long, replies);
    for (const size_t i : open)
        if (sink) sink({i}, {replies[i]});
    return replies;
}

void AskingForMore::ask_again(const std::vector<Request>& requests, SamplingOptions sampling, int64_t limit,
                              const IsOpen& is_open, std::vector<Reply>& replies) {
    std::vector<Request> again;
    std::vector<size_t> which;
    const SamplingOptions before = sampling;
    sampling.max_new_tokens = limit;
    for (size_t i = 0; i < replies.size(); ++i) {
        // Where the request has no limit (HostedProfile::omit), it would be the same one.
        if (!is_open(replies[i]) || inner_.record(requests[i], sampling) == inner_.record(requests[i], before)) continue;
        again.push_back(requests[i]);
        which.push_back(i);
    }
    if (again.empty()) return;
    std::vector<Reply> answered = inner_.answer(again, sampling);
    if (answered.size() != again.size())
        throw Error("system " + name(), std::to_string(again.size()) + " replies", std::to_string(answered.size()));
    for (size_t k = 0; k < which.size(); ++k) {
        Reply& reply = replies[which[k]];
        const Usage usage = sum_of(reply.usage, answered[k].usage);
        if (answered[k].status != Reply::Status::failed) reply = std::move(answered[k]);
        reply.usage = usage;
    }
}

}  // namespace craft
