#include "systems/recorded/recorded_system.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/log.h"
#include "systems/recorded/recorded_request.h"

namespace craft {

namespace {

// Whether a failed request may have cost something just now, and may be redrawn by asking again.
bool was_asked(const Reply& failed) {
    return !failed.recorded && failed.failure != Failure::over_budget && failed.failure != Failure::awaited &&
           failed.failure != Failure::prompt_too_long;
}

}  // namespace

Json RecordedCounts::to_json() const {
    return {{"requests", requests},       {"hits", hits},
            {"shared", shared},           {"asked", asked},
            {"asked_again", asked_again}, {"kept_elsewhere", kept_elsewhere},
            {"unconfirmed", unconfirmed}, {"unnamed", unnamed}};
}

// One call of answer_into(): its requests, those of equal ones that are asked, and the replies so far.
class RecordedSystem::Call {
public:
    Call(const System& system, const std::vector<Request>& requests, const SamplingOptions& sampling, const ReplySink& sink)
        : requests_(requests), sampling_(sampling), sink_(sink), replies_(requests.size()) {
        std::unordered_map<std::string, size_t> numbers;  // of a key in asked_
        for (size_t i = 0; i < requests.size(); ++i) {
            RecordedRequest asked = recorded_request(system, requests[i], sampling);
            const auto [found, is_new] = numbers.emplace(asked.key, asked_.size());
            if (is_new) {
                asked_.push_back(std::move(asked));
                equal_.emplace_back();
            }
            equal_[found->second].push_back(i);
        }
    }
    // Numbers below are of different requests.
    size_t different() const { return asked_.size(); }
    const RecordedRequest& asked(size_t which) const { return asked_[which]; }
    const Request& request(size_t which) const { return requests_[equal_[which].front()]; }
    size_t equal(size_t which) const { return equal_[which].size(); }
    const SamplingOptions& sampling() const { return sampling_; }
    // Replies to these, and to those that are equal to them, which cost nothing.
    void tell(const std::vector<size_t>& which, std::vector<Reply> replies) {
        std::vector<size_t> numbers;
        std::vector<Reply> told;
        for (size_t w = 0; w < which.size(); ++w)
            for (const size_t request : equal_[which[w]]) {
                replies_[request] = replies[w];
                replies[w].recorded = true;
                if (!sink_) continue;
                numbers.push_back(request);
                told.push_back(replies_[request]);
            }
        if (!numbers.empty()) sink_(numbers, told);
    }
    std::vector<Reply> take_replies() { return std::move(replies_); }

private:
    const std::vector<Request>& requests_;
    const SamplingOptions& sampling_;
    const ReplySink& sink_;
    std::vector<RecordedRequest> asked_;
    std::vector<std::vector<size_t>> equal_;  // the requests that each stands for
    std::vector<Reply> replies_;
};

RecordedSystem::RecordedSystem(std::shared_ptr<System> inner, std::shared_ptr<AnswerCache> cache)
    : inner_(std::move(inner)), cache_(std::move(cache)) {}

RecordedSystem::~RecordedSystem() {
    if (!unkept_.empty())
        log_warning("answers could not be recorded and are lost to later runs",
                    {{"answers", unkept_.size()}, {"cache", cache_->file().string()}});
}

std::vector<Reply> RecordedSystem::answer_into(const std::vector<Request>& requests, const SamplingOptions& sampling,
                                               const ReplySink& sink) {
    record_pending();
    Call call(*inner_, requests, sampling, sink);
    std::vector<size_t> open(call.different());
    for (size_t i = 0; i < open.size(); ++i) open[i] = i;
    RecordedCounts more;
    more.requests = static_cast<int64_t>(requests.size());
    count(more);
    open = take_recorded(call, open, false);
    while (!open.empty()) open = ask_or_wait(call, open);
    return call.take_replies();
}

// Tells of those that the cache has and returns the others.
std::vector<size_t> RecordedSystem::take_recorded(Call& call, const std::vector<size_t>& which, bool will_ask) {
    std::vector<RecordedRequest> asked;
    asked.reserve(which.size());
    for (const size_t w : which) asked.push_back(call.asked(w));
    std::vector<Found> found = cache_->look_up(asked, server_text(inner_->serving()));
    RecordedCounts more;
    std::vector<size_t> hits, misses;
    std::vector<Reply> replies;
    for (size_t i = 0; i < which.size(); ++i) {
        if (found[i].reply) {
            more.hits += static_cast<int64_t>(call.equal(which[i]));
            if (found[i].is_unconfirmed) more.unconfirmed += static_cast<int64_t>(call.equal(which[i]));
            hits.push_back(which[i]);
            replies.push_back(*std::move(found[i].reply));
            continue;
        }
        misses.push_back(which[i]);
        if (!will_ask) continue;
        ++more.asked;
        more.shared += static_cast<int64_t>(call.equal(which[i])) - 1;
        if (found[i].unusable > 0) ++more.asked_again;
        if (found[i].has_unnamed) ++more.unnamed;
    }
    count(more);
    call.tell(hits, std::move(replies));
    return misses;
}

// Returns those for which another call was waited in vain.
std::vector<size_t> RecordedSystem::ask_or_wait(Call& call, const std::vector<size_t>& which) {
    std::vector<std::string> keys;
    keys.reserve(which.size());
    for (const size_t w : which) keys.push_back(call.asked(w).key);
    const std::vector<InFlightRequests::Claim> claims = in_flight_.claim(keys);
    ask(call, which, claims);
    std::vector<size_t> open;
    RecordedCounts more;
    for (size_t i = 0; i < which.size(); ++i) {
        if (claims[i].is_mine) continue;
        std::optional<Reply> reply = in_flight_.wait(*claims[i].ask);
        if (!reply) {
            open.push_back(which[i]);
            continue;
        }
        more.shared += static_cast<int64_t>(call.equal(which[i]));
        reply->recorded = true;
        call.tell({which[i]}, {*std::move(reply)});
    }
    count(more);
    return open;
}

void RecordedSystem::ask(Call& call, const std::vector<size_t>& which, const std::vector<InFlightRequests::Claim>& claims) {
    struct AbandonAtEnd {  // what is not settled by then, because something was thrown
        InFlightRequests& under_way;
        const std::vector<InFlightRequests::Claim>& claims;
        ~AbandonAtEnd() {
            for (const auto& claim : claims)
                if (claim.is_mine) under_way.abandon(*claim.ask);
        }
    } const abandon_at_end{in_flight_, claims};
    std::unordered_map<size_t, InFlightRequests::Ask*> asks;
    std::vector<size_t> mine;
    for (size_t i = 0; i < which.size(); ++i) {
        if (!claims[i].is_mine) continue;
        mine.push_back(which[i]);
        asks[which[i]] = claims[i].ask.get();
    }
    // Once more, for another call may have kept an answer after we looked and before we claimed it. Those that wait for one
    // that is found now are sent to find it themselves.
    const std::vector<size_t> claimed = std::exchange(mine, take_recorded(call, mine, true));
    for (const size_t w : claimed)
        if (!std::binary_search(mine.begin(), mine.end(), w)) in_flight_.abandon(*asks.at(w));
    if (mine.empty()) return;
    std::vector<Request> requests;
    for (const size_t w : mine) requests.push_back(call.request(w));
    std::vector<char> heard(mine.size(), 0);
    const ReplySink take = [&](const std::vector<size_t>& numbers, const std::vector<Reply>& replies) {
        std::vector<size_t> of_call;
        for (const size_t number : numbers) {
            heard.at(number) = 1;
            of_call.push_back(mine[number]);
        }
        std::vector<Reply> to_tell = kept(call, of_call, replies);
        for (size_t i = 0; i < of_call.size(); ++i) in_flight_.settle(*asks.at(of_call[i]), to_tell[i]);
        call.tell(of_call, std::move(to_tell));
    };
    inner_->answer_into(requests, call.sampling(), take);
    for (size_t i = 0; i < heard.size(); ++i)
        if (heard[i] == 0) throw Error(inner_->name(), "to be given every reply before the call returns", "fewer replies");
}

// The replies as they are stored now.
std::vector<Reply> RecordedSystem::kept(const Call& call, const std::vector<size_t>& which,
                                        const std::vector<Reply>& replies) {
    std::vector<Reply> results = replies;
    std::vector<NewAnswer> answers;
    std::vector<size_t> from;
    const std::string server = server_text(inner_->serving());
    for (size_t i = 0; i < which.size(); ++i) {
        const bool is_failed = replies[i].status == Reply::Status::failed;
        if (is_failed ? !was_asked(replies[i]) : !is_kept(replies[i], call.sampling().limit())) continue;
        answers.push_back({call.asked(which[i]), replies[i], inner_->name(), server});
        from.push_back(i);
    }
    if (answers.empty()) return results;
    const auto hold = [&] {
        const std::lock_guard<std::mutex> lock(mutex_);
        const bool is_first = unkept_.empty();
        unkept_.insert(unkept_.end(), answers.begin(), answers.end());
        return is_first;
    };
    {
        const std::unique_lock<std::mutex> lock(mutex_);
        if (!unkept_.empty()) {  // it would fail again, perhaps only after a long wait for a lock
            unkept_.insert(unkept_.end(), answers.begin(), answers.end());
            return results;
        }
    }
    RecordedCounts more;
    try {
        const std::vector<RecordedReply> stored = cache_->keep(answers);
        for (size_t i = 0; i < stored.size(); ++i) {
            if (stored[i].first) continue;
            ++more.kept_elsewhere;
            results[from[i]] = stored[i].reply;
            results[from[i]].usage = replies[from[i]].usage;
            results[from[i]].recorded = false;  // it was paid for, too
        }
    } catch (const Error& error) {
        if (hold()) log_warning(std::string(error.what()) + "; answers are passed on, and no more requests will be made");
    }
    count(more);
    return results;
}

void RecordedSystem::record_pending() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (unkept_.empty()) return;
    try {
        cache_->keep(unkept_);
    } catch (const Error& error) {
        throw Error(std::string(error.what()) + " (" + std::to_string(unkept_.size()) +
                    " answers were passed on, but are not in the cache)");
    }
    unkept_.clear();
}

void RecordedSystem::finish() {
    record_pending();
}

// What the figures of servers mean is said once.
void RecordedSystem::count(const RecordedCounts& more) {
    bool is_first_unconfirmed = false, is_first_unnamed = false;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        is_first_unconfirmed = counts_.unconfirmed == 0 && more.unconfirmed > 0;
        is_first_unnamed = counts_.unnamed == 0 && more.unnamed > 0;
        counts_.requests += more.requests;
        counts_.hits += more.hits;
        counts_.shared += more.shared;
        counts_.asked += more.asked;
        counts_.asked_again += more.asked_again;
        counts_.kept_elsewhere += more.kept_elsewhere;
        counts_.unconfirmed += more.unconfirmed;
        counts_.unnamed += more.unnamed;
    }
    if (is_first_unconfirmed)
        log_warning(inner_->name() +
                    ": the server does not say which model it serves: using recorded answers of the last one that it named");
    if (is_first_unnamed)
        log_warning(inner_->name() +
                    ": answers recorded while the server did not say which model it serves are not used, now that it does");
}

RecordedCounts RecordedSystem::counts() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return counts_;
}

}  // namespace craft
