#include "train/parallel/process_group.h"

#include <c10/core/DeviceGuard.h>
#include <sched.h>
#include <torch/types.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <thread>
#include <utility>

#include "core/json.h"
#include "core/signals.h"
#include "train/parallel/aside.h"
#include "train/parallel/backend.h"
#include "train/parallel/liveness.h"

namespace craft {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

std::string host_name() {
    char name[256] = {};
    return ::gethostname(name, sizeof name - 1) == 0 && name[0] != '\0' ? name : "unnamed";
}

// The cores that this process may use, as text: launchers often give each process its own.
std::string own_cores() {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    if (::sched_getaffinity(0, sizeof cores, &cores) != 0) return "all";
    std::string text;
    for (int core = 0; core < CPU_SETSIZE; ++core)
        if (CPU_ISSET(core, &cores)) text += std::to_string(core) + " ";
    return text;
}

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

// What c10d reports without its stack trace, in one line: NCCL tells the reason in the last of several.
std::string reason_of(const std::exception& error) {
    const auto* of_library = dynamic_cast<const c10::Error*>(&error);
    std::string text = of_library == nullptr ? error.what() : of_library->what_without_backtrace();
    while (!text.empty() && text.back() == '\n') text.pop_back();
    for (size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.replace(at, 1, "; ");
    return text;
}

}  // namespace

// What is waited for, in the words of the error that tells of it in vain.
struct ProcessGroup::Goal {
    std::string expected, hint;
    double seconds = std::numeric_limits<double>::infinity();
};

struct ProcessGroup::Impl {
    c10::intrusive_ptr<c10d::Store> store;
    c10::intrusive_ptr<c10d::Backend> backend;  // before liveness, which must be the first to go
    std::unique_ptr<Liveness> liveness;
    at::Device device = at::kCPU;
    Goal connection, collective, text, texts;
    int64_t first_texts = 0, texts_said = 0;  // number their keys, the same in every rank
    bool left = false, aborted = false;

