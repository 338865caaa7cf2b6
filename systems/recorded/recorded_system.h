// Any system behind the cache of its answers.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "systems/recorded/answer_cache.h"
#include "systems/recorded/in_flight_requests.h"
#include "systems/system.h"

namespace craft {

struct RecordedCounts {
    int64_t requests = 0;
    int64_t hits = 0;            // answered from the cache
    int64_t shared = 0;          // got the answer to an equal request that was being asked
    int64_t asked = 0;           // went to the system
    int64_t asked_again = 0;     // of these, with an unusable answer before: a sample drawn again shifts the distribution
    int64_t kept_elsewhere = 0;  // of these, another process kept an answer first, which was taken
    int64_t unconfirmed = 0;     // hits whose server says nothing now, though it named its model then
    int64_t unnamed = 0;         // asked, for the answer that was kept is of a server that did not name its model then
    Json to_json() const;        // for manifests: the fields by their names
};

// Looks up, asks the inner system for what is missing, and keeps its replies as they come, before anybody is told of them.
// - Answers are kept that asking again would not better (is_kept()). Failed ones never are: of those that were asked for it
//   is noted that they were.
// - Answers of other servers are not found: what the inner system is serving() goes with each that is kept. Where it says
//   nothing now, or said nothing then, that is warned of once (SameServer).
// - Equal requests (key of systems/recorded/recorded_request.h), in one call or in several at once, are asked once.
//   `recorded` is set for hits and for all but the first of equal ones.
// - Where another process was faster, its text is taken, with the usage that ours cost.
// - Where the cache cannot keep replies (a full disk, a lock that stays), they are handed on all the same and held in
//   memory. The next call tries to keep them once more and, before it asks for anything, throws if that fails; finish()
//   does so at the end of the run. So what was paid for reaches the caller, and little more is paid for.
// Thread-safe if the inner system is.
class RecordedSystem : public System {
public:
    RecordedSystem(std::shared_ptr<System> inner, std::shared_ptr<AnswerCache> cache);
    ~RecordedSystem() override;  // warns of replies that could not be kept
    RecordedSystem(const RecordedSystem&) = delete;
    RecordedSystem& operator=(const RecordedSystem&) = delete;

    // Throws what the inner system and the cache throw.
    std::vector<Reply> answer_into(const std::vector<Request>& requests, const SamplingOptions& sampling,
                                   const ReplySink& sink) override;
    std::string name() const override { return inner_->name(); }
    Json record(const Request& request, const SamplingOptions& sampling) const override {
        return inner_->record(request, sampling);
    }
    // To be called when no more will be asked. Throws Error while replies could not be kept.
    void finish();
    RecordedCounts counts() const;

private:
    class Call;
    std::vector<size_t> take_recorded(Call& call, const std::vector<size_t>& which, bool will_ask);
    std::vector<size_t> ask_or_wait(Call& call, const std::vector<size_t>& which);
    void ask(Call& call, const std::vector<size_t>& which, const std::vector<InFlightRequests::Claim>& claims);
    std::vector<Reply> kept(const Call& call, const std::vector<size_t>& which, const std::vector<Reply>& replies);
    void record_pending();
    void count(const RecordedCounts& more);

    std::shared_ptr<System> inner_;
    std::shared_ptr<AnswerCache> cache_;
    InFlightRequests in_flight_;
    mutable std::mutex mutex_;  // of what follows
    RecordedCounts counts_;
    std::vector<NewAnswer> unkept_;
};

}  // namespace craft
