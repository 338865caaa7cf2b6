#include "parallel/process_group.h"

#include <sched.h>
#include <torch/types.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "core/json.h"
#include "core/signals.h"
#include "parallel/backend.h"
#include "parallel/liveness.h"

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

[[noreturn]] void throw_words(const LastWords& words) {
    if (words.signal != 0) throw Stopped(words.signal);
    throw LostRank(words.message);
}

}  // namespace

struct ProcessGroup::Impl {
    c10::intrusive_ptr<c10d::Store> store;
    c10::intrusive_ptr<c10d::Backend> backend;  // before liveness, which must be the first to go
    std::unique_ptr<Liveness> liveness;
    at::Device device = at::kCPU;
    double timeout = 0;
    int64_t calls = 0;  // numbers the keys, the same in every rank
    bool left = false;
};

ProcessGroup::ProcessGroup() = default;
ProcessGroup::ProcessGroup(ProcessGroup&&) noexcept = default;

ProcessGroup& ProcessGroup::alone() {
    static ProcessGroup one;
    return one;
}

ProcessGroup::~ProcessGroup() {
    if (!impl_ || impl_->left || !impl_->liveness) return;
    if (is_first() && impl_->liveness->heard()) impl_->liveness->let_be_heard();
    impl_->liveness->stop();
    // Its threads may wait for ranks that are gone, and would be waited for: they go with the process.
    static_cast<void>(impl_->backend.release());
}

namespace {

// Every rank's text, in their order; those that do not come by `deadline` are named.
std::vector<std::string> texts_of_all(c10d::Store& store, int rank, int size, const std::string& mine, double seconds) {
    const auto key = [](int of) { return "joined/" + std::to_string(of); };
    if (store.add("process of rank " + std::to_string(rank), 1) > 1)
        throw UsageError("RANK (SLURM_PROCID): expected one process of each rank, got two of rank " + std::to_string(rank));
    store.set(key(rank), mine);
    const auto deadline = Clock::now() + std::chrono::duration<double>(seconds);
    std::string missing;
    do {
        missing.clear();
        for (int other = 0; other < size; ++other)
            if (!store.check({key(other)})) missing += (missing.empty() ? "" : ", ") + std::to_string(other);
        if (missing.empty()) break;
        throw_if_stopped();
        std::this_thread::sleep_for(20ms);
    } while (Clock::now() < deadline);
    if (!missing.empty())
        throw Error("rank " + std::to_string(rank) + " of " + std::to_string(size),
                    "all ranks to come within " + std::to_string(static_cast<int64_t>(seconds)) + " s",
                    "none of rank " + missing, "is every rank started? in a Slurm batch script, srun starts them");
    std::vector<std::string> texts;
    for (int other = 0; other < size; ++other) texts.push_back(store.get_to_str(key(other)));
    return texts;
}

}  // namespace

ProcessGroup::ProcessGroup(const Launch& launch, const GroupOptions& options) : rank_(launch.rank) {
    if (launch.size == 1) return;
    impl_ = std::make_unique<Impl>();
    impl_->timeout = options.timeout;
    impl_->store = open_store(launch, options.join_timeout);
    try {
        const std::string mine = dump_line({{"host", host_name()}, {"size", launch.size}, {"cores", own_cores()}});
        hosts_.clear();
        cores_shared_by_ = 0;
        for (const auto& text : texts_of_all(*impl_->store, rank_, launch.size, mine, options.join_timeout)) {
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
    impl_->liveness = std::make_unique<Liveness>(impl_->store, rank_, hosts_);
}

void ProcessGroup::connect(const at::Device& device) {
    if (!impl_) return;
    impl_->device = device;
    try {
        impl_->backend = open_backend(impl_->store, rank_, size(), device, local_size_ == size(), impl_->timeout);
    } catch (const c10::Error& error) {
        fail(error.what_without_backtrace());
    }
}

void ProcessGroup::fail(const std::string& reason) {
    throw_words(
        impl_->liveness->roll_call({"rank " + std::to_string(rank_) + ": expected every rank in a collective within " +
                                        std::to_string(static_cast<int64_t>(impl_->timeout)) + " s, got '" +
                                        first_line(reason) + "', though all are alive (parallel.timeout is that time)",
                                    0}));
}

std::function<void()> ProcessGroup::start_sum(const at::Tensor& tensor) {
    if (!impl_) return [] {};
    if (const auto words = impl_->liveness->heard()) throw_words(*words);
    const at::Tensor moved = tensor.to(impl_->device);
    std::vector<at::Tensor> tensors = {moved};
    try {
        const auto work = impl_->backend->allreduce(tensors);
        return [this, work, moved, tensor] {
            try {
                work->wait();
            } catch (const std::exception& error) {
                fail(error.what());
            }
            if (!moved.is_same(tensor)) tensor.copy_(moved);
        };
    } catch (const std::exception& error) {
        fail(error.what());
    }
}

void ProcessGroup::sum(const at::Tensor& tensor) {
    start_sum(tensor)();
}

void ProcessGroup::broadcast(const at::Tensor& tensor) {
    if (!impl_) return;
    if (const auto words = impl_->liveness->heard()) throw_words(*words);
    const at::Tensor moved = tensor.to(impl_->device);
    std::vector<at::Tensor> tensors = {moved};
    try {
        impl_->backend->broadcast(tensors)->wait();
    } catch (const std::exception& error) {
        fail(error.what());
    }
    if (!moved.is_same(tensor)) tensor.copy_(moved);
}

void ProcessGroup::gather(const at::Tensor& own, const at::Tensor& parts) {
    if (!impl_) {
        parts[0].copy_(own);
        return;
    }
    if (const auto words = impl_->liveness->heard()) throw_words(*words);
    at::Tensor input = own, output = parts.view({-1});
    try {
        impl_->backend->_allgather_base(output, input)->wait();
    } catch (const std::exception& error) {
        fail(error.what());
    }
}

std::string ProcessGroup::next_key(const char* kind) {
    return std::string(kind) + "/" + std::to_string(impl_->calls++);
}

void ProcessGroup::wait_for_key(const std::string& key) {
    try {
        for (auto pause = 1ms; !impl_->store->check({key}); pause = std::min(pause * 2, 200ms)) {
            if (const auto words = impl_->liveness->heard()) throw_words(*words);
            throw_if_stopped();
            std::this_thread::sleep_for(pause);
        }
    } catch (const c10::Error& error) {
        fail(error.what_without_backtrace());
    }
}

std::string ProcessGroup::from_first(const std::string& text) {
    if (!impl_) return text;
    const std::string key = next_key("text");
    try {
        if (is_first()) {
            impl_->store->set(key, "=" + text);  // never empty
            return text;
        }
        wait_for_key(key);
        return impl_->store->get_to_str(key).substr(1);
    } catch (const c10::Error& error) {
        fail(error.what_without_backtrace());
    }
}

void ProcessGroup::first_does(const std::function<void()>& work) {
    if (is_first()) work();
    from_first("");
}

void ProcessGroup::require_same(const std::string& what, const std::string& text) {
    if (from_first(text) != text)
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
    try {
        impl_->store->add("left", 1);
        // The store goes with rank 0.
        const auto end = Clock::now() + 10s;
        while (is_first() && impl_->store->add("left", 0) < size() && Clock::now() < end) std::this_thread::sleep_for(5ms);
    } catch (const c10::Error&) {}  // rank 0 waited long enough
}

}  // namespace craft
