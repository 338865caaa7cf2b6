// What an answer means for the pace, for the spending and for the report.
#include <algorithm>
#include <utility>

#include "core/log.h"
#include "core/utf8.h"
#include "systems/hosted/dispatcher_loop.h"

namespace craft {

namespace {

constexpr size_t kMostModels = 50;  // a server that makes up names must not fill the memory

Usage sum_of(const ChatReply& reply) {
    Usage sum;
    for (const Reply& choice : reply.choices) {
        sum.prompt_tokens += choice.usage.prompt_tokens;
        sum.cached_tokens += choice.usage.cached_tokens;
        sum.new_tokens += choice.usage.new_tokens;
    }
    return sum;
}

}  // namespace

// What libcurl sent again by itself, because a kept connection broke, is a request like any other.
void Dispatcher::Loop::note_resends(Flight& flight, const HttpAnswer& answer) {
    const int64_t further = std::max<int64_t>(0, answer.sends - 1);
    flight.job.sent += further;
    const std::lock_guard lock(mutex_);
    report_.requests += further;
    report_.retries += further;
}

void Dispatcher::Loop::note_pace(const Flight& flight, const HttpAnswer& answer, const Outcome& outcome, double now) {
    ConcurrencyLimit& limit = limits_[flight.endpoint];
    const bool is_too_fast = outcome.refused == 429 || (outcome.refused == 503 && answer.retry_after);
    const Failure failure = outcome.reply.choices.front().failure;
    if (is_too_fast) {
        limit.refused(flight.ticket);
        if (answer.retry_after && *answer.retry_after <= profile_.retries.longest_asked)
            limit.block_until(now + *answer.retry_after);
    } else if (is_servers(failure)) {
        limit.ended(flight.ticket);
    } else {
        limit.succeeded(flight.ticket);
    }
    const bool is_broken = failure == Failure::server_error || failure == Failure::timed_out ||
                           failure == Failure::dropped || failure == Failure::not_json;
    if (is_too_fast)
        endpoints_.released(flight.endpoint);
    else if (is_broken)
        endpoints_.failed(flight.endpoint, now);
    else
        endpoints_.succeeded(flight.endpoint);
    const std::lock_guard lock(mutex_);
    if (is_too_fast) ++report_.refusals;
    report_.highest_concurrency = std::max(report_.highest_concurrency, limit.highest());
    report_.set_aside = endpoints_.times_set_aside();
}

// What is not known is taken to be what was reserved, so that limits and budgets hold where a server says nothing.
void Dispatcher::Loop::note_cost(const Flight& flight, const HttpAnswer& answer, const Outcome& outcome, double now) {
    Usage usage = sum_of(outcome.reply);
    const bool was_computed = answer.end == HttpAnswer::End::replied && answer.status >= 200 && answer.status < 300;
    const bool is_silent = was_computed && !outcome.reply.has_usage;
    const bool is_answer = outcome.reply.choices.front().status != Reply::Status::failed;
    if (is_silent && is_answer) {
        usage.prompt_tokens = flight.estimate.prompt_tokens;
        usage.new_tokens = 0;
        for (const Reply& choice : outcome.reply.choices)
            usage.new_tokens += static_cast<int64_t>(choice.text.size() + choice.reasoning.size()) / 3 + 1;
    }
    if (is_far_above(usage.new_tokens, flight.limit * flight.job.samples) && !std::exchange(said_over_limit_, true))
        log_warning(far_above_warning(profile_.name),
                    {{"limit", flight.limit}, {"samples", flight.job.samples}, {"tokens", usage.new_tokens}});
    spending_.end(flight.estimate, usage);
    const bool is_unknown = answer.end != HttpAnswer::End::replied;
    const int64_t used = is_unknown ? flight.estimate.tokens() : usage.prompt_tokens + usage.new_tokens;
    rates_.give_back_tokens(static_cast<double>(flight.estimate.tokens() - used), now);
    const std::lock_guard lock(mutex_);
    if (is_silent && is_answer) ++report_.without_usage;
    report_.prompt_tokens += usage.prompt_tokens;
    report_.new_tokens += usage.new_tokens;
    report_.cached_tokens += usage.cached_tokens;
    report_.usd = spending_.usd();
}

void Dispatcher::Loop::note_model(const std::string& model) {
    if (model.empty()) return;
    std::string other;
    const std::string name = shortened(one_line(model), 100);
    {
        const std::lock_guard lock(mutex_);
        if (!report_.models.contains(name)) {
            if (report_.models.size() >= kMostModels) return;
            if (!report_.models.empty()) other = report_.models.begin()->first;
        }
        ++report_.models[name];
    }
    if (!other.empty())
        log_warning("openai." + profile_.name + ": the model that answers has changed", {{"now", name}, {"other", other}});
}

}  // namespace craft
