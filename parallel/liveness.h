// Which ranks live, and what one that ends early tells the others: through the store that all of them reach.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <torch/csrc/distributed/c10d/Store.hpp>
#include <vector>

namespace craft {

// Why a group ends before its work is done; the same for all ranks.
struct LastWords {
    std::string message;  // one line, naming the rank
    int signal = 0;       // that asked it to stop; 0: it failed or was lost
};

// A thread of its own gives a sign of life several times a second and listens for last words, so that a rank that computes
// for long, or waits for one that is gone, is neither taken for dead nor left in the dark.
class Liveness {
public:
    // `hosts` of the ranks, in their order.
    Liveness(const c10::intrusive_ptr<c10d::Store>& store, int rank, std::vector<std::string> hosts);
    ~Liveness();
    Liveness(const Liveness&) = delete;
    Liveness& operator=(const Liveness&) = delete;

    // What another rank, or a roll call, said; nullopt: all is well as far as is known.
    std::optional<LastWords> heard() const;
    // Tells all ranks. The first words stand; returns those.
    LastWords say(const LastWords& words);
    // After a collective has failed: waits for last words or, for some seconds, for a sign of life of every rank. Says which
    // one is lost; if all are alive, `otherwise`.
    LastWords roll_call(const LastWords& otherwise);
    // For rank 0, whose end takes the store away: lets the others hear the last words, for two seconds at most.
    void let_be_heard();
    void stop();

private:
    void watch();
    void note(const LastWords& words);
    std::vector<int64_t> signs() const;
    std::string name_of(size_t rank) const;

    c10::intrusive_ptr<c10d::Store> store_, watched_;  // a connection each for the caller and for the thread
    int rank_;
    std::vector<std::string> hosts_;
    mutable std::mutex mutex_;
    std::condition_variable wakes_;
    bool stopping_ = false;
    std::optional<LastWords> heard_;
    std::thread thread_;
};

}  // namespace craft
