// What an answer means: for its item, and for the run.
#include <algorithm>

#include "core/error.h"
#include "core/log.h"
#include "core/utf8.h"
#include "systems/hosted/backoff.h"
#include "systems/hosted/chat_request.h"
#include "systems/hosted/dispatcher_loop.h"
#include "systems/hosted/run_ending.h"
#include "systems/hosted/url.h"

namespace craft {

namespace {

constexpr int kMostRedirects = 3;

bool is_redirect(long status) {
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

void add_cost(Usage& sum, const Usage& more) {
    sum.prompt_tokens += more.prompt_tokens;
    sum.cached_tokens += more.cached_tokens;
    sum.new_tokens += more.new_tokens;
    if (more.usd) sum.usd = sum.usd.value_or(0) + *more.usd;
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
    take_keys_out(outcome.reply);
    // A caller that went away takes nothing, and its requests are no longer there.
    if (!batches_.contains(flight.job.batch)) return;
    if (learns_field(flight, outcome) || ends_run(flight, answer, outcome)) return;
    for (Reply& choice : outcome.reply.choices) cut_at_stop(choice, flight.job.batch->sampling().stop);
    hand_out(flight, outcome, answer.retry_after, now);
}

// Of what the model wrote, before it is cut anywhere, kept or handed on; errors hold none by now.
void Dispatcher::Loop::take_keys_out(ChatReply& reply) const {
    reply.model = keys_.redacted_words(std::move(reply.model));
    for (Reply& choice : reply.choices) {
        choice.text = keys_.redacted_words(std::move(choice.text));
        choice.reasoning = keys_.redacted_words(std::move(choice.reasoning));
    }
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

// Why a redirect was not followed. Of the place it leads to no more is shown than scheme, host and port.
std::string Dispatcher::Loop::redirect_problem(const Flight& flight, const HttpAnswer& answer) const {
    const std::optional<Url> from = Url::parse(profile_.endpoints[flight.endpoint].base_url);
    const std::optional<Url> to = Url::parse(answer.redirect);
    // Hosts are read in lower case, in which a key would not be found.
    const bool holds_key = keys_.redacted(answer.redirect) != answer.redirect;
    const std::string place = !to         ? "nowhere"
                              : holds_key ? "a place with (key) in it"
                                          : shortened(one_line(to->origin()), 100);
    const std::string got = "HTTP " + std::to_string(answer.status) + " to " + place + ": expected an answer, or ";
    if (!from || !to || !from->is_same_host(*to)) return got + "another path of the same scheme, host and port";
    if (to->has_user) return got + "a place without a user and password";
    if (answer.status == 303) return got + "a redirect that keeps the request (301, 302, 307, 308)";
    return got + "at most " + std::to_string(kMostRedirects) + " redirects one behind the other";
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
    const Redactor redacted = [this](const std::string& text) { return keys_.redacted(text); };
    if (is_redirect(answer.status)) {
        outcome.reply = failed_reply(Failure::redirected, redirect_problem(flight, answer));
    } else if (answer.status >= 200 && answer.status < 300) {
        outcome.reply = read_chat_reply(
            answer.body, {.max_new_tokens = flight.limit, .samples = flight.job.samples, .redacted = redacted});
        outcome.refused = outcome.reply.error_status;
    } else {
        outcome.refused = answer.status;
    }
    if (outcome.refused == 0) return outcome;
    outcome.refusal = read_http_refusal(outcome.refused, answer.body, redacted, fields_sent(flight));
    outcome.refusal.parameter = keys_.redacted(outcome.refusal.parameter);
    if (answer.status == 404) outcome.refusal.error += " (asked: " + asked_url(flight) + ")";
    outcome.reply = failed_reply(outcome.refusal.failure, outcome.refusal.error);
    return outcome;
}

// Of a caller that went away the request is no longer there.
std::vector<std::string> Dispatcher::Loop::fields_sent(const Flight& flight) const {
    const Batch& batch = *flight.job.batch;
    if (!batches_.contains(flight.job.batch)) return {};
    return fields_of(chat_body(profile_, batch.request(flight.job.first), batch.sampling(),
                               {.field = flight.field, .samples = flight.job.samples}));
}

std::string Dispatcher::Loop::asked_url(const Flight& flight) const {
    return keys_.redacted(without_query(url_below(profile_.endpoints[flight.endpoint].base_url, kChatCompletions)));
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
    std::string line = run_ending(profile_, profile_.endpoints[flight.endpoint], outcome.refused, outcome.refusal);
    if (answer.end == HttpAnswer::End::untrusted)
        line = Error("openai." + profile_.name, "a certificate to trust", outcome.reply.choices.front().error,
                     "ca_file names further ones")
                   .what();
    if (line.empty()) return false;
    begin_ending(0, line);
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
        if (k > 0) one.paid = {};   // it was paid once for all
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
    add_cost(reply.usage, job.paid);
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
        job.paid = {};
        add_cost(job.paid, reply.usage);
        return queue_.put_back(std::move(job));
    }
    if (is_servers(reply.failure) || !failed) errors_.note(reply.failure, reply.error);
    deliver_all(std::move(job), std::move(reply));
    if (errors_.is_over() && !ending_) {
        begin_ending(0,
                     Error("openai." + profile_.name, "answers", errors_.line(), "error_rate says when to give up").what());
    }
}

// One reply for all samples of a job; the first of them has its cost.
void Dispatcher::Loop::deliver_all(Job job, Reply reply) {
    for (int64_t k = 0; k < job.samples; ++k, ++job.first) {
        deliver(job, reply);
        reply.usage = {.seconds = reply.usage.seconds, .retries = reply.usage.retries};
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
