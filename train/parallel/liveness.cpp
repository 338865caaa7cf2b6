#include "train/parallel/liveness.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "core/json.h"
#include "core/signals.h"
#include "train/parallel/backend.h"

namespace craft {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kBetweenLooks = 500ms;
// Silence is counted in looks, not read off a clock: a process that was stopped itself comes back without looks after it,
// and does not take its own absence for the others'.
//
// While nothing has failed, 10 s: a machine that swaps or moves to another host, a paused container and a network that finds
// another way are back in less, and what they cost is a wait, where a rank taken for lost costs the run.
constexpr int kLooksUntilLost = 20;
// Once a collective has failed the run is over, and only who was lost is still to be found out: 4 s.
constexpr int kLooksOfRollCall = 8;
const std::string kWords = "last words", kHeard = "last words heard";

std::string sign_of(size_t rank) {
    return "alive/" + std::to_string(rank);
}

EndReason lost(const std::string& ranks) {
    return {"expected all ranks to stay until the end, got no sign of life from " + ranks + ": lost", 0};
}

}  // namespace

// What the thread and the rank share, under the mutex; the first four do not change.
struct Liveness::Watch {
    struct Sign {
        std::vector<uint8_t> value;
        int quiet = 0;          // looks since it changed
        bool answered = false;  // has changed since a roll call began
    };

    const c10::intrusive_ptr<c10d::Store> store;  // a connection of the thread's own
    const size_t rank;
    const std::vector<std::string> hosts;
    const std::string keeper;
    mutable std::mutex mutex;
    std::condition_variable wakes;
    bool stopping = false, ended = false;
    std::optional<EndReason> heard, to_say;
    int64_t heard_by = 0;  // ranks; rank 0 counts them
    int64_t turns = 0;     // that the store has answered
    bool roll_call = false;
    int64_t roll_call_looks = 0;
    std::vector<Sign> signs;  // by rank
    // Of look(): when it looked, after how many turns, and for how many looks there was no other.
    Clock::time_point looked = Clock::now();
    int64_t turns_seen = 0;
    int unanswered = 0;

    Watch(c10::intrusive_ptr<c10d::Store> connection, int of, std::vector<std::string> all, std::string kept_by)
        : store(std::move(connection)),
          rank(static_cast<size_t>(of)),
          hosts(std::move(all)),
          keeper(std::move(kept_by)),
          signs(hosts.size()) {
        store->setTimeout(
            kNeverInPractice);  // a store that answers late is waited for, one that has gone silent is for look()
    }

    void run();
    void turn();
    void hear(const std::string& text);
    void look_after_signs();

    // With the mutex held:
    void note(const EndReason& words) {
        if (!heard) heard = words;
    }
    void note_lost_store() { note({lost_store(keeper), 0}); }
    template <class Which>
    std::string names(const Which& which) const {
        std::string list;
        for (size_t other = 0; other < signs.size(); ++other)
            if (other != rank && which(signs[other]))
                list += (list.empty() ? "rank " : ", rank ") + std::to_string(other) + " (" + hosts[other] + ")";
        return list;
    }
    std::string quiet_for(int looks) const {
        return names([&](const Sign& sign) { return sign.quiet >= looks; });
    }
    std::string unanswering() const {
        return names([](const Sign& sign) { return !sign.answered; });
    }
};

void Liveness::Watch::run() {
    bool lost_store = false;
    for (std::unique_lock lock(mutex); !stopping && !lost_store;) {
        lock.unlock();
        try {
            turn();
        } catch (const std::exception&) {  // nobody answers at the store any more
            lost_store = true;
        }
        lock.lock();
        if (lost_store) note_lost_store();
        ++turns;
        wakes.notify_all();
        const bool said = heard.has_value(), called = roll_call;
        wakes.wait_for(lock, rank == 0 && said ? 50ms : kBetweenLooks,
                       [&] { return stopping || lost_store || (to_say && !said) || roll_call != called; });
    }
    const std::lock_guard lock(mutex);
    ended = true;
    wakes.notify_all();
}

void Liveness::Watch::turn() {
    store->add(sign_of(rank), 1);
    std::optional<EndReason> mine;
    bool listens = false;
    {
        const std::lock_guard lock(mutex);
        mine = to_say;
        listens = !heard;
    }
    if (listens && mine)
        hear(store->compareSet(kWords, "", dump_line({{"message", mine->message}, {"signal", mine->signal}})));
    else if (listens && store->check({kWords}))
        hear(store->get_to_str(kWords));
    if (rank == 0 && !listens) {
        const int64_t count = store->add(kHeard, 0);
        const std::lock_guard lock(mutex);
        heard_by = count;
    }
    look_after_signs();
}