    // A GPU waits within its part of a sum, for ever if a rank is gone: without this, what comes after it on the GPU would,
    // too, and so would the end of the process.
    void abort() {
        if (!backend || std::exchange(aborted, true)) return;
        Aside<void> aborting([of = backend, on = device] {
            const c10::DeviceGuard guard(on);
            of->abort();
        });
        aborting.is_done(5s);
    }
};

ProcessGroup::ProcessGroup() = default;
ProcessGroup::ProcessGroup(ProcessGroup&&) noexcept = default;

ProcessGroup& ProcessGroup::alone() {
    static ProcessGroup one;
    return one;
}

ProcessGroup::~ProcessGroup() {
    if (!impl_ || impl_->left || !impl_->liveness) return;
    if (is_first() && impl_->liveness->heard()) impl_->liveness->linger();
    impl_->liveness->stop();
    impl_->abort();
    // Gloo's threads may wait for ranks that are gone, and would be waited for: they go with the process.
    static_cast<void>(impl_->backend.release());
}

namespace {

struct Joined {
    std::vector<std::string> texts;                     // every rank's, in their order
    c10::intrusive_ptr<c10d::Store> second_connection;  // to the same store
};

// Has the store know this rank's text, and waits for those of all; ranks that do not come by `seconds` are named. Counts
// `answers` of the store.
Joined join(c10d::Store& store, int rank, int size, const std::string& mine, double seconds, std::atomic<int64_t>& answers) {
    std::vector<std::string> keys;
    for (int of = 0; of < size; ++of) keys.push_back("joined/" + std::to_string(of));
    if (store.add("process of rank " + std::to_string(rank), 1) > 1)
        throw UsageError("RANK (SLURM_PROCID): expected one process of each rank, got two of rank " + std::to_string(rank));
    Liveness::announce(store, rank);
    store.set(keys[static_cast<size_t>(rank)], mine);
    const auto deadline = Clock::now() + std::chrono::duration<double>(seconds);
    for (; !store.check(keys); ++answers) {
        if (Clock::now() >= deadline) {
            std::string missing;
            for (int other = 0; other < size; ++other)
                if (!store.check({keys[static_cast<size_t>(other)]}))
                    missing += (missing.empty() ? "" : ", ") + std::to_string(other);
            throw Error("rank " + std::to_string(rank) + " of " + std::to_string(size),
                        "all ranks to come within " + std::to_string(static_cast<int64_t>(seconds)) + " s",
                        "none of rank " + missing, "is every rank started? in a Slurm batch script, srun starts them");
        }
        throw_if_stopped();
        std::this_thread::sleep_for(20ms + size * 1ms);  // the store is asked by all ranks for all ranks
    }
    Joined joined;
    for (const auto& text : store.multiGet(keys)) joined.texts.emplace_back(text.begin(), text.end());
    joined.second_connection = store.clone();
    return joined;
}

// Before the ranks look after each other, too, a store whose process is stopped answers nothing and breaks no connection.
// Its `keeper` is lost after ten seconds without an answer, which are counted as Liveness counts them.
Joined join_or_lose(const c10::intrusive_ptr<c10d::Store>& store, int rank, int size, const std::string& mine,
                    double seconds, const std::string& keeper) {
    const auto answers = std::make_shared<std::atomic<int64_t>>(0);
    Aside<Joined> joining([=] { return join(*store, rank, size, mine, seconds, *answers); });
    int64_t known = 0;
    for (int quiet = 0; !joining.is_done(500ms); ++quiet) {
        if (const int64_t now = *answers; now != std::exchange(known, now)) quiet = 0;
        if (quiet >= 20) throw LostRank(Liveness::lost_store(keeper));
    }
    return joining.result();
}

}  // namespace

ProcessGroup::ProcessGroup(const Launch& launch, const GroupOptions& options) : rank_(launch.rank) {
    if (launch.size == 1) return;
    impl_ = std::make_unique<Impl>();
    const auto within = [](double seconds) { return " within " + std::to_string(static_cast<int64_t>(seconds)) + " s"; };
    impl_->connection = {"the ranks to reach each other" + within(options.join_timeout),
                         "does the network interface that GLOO_SOCKET_IFNAME, or for GPUs NCCL_SOCKET_IFNAME, names lead to "
                         "all of them, and has each a GPU of its own? NCCL_DEBUG=INFO says more",
                         options.join_timeout};
    impl_->collective = {"every rank in a collective" + within(options.timeout), "parallel.timeout is that time",
                         options.timeout};
    impl_->text = {"what rank 0 says", ""};
    impl_->texts = {"what every rank says", ""};
    impl_->store = open_store(launch, options.join_timeout);
    const std::string keeper = launch.launcher_keeps_store ? "the launcher" : "rank 0";
    Joined joined;
    try {
        const std::string mine = dump_line({{"host", host_name()}, {"size", launch.size}, {"cores", own_cores()}});
        hosts_.clear();
        cores_shared_by_ = 0;
        joined =
            join_or_lose(impl_->store, rank_, launch.size, mine, options.join_timeout, keeper + " (" + launch.address + ")");
        for (const auto& text : joined.texts) {
            const Json other = Json::parse(text);
            if (other.at("size") != launch.size)
                throw UsageError("WORLD_SIZE (SLURM_NTASKS): expected the same in every rank, got " +
                                 std::to_string(launch.size) + " in rank " + std::to_string(rank_) + " and " +
                                 dump_line(other.at("size")) + " in rank " + std::to_string(hosts_.size()));
            hosts_.push_back(other.at("host").get<std::string>());
            if (other.at("host") == host_name() && other.at("cores") == own_cores()) ++cores_shared_by_;
        }
    } catch (const Json::exception&) {
        throw Error("MASTER_ADDR, MASTER_PORT", "the other ranks there", "another program's store");
    } catch (const c10::Error&) {
        throw Error("rank " + std::to_string(rank_), "all ranks to join", "rank 0 gone before");
    }
    local_size_ = static_cast<int>(std::count(hosts_.begin(), hosts_.end(), hosts_[static_cast<size_t>(rank_)]));
    const auto before = std::count(hosts_.begin(), hosts_.begin() + rank_, hosts_[static_cast<size_t>(rank_)]);
    local_rank_ = launch.local_rank.value_or(static_cast<int>(before));
    impl_->liveness =
        std::make_unique<Liveness>(joined.second_connection, rank_, hosts_,
                                   keeper + " (" + (launch.launcher_keeps_store ? launch.address : hosts_[0]) + ")");
}

void ProcessGroup::end(const EndReason& words) {
    impl_->abort();
    if (words.signal != 0) throw Stopped(words.signal);
    throw LostRank(words.message);
}

void ProcessGroup::throw_if_ended() {
    if (const auto words = impl_->liveness->heard()) end(*words);
}

void ProcessGroup::fail(const Goal& goal, const std::string& got) {
    const Error error("rank " + std::to_string(rank_), goal.expected, got + ", though all are alive", goal.hint);
    end(impl_->liveness->roll_call({error.what(), 0}));
}

// Runs what may throw whatever c10d throws.
template <class Call>
auto ProcessGroup::attempt(const Goal& goal, const Call& call) {
    try {
        return call();
    } catch (const Error&) {  // LostRank, for one
        throw;
    } catch (const Stopped&) {
        throw;
    } catch (const std::exception& error) {
        fail(goal, "'" + reason_of(error) + "'");
    }
}

// Asks again and again, each time for a while that it gives, and looks after the other ranks in between.
template <class DoneWithin>
void ProcessGroup::wait_until(const Goal& goal, const DoneWithin& done_within) {
    const auto begin = Clock::now();
    // A small sum takes some 100 us, and must not wait for a sleeper; later a pause adds little to what was waited anyway.
    for (auto waited = 0ns; !done_within(waited < 300us ? 0ns : std::min<std::chrono::nanoseconds>(waited / 8, 1ms));
         waited = Clock::now() - begin) {
        if (waited < 300us) continue;
        if (const auto words = impl_->liveness->look()) end(*words);
        if (std::chrono::duration<double>(waited).count() > goal.seconds) fail(goal, "fewer");
    }
}

// Neither library's own waiting would do: NCCL on one machine sees no connection break when a rank dies.
void ProcessGroup::finish(const Goal& goal, c10d::Work& work) {
    attempt(goal, [&] {
        wait_until(goal, [&](std::chrono::nanoseconds pause) {
            if (work.isCompleted()) return true;
            if (pause == 0ns)
                std::this_thread::yield();
            else
                std::this_thread::sleep_for(pause);
            return false;
        });
        work.wait();  // no more: throws what went wrong, and has this thread's stream on a GPU come after the work
    });
}

template <class Result, class Call>
Result ProcessGroup::aside(const Goal& goal, Call call) {
    return attempt(goal, [&] {
        Aside<Result> calling(std::move(call));
        wait_until(goal, [&](auto) {
            if (calling.is_done(50ms)) return true;
            throw_if_stopped();
            return false;
        });
        return calling.result();
    });
}

void ProcessGroup::connect(const at::Device& device) {
    if (!impl_) return;
    impl_->device = device;
    using Opened = std::pair<c10::intrusive_ptr<c10d::Backend>, c10::intrusive_ptr<c10d::Work>>;
    Opened opened = aside<Opened>(
        impl_->connection,
        [store = impl_->store, rank = rank_, size = size(), device, one_machine = local_size_ == size()]() -> Opened {
            const c10::DeviceGuard guard(device);
            auto backend = open_backend(store, rank, size, device, one_machine);
            std::vector<at::Tensor> one = {at::ones({1}, at::TensorOptions(device))};
            auto work = backend->allreduce(one);  // NCCL makes its connections here
            return {std::move(backend), std::move(work)};
        });
    impl_->backend = std::move(opened.first);
    finish(impl_->connection, *opened.second);
}

std::function<void()> ProcessGroup::start_sum(const at::Tensor& tensor) {
    if (!impl_) return [] {};
    throw_if_ended();
    const at::Tensor moved = tensor.to(impl_->device);
    std::vector<at::Tensor> tensors = {moved};
    const auto work = attempt(impl_->collective, [&] { return impl_->backend->allreduce(tensors); });
    return [this, work, moved, tensor] {
        finish(impl_->collective, *work);
        if (!moved.is_same(tensor)) tensor.copy_(moved);
    };
}

void ProcessGroup::sum(const at::Tensor& tensor) {
    start_sum(tensor)();
}

void ProcessGroup::broadcast(const at::Tensor& tensor) {
    if (!impl_) return;
    throw_if_ended();
    const at::Tensor moved = tensor.to(impl_->device);
    std::vector<at::Tensor> tensors = {moved};
    finish(impl_->collective, *attempt(impl_->collective, [&] { return impl_->backend->broadcast(tensors); }));
    if (!moved.is_same(tensor)) tensor.copy_(moved);
}

void ProcessGroup::gather(const at::Tensor& own, const at::Tensor& parts) {
    if (!impl_) {
        parts[0].copy_(own);
        return;
    }
    throw_if_ended();
    at::Tensor input = own, output = parts.view({-1});
    finish(impl_->collective, *attempt(impl_->collective, [&] { return impl_->backend->_allgather_base(output, input); }));
}

std::string ProcessGroup::broadcast_text(const std::string& text) {
    if (!impl_) return text;
    return aside<std::string>(
        impl_->text, [store = impl_->store, first = is_first(), key = "text/" + std::to_string(impl_->first_texts++), text] {
            if (first) {
                store->set(key, "=" + text);  // never empty
                return text;
            }
            store->wait({key}, kNeverInPractice);
            return store->get_to_str(key).substr(1);
        });
}

std::vector<std::string> ProcessGroup::exchange(const std::string& text) {
    if (!impl_) return {text};
    std::vector<std::string> keys;
    for (int rank = 0; rank < size(); ++rank)
        keys.push_back("texts/" + std::to_string(impl_->texts_said) + "/" + std::to_string(rank));
    ++impl_->texts_said;
    return aside<std::vector<std::string>>(impl_->texts,
                                           [store = impl_->store, keys, own = keys[static_cast<size_t>(rank_)], text] {
                                               store->set(own, "=" + text);  // never empty
                                               store->wait(keys, kNeverInPractice);
                                               std::vector<std::string> all;
                                               for (const auto& said : store->multiGet(keys))
                                                   all.emplace_back(said.begin() + 1, said.end());
                                               return all;
                                           });
}

void ProcessGroup::check() {
    if (!impl_) return;
    if (const auto words = impl_->liveness->look()) end(*words);
}

void ProcessGroup::run_on_first_rank(const std::function<void()>& work) {
    if (is_first()) work();
    broadcast_text("");
}

void ProcessGroup::require_same(const std::string& what, const std::string& text) {
    if (broadcast_text(text) != text)
        throw Error(what, "the same in every rank", "another one in rank " + std::to_string(rank_) + " than in rank 0");
}

void ProcessGroup::guard(const std::function<void()>& work) {
    if (!impl_) return work();
    const std::string who = "rank " + std::to_string(rank_) + ": ";
    try {
        work();
    } catch (const LostRank&) {  // known to all
        throw;
    } catch (const Stopped& stopped) {
        impl_->liveness->say({who + stopped.what(), stopped.signal()});
        throw;
    } catch (const std::exception& error) {
        impl_->liveness->say({who + first_line(error.what()), 0});
        throw;
    }
}

void ProcessGroup::leave() {
    if (!impl_ || impl_->left) return;
    impl_->left = true;
    impl_->liveness->stop();
    Aside<void> leaving(
        [store = impl_->store, backend = impl_->backend, device = impl_->device, first = is_first(), size = size()] {
            const c10::DeviceGuard guard(device);
            if (backend) backend->shutdown();
            store->add("left", 1);
            // The store goes with rank 0.
            for (const auto end = Clock::now() + 10s; first && store->add("left", 0) < size && Clock::now() < end;)
                std::this_thread::sleep_for(5ms);
        });
    // The work is done: whatever hangs now, or has been gone for long, does not matter.
    if (!leaving.is_done(15s)) static_cast<void>(impl_->backend.release());
}

}  // namespace craft
