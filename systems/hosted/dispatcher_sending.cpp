// What is sent when, and to which endpoint.
#include <algorithm>

#include "core/error.h"
#include "core/log.h"
#include "systems/hosted/chat_request.h"
#include "systems/hosted/dispatcher_loop.h"
#include "systems/hosted/url.h"

namespace craft {

std::string Dispatcher::Loop::body_of(const Job& job, MaxTokensField field) const {
    return dump_line(
        chat_body(profile_, job.batch->request(job.first), job.batch->sampling(), {.field = field, .samples = job.samples}));
}

// Makes the next body, if none is made; false where nothing waits.
bool Dispatcher::Loop::prepare(double now) {
    if (prepared_) return true;
    std::optional<Job> job = queue_.next(now);
    if (!job) return false;
    Prepared next;
    next.job = std::move(*job);
    next.field = field_;
    next.body = body_of(next.job, field_);
    next.estimate = {estimated_prompt_tokens(next.body), next.job.batch->sampling().limit() * next.job.samples};
    prepared_ = std::move(next);
    return true;
}

std::optional<size_t> Dispatcher::Loop::ready_endpoint(double now) {
    prepared_ready_at_ = rates_.ready_at(static_cast<double>(prepared_->estimate.tokens()), now);
    if (prepared_ready_at_ > now) return std::nullopt;
    return endpoints_.choose(now, [&](size_t i) { return limits_[i].has_room(now); });
}

void Dispatcher::Loop::send_what_may(double now) {
    while (!ending_ && prepare(now)) {
        const Spending::Verdict verdict = spending_.verdict(prepared_->estimate);
        if (verdict == Spending::Verdict::wait) return;
        if (verdict == Spending::Verdict::spent) {
            refuse_over_budget(std::move(prepared_->job), prepared_->estimate);
            prepared_.reset();
            continue;
        }
        const std::optional<size_t> endpoint = ready_endpoint(now);
        if (!endpoint) return;
        send(*endpoint, now);
    }
}

void Dispatcher::Loop::send(size_t endpoint, double now) {
    Prepared next = std::move(*prepared_);
    prepared_.reset();
    rates_.take(static_cast<double>(next.estimate.tokens()), now);
    spending_.begin(next.estimate);
    if (next.job.sent++ == 0) next.job.started = now;
    const uint64_t id = next_id_++;
    transport_.start(id, endpoint, url_below(profile_.endpoints[endpoint].base_url, kChatCompletions), std::move(next.body));
    {
        const std::lock_guard lock(mutex_);
        ++report_.requests;
        if (next.job.sent > 1) ++report_.retries;
        report_.most_at_once = std::max(report_.most_at_once, static_cast<int64_t>(transport_.in_flight()));
    }
    const int64_t limit = next.field == MaxTokensField::none ? 0 : next.job.batch->sampling().limit();
    flights_.emplace(id, Flight{.job = std::move(next.job),
                                .estimate = next.estimate,
                                .field = next.field,
                                .limit = limit,
                                .endpoint = endpoint,
                                .ticket = limits_[endpoint].begin()});
}

// What was asked for and would be asked for again has no answer either: a larger budget asks again.
void Dispatcher::Loop::refuse_over_budget(Job job, const EstimatedUsage& estimate) {
    if (!said_over_budget_)
        log_warning(
            "openai." + profile_.name + ": the budget bears no further request; what has no answer stays without one",
            {{"requests", spending_.requests()}, {"tokens", spending_.tokens()}, {"usd", value_or_null(spending_.usd())}});
    said_over_budget_ = true;
    const Shortage lack = spending_.shortage(estimate);
    Reply reply =
        Reply::failed(Failure::over_budget,
                      Error("openai." + profile_.name + "." + lack.limit, lack.expected, lack.got, lack.hint).what());
    reply.usage = job.paid;
    reply.usage.retries = std::max<int64_t>(0, job.sent - 1);
    deliver_all(std::move(job), std::move(reply));
}

}  // namespace craft
