#include "systems/hosted/dispatcher.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "core/log.h"
#include "core/signals.h"
#include "core/utf8.h"
#include "systems/hosted/backoff.h"
#include "systems/hosted/chat_request.h"
#include "systems/hosted/run_ending.h"
#include "systems/hosted/url.h"

namespace craft {

namespace {

constexpr double kSignalEvery = 0.1;  // seconds between two looks for a stop signal while anything is under way
constexpr double kIdle = 3600;

std::vector<double> weights_of(const HostedProfile& profile) {
    std::vector<double> weights;
    for (const HostedEndpoint& endpoint : profile.endpoints) weights.push_back(endpoint.weight);
    return weights;
}

// An endpoint of half the weight is asked half as much at once: where all are busy, that is what shares out the requests.
std::vector<ConcurrencyLimit> limits_of(const HostedProfile& profile) {
    const std::vector<double> weights = weights_of(profile);
    const double most = *std::max_element(weights.begin(), weights.end());
    std::vector<ConcurrencyLimit> limits;
    for (const double weight : weights) {
        const auto part = [&](int64_t count) {
            return std::max<int64_t>(1, std::llround(static_cast<double>(count) * weight / most));
        };
        ConcurrencyOptions options;
        options.fixed = profile.concurrency > 0 ? part(profile.concurrency) : 0;
        options.first = part(options.first);
        options.max_limit = part(profile.max_concurrency);
        limits.emplace_back(options);
    }
    return limits;
}

constexpr int kMaxRedirects = 3;

bool is_redirect(long status) {
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

void add_cost(Usage& sum, const Usage& more) {
    sum.prompt_tokens += more.prompt_tokens;
    sum.cached_tokens += more.cached_tokens;
    sum.new_tokens += more.new_tokens;
    if (more.usd) sum.usd = sum.usd.value_or(0) + *more.usd;
}

constexpr size_t kMaxModels = 50;  // a server that makes up names must not fill the memory

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

Dispatcher::Dispatcher(const HostedProfile& profile, const HostedKeys& keys)
    : profile_(profile),
      keys_(keys),
      transport_(profile, keys),
      queue_(profile.supports_n),
      rates_(profile.requests_per_minute, profile.tokens_per_minute),
      spending_(profile.budget, profile.prices),
      errors_(profile.error_rate),
      endpoints_(weights_of(profile)),
      limits_(limits_of(profile)),
      field_(profile.max_tokens_field),
      thread_([this] { run(); }) {}

Dispatcher::~Dispatcher() {
    {
        const std::lock_guard lock(mutex_);
        quit_ = true;
    }
    transport_.wake();
    thread_.join();
}

void Dispatcher::submit(const std::shared_ptr<Batch>& batch) {
    {
        const std::lock_guard lock(mutex_);
        submitted_.push_back(batch);
    }
    transport_.wake();
}

void Dispatcher::withdraw(const std::shared_ptr<Batch>& batch) {
    std::future<void> done;
    {
        const std::lock_guard lock(mutex_);
        withdrawn_.push_back({batch, {}});
        done = withdrawn_.back().done.get_future();
    }
    transport_.wake();
    done.wait();
}

HostedReport Dispatcher::report() const {
    const std::lock_guard lock(mutex_);
    return report_;
}

void Dispatcher::run() {
    while (true) {
        try {
            return run_until_stopped();
        } catch (const std::exception& error) {  // libcurl or memory failed: callers must hear of it
            begin_ending(0, "openai." + profile_.name + ": " + keys_.redacted(error.what()));
            ending_->until = 0;
        }
    }
}

void Dispatcher::run_until_stopped() {
    while (true) {
        take_inbox();
        {
            const std::lock_guard lock(mutex_);
            if (quit_) return;
        }
        if (const int signal = stop_signal(); signal != 0 && !batches_.empty()) begin_ending(signal, "");
        send_ready(steady_seconds());
        conclude(steady_seconds());
        notify_callers();
        for (const HttpAnswer& answer : transport_.turn(patience(steady_seconds()))) take_answer(answer);
        notify_callers();
    }
}

void Dispatcher::take_inbox() {
    std::vector<std::shared_ptr<Batch>> submitted;
    std::vector<Withdrawal> withdrawn;
    {
        const std::lock_guard lock(mutex_);
        submitted.swap(submitted_);
        withdrawn.swap(withdrawn_);
    }
    for (const auto& batch : submitted) {
        batches_.insert(batch);
        if (!ending_) queue_.add(batch);
    }
    for (Withdrawal& one : withdrawn) {
        queue_.remove(*one.batch);
        if (prepared_ && prepared_->job.batch == one.batch) prepared_.reset();
        batches_.erase(one.batch);
        touched_.erase(one.batch);
        one.done.set_value();
    }
}

// The first reason counts.
void Dispatcher::begin_ending(int signal, const std::string& error) {
    if (ending_) return;
    ending_ = Ending{signal, error, steady_seconds() + profile_.grace};
    queue_.clear();
    prepared_.reset();
}

void Dispatcher::conclude(double now) {
    if (!ending_ || (!flights_.empty() && now < ending_->until)) return;
    transport_.abandon();
    flights_.clear();
    for (const auto& batch : batches_) {
        {
            const std::lock_guard lock(mutex_);
            report_.unanswered += static_cast<int64_t>(batch->left());
        }
        batch->end(ending_->signal, ending_->error);
    }
    batches_.clear();
    touched_.clear();
}

void Dispatcher::notify_callers() {
    for (const auto& batch : touched_) {
        batch->tell();
        if (batch->is_done()) batches_.erase(batch);
    }
    touched_.clear();
}

double Dispatcher::patience(double now) const {
    if (batches_.empty() && flights_.empty()) return kIdle;
    double next = now + kSignalEvery;
    const auto sooner = [&](std::optional<double> time) {
        if (time && *time > now) next = std::min(next, *time);
    };
    sooner(queue_.next_ready());
    if (prepared_) {
        sooner(prepared_ready_at_);
        sooner(endpoints_.next_trial());
        for (const ConcurrencyLimit& limit : limits_) sooner(limit.blocked_until());
    }
    return next - now;
}

std::string Dispatcher::body_of(const Job& job, MaxTokensField field) const {
    return dump_line(
        chat_body(profile_, job.batch->request(job.first), job.batch->sampling(), {.field = field, .samples = job.samples}));
}

// Makes the next body, if none is made; false where nothing waits.
bool Dispatcher::prepare(double now) {
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

std::optional<size_t> Dispatcher::ready_endpoint(double now) {
    prepared_ready_at_ = rates_.ready_at(static_cast<double>(prepared_->estimate.tokens()), now);
    if (prepared_ready_at_ > now) return std::nullopt;
    return endpoints_.choose(now, [&](size_t i) { return limits_[i].has_room(now); });
}

void Dispatcher::send_ready(double now) {
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

void Dispatcher::send(size_t endpoint, double now) {
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
        report_.max_concurrent = std::max(report_.max_concurrent, static_cast<int64_t>(transport_.in_flight()));
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
void Dispatcher::refuse_over_budget(Job job, const EstimatedUsage& estimate) {
    if (!warned_over_budget_)
        log_warning(
            "openai." + profile_.name + ": the budget allows no further requests; items without an answer stay without one",
            {{"requests", spending_.requests()}, {"tokens", spending_.tokens()}, {"usd", value_or_null(spending_.usd())}});
    warned_over_budget_ = true;
    const Shortage lack = spending_.shortage(estimate);
    Reply reply =
        Reply::failed(Failure::over_budget,
                      Error("openai." + profile_.name + "." + lack.limit, lack.expected, lack.got, lack.hint).what());
    reply.usage = job.paid;
    reply.usage.retries = std::max<int64_t>(0, job.sent - 1);
    deliver_all(std::move(job), std::move(reply));
}

void Dispatcher::take_answer(const HttpAnswer& answer) {
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
void Dispatcher::take_keys_out(ChatReply& reply) const {
    reply.model = keys_.redacted_words(std::move(reply.model));
    for (Reply& choice : reply.choices) {
        choice.text = keys_.redacted_words(std::move(choice.text));
        choice.reasoning = keys_.redacted_words(std::move(choice.reasoning));
    }
}

bool Dispatcher::follow_redirect(Flight& flight, const HttpAnswer& answer) {
    if (answer.end != HttpAnswer::End::replied || !is_redirect(answer.status) || answer.status == 303) return false;
    const std::optional<Url> from = Url::parse(profile_.endpoints[flight.endpoint].base_url);
    const std::optional<Url> to = Url::parse(answer.redirect);
    const bool may_follow = from && to && from->is_same_host(*to) && !to->has_user && flight.redirects < kMaxRedirects;
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
std::string Dispatcher::redirect_problem(const Flight& flight, const HttpAnswer& answer) const {
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
    return got + "at most " + std::to_string(kMaxRedirects) + " redirects in a row";
}

Dispatcher::Outcome Dispatcher::outcome_of(const Flight& flight, const HttpAnswer& answer) const {
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
std::vector<std::string> Dispatcher::fields_sent(const Flight& flight) const {
    const Batch& batch = *flight.job.batch;
    if (!batches_.contains(flight.job.batch)) return {};
    return fields_of(chat_body(profile_, batch.request(flight.job.first), batch.sampling(),
                               {.field = flight.field, .samples = flight.job.samples}));
}

std::string Dispatcher::asked_url(const Flight& flight) const {
    return keys_.redacted(without_query(url_below(profile_.endpoints[flight.endpoint].base_url, kChatCompletions)));
}

// A server that wants max_completion_tokens is asked so from now on; what it has refused for that is asked again, once.
bool Dispatcher::learns_field(const Flight& flight, const Outcome& outcome) {
    const bool wants_other = outcome.refusal.wants_max_completion_tokens &&
                             profile_.max_tokens_field == MaxTokensField::automatic &&
                             flight.field == MaxTokensField::automatic;
    if (!wants_other || ending_) return false;
    if (field_ == MaxTokensField::automatic) {
        field_ = MaxTokensField::max_completion_tokens;
        if (prepared_) prepared_->field = field_, prepared_->body = body_of(prepared_->job, field_);
        log_info(
            "openai." + profile_.name +
            ": the server takes max_completion_tokens instead of max_tokens; set max_tokens_field to say so from the start");
    }
    queue_.put_back(flight.job);
    return true;
}

bool Dispatcher::ends_run(const Flight& flight, const HttpAnswer& answer, const Outcome& outcome) {
    std::string line = run_ending(profile_, profile_.endpoints[flight.endpoint], outcome.refused, outcome.refusal);
    if (answer.end == HttpAnswer::End::untrusted)
        line = Error("openai." + profile_.name, "a certificate to trust", outcome.reply.choices.front().error,
                     "ca_file names further ones")
                   .what();
    if (line.empty()) return false;
    begin_ending(0, line);
    return true;
}

void Dispatcher::hand_out(const Flight& flight, Outcome& outcome, std::optional<double> retry_after, double now) {
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
                log_warning("openai." + profile_.name + ": fewer choices than n; requesting samples one by one from now on");
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
void Dispatcher::settle(Job job, Reply reply, std::optional<double> retry_after, double now) {
    const bool failed = reply.status == Reply::Status::failed;
    add_cost(reply.usage, job.paid);
    reply.usage.seconds = now - job.started;
    reply.usage.retries = job.sent - 1;
    if (failed) {
        const std::lock_guard lock(mutex_);
        ++report_.failed_requests[failure_name(reply.failure)];
    }
    const HostedRetries& retries = profile_.retries;
    if (failed && may_be_repeated(reply.failure) && job.attempts < retries.max_retries &&
        retry_after.value_or(0) <= retries.max_retry_after) {
        if (ending_) return;  // it has no answer, and none will be asked for
        ++job.attempts;
        const Request& request = job.batch->request(job.first);
        const double wait = backoff_seconds({.first = retries.initial_backoff, .longest = retries.max_backoff}, request.item,
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
void Dispatcher::deliver_all(Job job, Reply reply) {
    for (int64_t k = 0; k < job.samples; ++k, ++job.first) {
        deliver(job, reply);
        reply.usage = {.seconds = reply.usage.seconds, .retries = reply.usage.retries};
    }
}

// The first item that fails in each way says why, since rows and manifests have the name of the way alone.
void Dispatcher::deliver(const Job& job, const Reply& reply) {
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

// What libcurl sent again by itself, because a kept connection broke, is a request like any other.
void Dispatcher::note_resends(Flight& flight, const HttpAnswer& answer) {
    const int64_t further = std::max<int64_t>(0, answer.sends - 1);
    flight.job.sent += further;
    const std::lock_guard lock(mutex_);
    report_.requests += further;
    report_.retries += further;
}

void Dispatcher::note_pace(const Flight& flight, const HttpAnswer& answer, const Outcome& outcome, double now) {
    ConcurrencyLimit& limit = limits_[flight.endpoint];
    const bool is_too_fast = outcome.refused == 429 || (outcome.refused == 503 && answer.retry_after);
    const Failure failure = outcome.reply.choices.front().failure;
    if (is_too_fast) {
        limit.refused(flight.ticket);
        if (answer.retry_after && *answer.retry_after <= profile_.retries.max_retry_after)
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
void Dispatcher::note_cost(const Flight& flight, const HttpAnswer& answer, const Outcome& outcome, double now) {
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
    if (is_far_above(usage.new_tokens, flight.limit * flight.job.samples) && !std::exchange(warned_over_limit_, true))
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

void Dispatcher::note_model(const std::string& model) {
    if (model.empty()) return;
    std::string other;
    const std::string name = shortened(one_line(model), 100);
    {
        const std::lock_guard lock(mutex_);
        if (!report_.models.contains(name)) {
            if (report_.models.size() >= kMaxModels) return;
            if (!report_.models.empty()) other = report_.models.begin()->first;
        }
        ++report_.models[name];
    }
    if (!other.empty())
        log_warning("openai." + profile_.name + ": the model that answers has changed", {{"now", name}, {"other", other}});
}

}  // namespace craft
