// Which ranks live, and what one that ends early tells the others: through the store that all of them reach.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <torch/csrc/distributed/c10d/Store.hpp>
#include <vector>

namespace craft {

// Why a group ends before its work is done; the same for all ranks.
struct EndReason {
    std::string message;  // one line, naming the rank
    int signal = 0;       // that asked it to stop; 0: it failed or was lost
};

// A thread of its own gives a sign of life twice a second, and watches for the signs of others (rank 0 for those of all
// ranks, the others for rank 0's) and for a rank's reason to end. So a rank that computes for long is not taken for dead,
// and one that waits for a rank that is gone learns of it. N ranks make some 8 N small requests a second to the store.
//
// Nobody but the thread talks to the store, because a store whose process is stopped answers nothing and breaks no
// connection: no call here waits longer than some seconds.
class Liveness {
public:
    // The rank's first sign. Before the others know of the rank, since they look for a sign of every rank that they know.
    static void announce(c10d::Store& store, int rank);
    // What LostRank says when `keeper`, as errors call who keeps the store, answers no more.
    static std::string lost_store(const std::string& keeper);

    // `store`: a connection that nobody else uses. `hosts` of the ranks, in their order.
    Liveness(const c10::intrusive_ptr<c10d::Store>& store, int rank, std::vector<std::string> hosts, std::string keeper);
    ~Liveness();
    Liveness(const Liveness&) = delete;
    Liveness& operator=(const Liveness&) = delete;

    // What another rank, or a roll call, said; nullopt: all is well as far as is known.
    std::optional<EndReason> heard() const;
    // For a rank that waits for the others, as often as it likes: what was heard; a rank that has given no sign for ten
    // seconds is lost, and is then said to be.
    std::optional<EndReason> look();
    // Tells all ranks. The first words stand; returns those.
    EndReason say(const EndReason& words);
    // After a collective has failed: waits for last words or, for four seconds, for a sign of life of every rank. Says which
    // one is lost; if all are alive, `otherwise`.
    EndReason roll_call(const EndReason& otherwise);
    // For rank 0, whose process holds the store: waits, at most two seconds, until the others have read why the group ends.
    void linger();
    void stop();

private:
    struct Watch;
    std::shared_ptr<Watch> watch_;  // the thread's, too: one that hangs in the store is left behind with it
    std::thread thread_;
};

}  // namespace craft