void Liveness::Watch::hear(const std::string& text) {
    const Json words = Json::parse(text);
    store->add(kHeard, 1);
    const std::lock_guard lock(mutex);
    note({words.at("message").get<std::string>(), words.at("signal").get<int>()});
    if (heard->signal != 0) stop_as_by(heard->signal);  // a rank that works alone for long looks for nothing else
}

void Liveness::Watch::look_after_signs() {
    std::unique_lock lock(mutex);
    const bool called = roll_call;
    lock.unlock();
    std::vector<std::string> keys;
    for (size_t other = 0; other < (rank == 0 || called ? signs.size() : 1); ++other) keys.push_back(sign_of(other));
    std::vector<std::vector<uint8_t>> values = store->multiGet(keys);
    lock.lock();
    const bool compares = called && roll_call_looks > 0;  // the first look after the call is what later ones compare with
    if (called) ++roll_call_looks;
    for (size_t other = 0; other < values.size(); ++other) {
        Sign& sign = signs[other];
        const bool changed = values[other] != sign.value;
        sign.value = std::move(values[other]);
        sign.quiet = changed ? 0 : sign.quiet + 1;
        sign.answered = sign.answered || (compares && changed);
    }
}

std::string Liveness::lost_store(const std::string& keeper) {
    return "expected all ranks to stay until the end, got no answer from " + keeper +
           ", through which they find each other: lost";
}

void Liveness::announce(c10d::Store& store, int rank) {
    store.add(sign_of(static_cast<size_t>(rank)), 1);
}

Liveness::Liveness(const c10::intrusive_ptr<c10d::Store>& store, int rank, std::vector<std::string> hosts,
                   std::string keeper)
    : watch_(std::make_shared<Watch>(store, rank, std::move(hosts), std::move(keeper))) {
    thread_ = std::thread([watch = watch_] { watch->run(); });
}

Liveness::~Liveness() {
    stop();
}

void Liveness::stop() {
    if (!thread_.joinable()) return;
    std::unique_lock lock(watch_->mutex);
    watch_->stopping = true;
    watch_->wakes.notify_all();
    const bool ended = watch_->wakes.wait_for(lock, 1s, [this] { return watch_->ended; });
    lock.unlock();
    if (ended)
        thread_.join();
    else
        thread_.detach();
}

std::optional<EndReason> Liveness::heard() const {
    const std::lock_guard lock(watch_->mutex);
    return watch_->heard;
}

std::optional<EndReason> Liveness::look() {
    Watch& watch = *watch_;
    std::unique_lock lock(watch.mutex);
    if (watch.heard || Clock::now() - watch.looked < kBetweenLooks) return watch.heard;
    watch.looked = Clock::now();
    watch.unanswered = watch.turns == watch.turns_seen ? watch.unanswered + 1 : 0;
    watch.turns_seen = watch.turns;
    if (watch.unanswered >= kLooksUntilLost) watch.note_lost_store();
    if (watch.heard || watch.quiet_for(kLooksUntilLost).empty()) return watch.heard;
    const std::string ranks = watch.quiet_for(kLooksOfRollCall);  // of a machine that is gone, all
    lock.unlock();
    return say(lost(ranks));
}

EndReason Liveness::say(const EndReason& words) {
    Watch& watch = *watch_;
    std::unique_lock lock(watch.mutex);
    watch.to_say = words;
    watch.wakes.notify_all();
    watch.wakes.wait_for(lock, 4s, [&] { return watch.heard || watch.ended; });
    watch.note(words);  // without a store each must find out by itself
    return *watch.heard;
}

EndReason Liveness::roll_call(const EndReason& otherwise) {
    Watch& watch = *watch_;
    std::unique_lock lock(watch.mutex);
    watch.roll_call = true;
    watch.wakes.notify_all();
    const auto known = [&] {
        return watch.heard || watch.ended || (watch.roll_call_looks > 1 && watch.unanswering().empty());
    };
    for (int looks = 0; looks < kLooksOfRollCall && !known(); ++looks) watch.wakes.wait_for(lock, kBetweenLooks, known);
    if (watch.roll_call_looks == 0) watch.note_lost_store();
    if (watch.heard) return *watch.heard;
    const std::string ranks = watch.unanswering();
    lock.unlock();
    return say(ranks.empty() ? otherwise : lost(ranks));
}

void Liveness::linger() {
    Watch& watch = *watch_;
    std::unique_lock lock(watch.mutex);
    watch.wakes.wait_for(lock, 2s,
                         [&] { return watch.ended || watch.heard_by >= static_cast<int64_t>(watch.hosts.size()); });
}

}  // namespace craft
