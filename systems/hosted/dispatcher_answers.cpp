// What an answer means: for its item, for the pace, for the run.
#include <algorithm>

#include "core/error.h"
#include "core/log.h"
#include "core/utf8.h"
#include "systems/hosted/backoff.h"
#include "systems/hosted/dispatcher_loop.h"
#include "systems/hosted/url.h"

namespace craft {

namespace {

constexpr int kMostRedirects = 3;
constexpr size_t kMostModels = 50;  // a server that makes up names must not fill the memory

bool is_redirect(long status) {
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

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

void Dispatcher::Loop::take_answer(const HttpAnswer& answer) {
    auto node = flights_.extract(answer.id);
    if (node.empty()) return;
    Flight& flight = node.mapped();
    if (follow_redirect(flight, answer)) {
        flights_.insert(std::move(node));
        return;
    }
    note_resends(flight, answer);
    const double now = steady_seconds();
    Outcome outcome = outcome_of(flight, answer);
    note_pace(flight, answer, outcome, now);
    note_cost(flight, answer, outcome, now);
    for (Reply& choice : outcome.reply.choices) choice.error = keys_.redacted(std::move(choice.error));
    // A caller that went away takes nothing, and its requests are no longer there.
    if (!batches_.contains(flight.job.batch)) return;
    if (learns_field(flight, outcome) || ends_run(flight, answer, outcome)) return;
    for (Reply& choice : outcome.reply.choices) cut_at_stop(choice, flight.job.batch->sampling().stop);
    hand_out(flight, outcome, answer.retry_after, now);
}

// What libcurl sent again by itself, because a kept connection broke, is a request like any other.
void Dispatcher::Loop::note_resends(Flight& flight, const HttpAnswer& answer) {
    const int64_t further = std::max<int64_t>(0, answer.sends - 1);
    flight.job.sent += further;
    const std::lock_guard lock(mutex_);
    report_.requests += further;
    report_.retries += further;
}

bool Dispatcher::Loop::follow_redirect(Flight& flight, const HttpAnswer& answer) {
    if (answer.end != HttpAnswer::End::replied || !is_redirect(answer.status) || answer.status == 303) return false;
    const std::optional<Url> from = Url::parse(profile_.endpoints[flight.endpoint].base_url);
    const std::optional<Url> to = Url::parse(answer.redirect);
    const bool may_follow = from && to && from->is_same_host(*to) && !to->has_user && flight.redirects < kMostRedirects;
    if (!may_follow || ending_ || !batches_.contains(flight.job.batch)) return false;
    ++flight.redirects;
    note_resends(flight, answer);
    {
        const std::lock_guard lock(mutex_);
        ++report_.requests;
    }
    transport_.start(answer.id, flight.endpoint, answer.redirect, body_of(flight.job, flight.field));
    return true;
}

Dispatcher::Loop::Outcome Dispatcher::Loop::outcome_of(const Flight& flight, const HttpAnswer& answer) const {
    Outcome outcome;
    switch (answer.end) {
        case HttpAnswer::End::timed_out:
            outcome.reply = failed_reply(Failure::timed_out, answer.error);
            return outcome;
        case HttpAnswer::End::dropped:
        case HttpAnswer::End::untrusted:
            outcome.reply = failed_reply(Failure::dropped, answer.error);
            return outcome;
        case HttpAnswer::End::cut_short:
            outcome.reply = failed_reply(Failure::broken_reply, answer.error);
            return outcome;
        case HttpAnswer::End::replied:
            break;
    }
    if (is_redirect(answer.status)) {
        const std::optional<Url> to = Url::parse(answer.redirect);
        outcome.reply = failed_reply(Failure::redirected, "HTTP " + std::to_string(answer.status) + " to " +
                                                              (to ? shortened(one_line(to->host), 80) : "nowhere") +
                                                              ": expected an answer, or another path of the same host");
    } else if (answer.status >= 200 && answer.status < 300) {
        outcome.reply = read_chat_reply(answer.body, flight.limit);
    } else {
        outcome.refusal = read_http_refusal(answer.status, answer.body);
        outcome.is_refusal = true;
        outcome.reply = failed_reply(outcome.refusal.failure, outcome.refusal.error);
    }
    return outcome;
}

void Dispatcher::Loop::note_pace(const Flight& flight, const HttpAnswer& answer, const Outcome& outcome, double now) {
    ConcurrencyLimit& limit = limits_[flight.endpoint];
    const bool is_too_fast = outcome.is_refusal && (answer.status == 429 || (answer.status == 503 && answer.retry_after));
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

// A server that wants max_completion_tokens is asked so from now on; what it has refused for that is asked again, once.
bool Dispatcher::Loop::learns_field(const Flight& flight, const Outcome& outcome) {
    const bool wants_other = outcome.refusal.wants_max_completion_tokens &&
                             profile_.max_tokens_field == MaxTokensField::automatic &&
                             flight.field == MaxTokensField::automatic;
    if (!wants_other || ending_) return false;
    if (field_ == MaxTokensField::automatic) {
        field_ = MaxTokensField::max_completion_tokens;
        if (prepared_) prepared_->field = field_, prepared_->body = body_of(prepared_->job, field_);
        log_info("openai." + profile_.name +
                 ": the server takes max_completion_tokens and no max_tokens; max_tokens_field says so "
                 "from the start");
    }
    queue_.put_back(flight.job);
    return true;
}

bool Dispatcher::Loop::ends_run(const Flight& flight, const HttpAnswer& answer, const Outcome& outcome) {
    const std::string where = "openai." + profile_.name;
    const std::string& got = outcome.reply.choices.front().error;
    const HostedEndpoint& endpoint = profile_.endpoints[flight.endpoint];
    if (answer.end == HttpAnswer::End::untrusted) {
        begin_ending(0, Error(where, "a certificate to trust", got, "ca_file names further ones").what());
    } else if (outcome.refusal.is_final) {
        const std::string key = !endpoint.key_env.empty() ? "the key comes from the environment variable " + endpoint.key_env
                                : !endpoint.key_file.empty() ? "the key comes from " + endpoint.key_file.string()
                                                             : "the profile names no key: key_env, key_file";
        begin_ending(0,
                     Error(where, "access to " + profile_.model, got, answer.status == 407 ? "proxy_auth_env" : key).what());
    } else if (!outcome.refusal.parameter.empty() || outcome.refusal.wants_max_completion_tokens) {
        const std::string& name = outcome.refusal.parameter;
        const bool is_limit =
            outcome.refusal.wants_max_completion_tokens || name == "max_tokens" || name == "max_completion_tokens";
        const std::string hint =
            is_limit ? "set max_tokens_field" : "\"omit\": [\"" + shortened(one_line(name), 60) + "\"] leaves it out";
        begin_ending(
            0,
            Error(where + (is_limit ? ".max_tokens_field" : ".omit"), "a request that the server takes", got, hint).what());
    } else {
        return false;
    }
    return true;
}

void Dispatcher::Loop::hand_out(const Flight& flight, Outcome& outcome, std::optional<double> retry_after, double now) {
    std::vector<Reply>& choices = outcome.reply.choices;
    if (choices.front().status != Reply::Status::failed) note_model(outcome.reply.model);
    Job job = flight.job;
    const bool fails_as_one = choices.size() == 1 && choices.front().status == Reply::Status::failed;
    if (job.samples == 1 || fails_as_one) {
        if (outcome.reply.has_usage) choices.front().usage.usd = price_of(profile_.prices, choices.front().usage);
        return settle(std::move(job), std::move(choices.front()), retry_after, now);
    }
    for (size_t k = 0; k < static_cast<size_t>(flight.job.samples); ++k) {
        Job one = flight.job;
        one.first += k;
        one.samples = 1;
        if (k >= choices.size()) {  // fewer than were asked for: the rest one by one
            if (queue_.is_grouped())
                log_warning("openai." + profile_.name +
                            ": fewer choices than n; samples are asked for one by one from now on");
            queue_.set_grouped(false);
            one.attempts = one.sent = 0;
            if (!ending_) queue_.put_back(std::move(one));
            continue;
        }
        if (outcome.reply.has_usage) choices[k].usage.usd = price_of(profile_.prices, choices[k].usage);
        settle(std::move(one), std::move(choices[k]), retry_after, now);
    }
}

// Hands the reply to the callers, or the job back to the queue.
void Dispatcher::Loop::settle(Job job, Reply reply, std::optional<double> retry_after, double now) {
    const bool failed = reply.status == Reply::Status::failed;
    if (reply.usage.usd || job.paid_usd > 0) reply.usage.usd = reply.usage.usd.value_or(0) + job.paid_usd;
    reply.usage.seconds = now - job.started;
    reply.usage.retries = job.sent - 1;
    if (failed) {
        const std::lock_guard lock(mutex_);
        ++report_.failed_requests[failure_name(reply.failure)];
    }
    const HostedRetries& retries = profile_.retries;
    if (failed && may_be_repeated(reply.failure) && job.attempts < retries.most &&
        retry_after.value_or(0) <= retries.longest_asked) {
        if (ending_) return;  // it has no answer, and none will be asked for
        ++job.attempts;
        const Request& request = job.batch->request(job.first);
        const double wait = backoff_seconds({.first = retries.first_wait, .longest = retries.longest_wait}, request.item,
                                            request.sample, job.attempts);
        // The server's own time, and a little so that not all come back in one instant.
        job.ready_at = now + (retry_after ? *retry_after + std::min(wait, 0.1 * *retry_after) : wait);
        job.paid_usd = reply.usage.usd.value_or(0);
        job.last = std::move(reply);
        return queue_.put_back(std::move(job));
    }
    if (is_servers(reply.failure) || !failed) errors_.note(reply.failure, reply.error);
    for (int64_t k = 0; k < job.samples; ++k, ++job.first) deliver(job, reply);
    if (errors_.is_over() && !ending_) {
        begin_ending(0,
                     Error("openai." + profile_.name, "answers", errors_.line(), "error_rate says when to give up").what());
    }
}

// The first item that fails in each way says why, since rows and manifests have the name of the way alone.
void Dispatcher::Loop::deliver(const Job& job, const Reply& reply) {
    bool is_first_of_class = false;
    {
        const std::lock_guard lock(mutex_);
        if (reply.failure == Failure::over_budget) {
            ++report_.over_budget;
        } else {
            ++report_.items;
            report_.seconds += reply.usage.seconds;
            if (reply.failure != Failure::none) is_first_of_class = ++report_.failed_items[failure_name(reply.failure)] == 1;
        }
    }
    if (is_first_of_class)
        log_warning("openai." + profile_.name + ": no answer to a request",
                    {{"class", failure_name(reply.failure)}, {"error", reply.error}});
    job.batch->put(job.first, reply);
    touched_.insert(job.batch);
}

}  // namespace craft
