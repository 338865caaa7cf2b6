#include "systems/system.h"

#include <numeric>

namespace craft {

const char* failure_name(Failure failure) {
    switch (failure) {
        case Failure::none:
            return "none";
        case Failure::prompt_too_long:
            return "prompt_too_long";
        case Failure::rate_limited:
            return "rate_limited";
        case Failure::server_error:
            return "server_error";
        case Failure::refused_request:
            return "refused_request";
        case Failure::redirected:
            return "redirected";
        case Failure::timed_out:
            return "timed_out";
        case Failure::dropped:
            return "dropped";
        case Failure::broken_reply:
            return "broken_reply";
        case Failure::not_json:
            return "not_json";
        case Failure::error_in_reply:
            return "error_in_reply";
        case Failure::no_choices:
            return "no_choices";
        case Failure::no_content:
            return "no_content";
        case Failure::content_filtered:
            return "content_filtered";
        case Failure::declined:
            return "declined";
        case Failure::over_budget:
            return "over_budget";
        case Failure::awaited:
            return "awaited";
    }
    return "unknown";
}

std::string Reply::problem() const {
    switch (status) {
        case Status::finished:
            return "";
        case Status::cut:
            return "cut";
        case Status::failed:
            return failure_name(failure);
    }
    return "unknown";
}

Reply Reply::failed(Failure failure, std::string error) {
    Reply reply;
    reply.status = Status::failed;
    reply.failure = failure;
    reply.error = std::move(error);
    return reply;
}

void report_all(const std::vector<Reply>& replies, const ReplySink& sink) {
    if (!sink || replies.empty()) return;
    std::vector<size_t> all(replies.size());
    std::iota(all.begin(), all.end(), size_t{0});
    sink(all, replies);
}

void add_request(Json& record, const Request& request, const SamplingOptions& sampling) {
    record["messages"] = request.conversation.messages;
    add_surroundings(record, request.conversation);
    record["max_new_tokens"] = sampling.limit();
    record["temperature"] = sampling.temperature;
    if (sampling.temperature > 0) record["top_p"] = sampling.top_p;
    if (!sampling.stop.empty()) record["stop"] = sampling.stop;
    if (sampling.constrain_calls) record["constrain_calls"] = true;
}

}  // namespace craft
