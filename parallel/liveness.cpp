#include "parallel/liveness.h"

#include <chrono>

#include "core/json.h"

namespace craft {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kBetweenSigns = 200ms;
constexpr auto kSilence = 4s;  // of a rank that is taken for lost once something has failed
const std::string kWords = "last words", kHeard = "last words heard";

std::string sign_of(size_t rank) {
    return "alive/" + std::to_string(rank);
}

}  // namespace

Liveness::Liveness(const c10::intrusive_ptr<c10d::Store>& store, int rank, std::vector<std::string> hosts)
    : store_(store->clone()), watched_(store->clone()), rank_(rank), hosts_(std::move(hosts)) {
    thread_ = std::thread([this] { watch(); });
}

Liveness::~Liveness() {
    stop();
}

void Liveness::stop() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    wakes_.notify_all();
    if (thread_.joinable()) thread_.join();
}

std::optional<LastWords> Liveness::heard() const {
    const std::lock_guard lock(mutex_);
    return heard_;
}

void Liveness::note(const LastWords& words) {
    const std::lock_guard lock(mutex_);
    if (!heard_) heard_ = words;
}

void Liveness::watch() {
    for (bool counted = false;;) {
        try {
            watched_->add(sign_of(static_cast<size_t>(rank_)), 1);
            if (!counted && watched_->check({kWords})) {
                const Json words = Json::parse(watched_->get_to_str(kWords));
                note({words.at("message").get<std::string>(), words.at("signal").get<int>()});
                watched_->add(kHeard, 1);
                counted = true;
            }
        } catch (const std::exception&) {  // nobody answers at the store any more
            return note({"expected all ranks to stay until the end, got none from " + name_of(0) +
                             ", through which they find each other: it was lost",
                         0});
        }
        std::unique_lock lock(mutex_);
        if (wakes_.wait_for(lock, kBetweenSigns, [this] { return stopping_; })) return;
    }
}

std::string Liveness::name_of(size_t rank) const {
    return "rank " + std::to_string(rank) + " (" + hosts_[rank] + ")";
}

std::vector<int64_t> Liveness::signs() const {
    std::vector<int64_t> counts;
    for (size_t rank = 0; rank < hosts_.size(); ++rank) counts.push_back(store_->add(sign_of(rank), 0));
    return counts;
}

LastWords Liveness::say(const LastWords& words) {
    try {
        const std::string mine = dump_line({{"message", words.message}, {"signal", words.signal}});
        const Json first = Json::parse(store_->compareSet(kWords, "", mine));
        note({first.at("message").get<std::string>(), first.at("signal").get<int>()});
    } catch (const std::exception&) {  // the store went with rank 0: each must find out by itself
        note(words);
    }
    return *heard();
}

LastWords Liveness::roll_call(const LastWords& otherwise) {
    try {
        const std::vector<int64_t> before = signs();
        std::string silent;
        for (const auto end = Clock::now() + kSilence; Clock::now() < end; std::this_thread::sleep_for(50ms)) {
            if (const auto words = heard()) return *words;
            const std::vector<int64_t> now = signs();
            silent.clear();
            for (size_t rank = 0; rank < now.size(); ++rank)
                if (now[rank] == before[rank]) silent += (silent.empty() ? "" : ", ") + name_of(rank);
            if (silent.empty()) return say(otherwise);
        }
        return say({"expected all ranks to stay until the end, got no sign of life from " + silent + ": lost", 0});
    } catch (const std::exception&) {  // the thread notices that the store is gone, and says so
        for (const auto end = Clock::now() + kSilence; Clock::now() < end; std::this_thread::sleep_for(50ms))
            if (const auto words = heard()) return *words;
        note(otherwise);
        return *heard();
    }
}

void Liveness::let_be_heard() {
    try {
        const auto others = static_cast<int64_t>(hosts_.size());
        for (const auto end = Clock::now() + 2s; Clock::now() < end && store_->add(kHeard, 0) < others;)
            std::this_thread::sleep_for(20ms);
    } catch (const std::exception&) {}  // nobody is there
}

}  // namespace craft
