#include "systems/hosted/dispatcher.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/signals.h"
#include "systems/hosted/dispatcher_loop.h"

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
        options.most = part(profile.max_concurrency);
        limits.emplace_back(options);
    }
    return limits;
}

}  // namespace

Dispatcher::Loop::Loop(const HostedProfile& profile, const HostedKeys& keys)
    : profile_(profile),
      keys_(keys),
      transport_(profile, keys),
      queue_(profile.n_works),
      rates_(profile.requests_per_minute, profile.tokens_per_minute),
      spending_(profile.budget, profile.prices),
      errors_(profile.error_rate),
      endpoints_(weights_of(profile)),
      limits_(limits_of(profile)),
      field_(profile.max_tokens_field),
      thread_([this] { run(); }) {}

Dispatcher::Loop::~Loop() {
    {
        const std::lock_guard lock(mutex_);
        quit_ = true;
    }
    transport_.wake();
    thread_.join();
}

void Dispatcher::Loop::submit(const std::shared_ptr<Batch>& batch) {
    {
        const std::lock_guard lock(mutex_);
        submitted_.push_back(batch);
    }
    transport_.wake();
}

void Dispatcher::Loop::withdraw(const std::shared_ptr<Batch>& batch) {
    std::future<void> done;
    {
        const std::lock_guard lock(mutex_);
        withdrawn_.push_back({batch, {}});
        done = withdrawn_.back().done.get_future();
    }
    transport_.wake();
    done.wait();
}

HostedReport Dispatcher::Loop::report() const {
    const std::lock_guard lock(mutex_);
    return report_;
}

void Dispatcher::Loop::run() {
    while (true) {
        try {
            return run_until_told();
        } catch (const std::exception& error) {  // libcurl or memory failed: callers must hear of it
            begin_ending(0, "openai." + profile_.name + ": " + keys_.redacted(error.what()));
            ending_->until = 0;
        }
    }
}

void Dispatcher::Loop::run_until_told() {
    while (true) {
        take_inbox();
        {
            const std::lock_guard lock(mutex_);
            if (quit_) return;
        }
        if (const int signal = stop_signal(); signal != 0 && !batches_.empty()) begin_ending(signal, "");
        send_what_may(steady_seconds());
        conclude(steady_seconds());
        tell_callers();
        for (const HttpAnswer& answer : transport_.turn(patience(steady_seconds()))) take_answer(answer);
        tell_callers();
    }
}

void Dispatcher::Loop::take_inbox() {
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
void Dispatcher::Loop::begin_ending(int signal, const std::string& error) {
    if (ending_) return;
    ending_ = Ending{signal, error, steady_seconds() + profile_.grace};
    queue_.clear();
    prepared_.reset();
}

void Dispatcher::Loop::conclude(double now) {
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

void Dispatcher::Loop::tell_callers() {
    for (const auto& batch : touched_) {
        batch->tell();
        if (batch->is_done()) batches_.erase(batch);
    }
    touched_.clear();
}

double Dispatcher::Loop::patience(double now) const {
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

Dispatcher::Dispatcher(const HostedProfile& profile, const HostedKeys& keys)
    : loop_(std::make_unique<Loop>(profile, keys)) {}

Dispatcher::~Dispatcher() = default;

void Dispatcher::submit(const std::shared_ptr<Batch>& batch) {
    loop_->submit(batch);
}

void Dispatcher::withdraw(const std::shared_ptr<Batch>& batch) {
    loop_->withdraw(batch);
}

HostedReport Dispatcher::report() const {
    return loop_->report();
}

}  // namespace craft
