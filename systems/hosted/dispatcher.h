// Asks for what callers wait for: what is sent when, to which endpoint, how often again, and when the run ends. One thread.
#pragma once

#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "systems/hosted/batch.h"
#include "systems/hosted/chat_reply.h"
#include "systems/hosted/concurrency_limit.h"
#include "systems/hosted/endpoint_choice.h"
#include "systems/hosted/error_watch.h"
#include "systems/hosted/http_refusal.h"
#include "systems/hosted/profile.h"
#include "systems/hosted/rate_limits.h"
#include "systems/hosted/report.h"
#include "systems/hosted/spending.h"
#include "systems/hosted/transport.h"
#include "systems/hosted/work_queue.h"

namespace craft {

class Dispatcher {
public:
    // `profile` and `keys` must outlive it. Throws Error where libcurl cannot be started.
    Dispatcher(const HostedProfile& profile, const HostedKeys& keys);
    ~Dispatcher();  // no batch may be under way
    Dispatcher(const Dispatcher&) = delete;
    Dispatcher& operator=(const Dispatcher&) = delete;

    // Thread-safe, all three. The batch's requests are used until it is done, ended or withdrawn.
    void submit(const std::shared_ptr<Batch>& batch);
    // Returns when nothing of the batch is used any more; what is under way for it is not waited for.
    void withdraw(const std::shared_ptr<Batch>& batch);
    HostedReport report() const;

private:
    // A request whose body is made and that waits for room, limits or the budget.
    struct Prepared {
        Job job;
        std::string body;
        EstimatedUsage estimate;
        MaxTokensField field = MaxTokensField::automatic;
    };
    struct Flight {
        Job job;
        EstimatedUsage estimate;
        MaxTokensField field = MaxTokensField::automatic;
        int64_t limit = 0;  // new tokens that were asked for; 0: the server's own limit
        size_t endpoint = 0;
        uint64_t ticket = 0;
        int redirects = 0;
    };
    // What an answer by HTTP means.
    struct Outcome {
        ChatReply reply;
        long refused = 0;     // the status of a refusal, by HTTP or by an error under HTTP 200; 0: it is none
        HttpRefusal refusal;  // of such a status
    };
    struct Withdrawal {
        std::shared_ptr<Batch> batch;
        std::promise<void> done;
    };
    struct Ending {
        int signal = 0;
        std::string error;
        double until = 0;  // answers under way are waited for
    };

    // The thread.
    void run();
    void run_until_stopped();
    void take_inbox();
    void begin_ending(int signal, const std::string& error);
    void conclude(double now);
    void notify_callers();
    double patience(double now) const;

    // What is sent when, and to which endpoint.
    void send_ready(double now);
    bool prepare(double now);
    std::optional<size_t> ready_endpoint(double now);
    void send(size_t endpoint, double now);
    void refuse_over_budget(Job job, const EstimatedUsage& estimate);
    std::string body_of(const Job& job, MaxTokensField field) const;

    // What an answer means: for its item, and for the run.
    void take_answer(const HttpAnswer& answer);
    void take_keys_out(ChatReply& reply) const;
    bool follow_redirect(Flight& flight, const HttpAnswer& answer);
    std::string redirect_problem(const Flight& flight, const HttpAnswer& answer) const;
    Outcome outcome_of(const Flight& flight, const HttpAnswer& answer) const;
    std::vector<std::string> fields_sent(const Flight& flight) const;
    std::string asked_url(const Flight& flight) const;
    bool ends_run(const Flight& flight, const HttpAnswer& answer, const Outcome& outcome);
    bool learns_field(const Flight& flight, const Outcome& outcome);
    void hand_out(const Flight& flight, Outcome& outcome, std::optional<double> retry_after, double now);
    void settle(Job job, Reply reply, std::optional<double> retry_after, double now);
    void deliver_all(Job job, Reply reply);
    void deliver(const Job& job, const Reply& reply);

    // What it means for the pace, for the spending and for the report.
    void note_resends(Flight& flight, const HttpAnswer& answer);
    void note_pace(const Flight& flight, const HttpAnswer& answer, const Outcome& outcome, double now);
    void note_cost(const Flight& flight, const HttpAnswer& answer, const Outcome& outcome, double now);
    void note_model(const std::string& model);

    const HostedProfile& profile_;
    const HostedKeys& keys_;
    Transport transport_;
    WorkQueue queue_;
    RateLimits rates_;
    Spending spending_;
    ErrorWatch errors_;
    EndpointChoice endpoints_;
    std::vector<ConcurrencyLimit> limits_;  // one an endpoint
    MaxTokensField field_;                  // as learnt
    std::optional<Prepared> prepared_;
    double prepared_ready_at_ = 0;
    std::unordered_map<uint64_t, Flight> flights_;
    uint64_t next_id_ = 1;
    std::set<std::shared_ptr<Batch>> batches_;  // under way
    std::set<std::shared_ptr<Batch>> touched_;  // have replies that their callers were not told of
    std::optional<Ending> ending_;
    bool warned_over_budget_ = false, warned_over_limit_ = false;

    mutable std::mutex mutex_;  // of what follows
    HostedReport report_;
    std::vector<std::shared_ptr<Batch>> submitted_;
    std::vector<Withdrawal> withdrawn_;
    bool quit_ = false;

    std::thread thread_;
};

}  // namespace craft
