// The processes that train together (ranks), and what they do together: LibTorch's c10d, Gloo on CPUs, NCCL on GPUs. A group
// of one is the plain case: the same calls, and nothing to talk about.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/ranks.h"
#include "train/parallel/launch.h"

namespace c10d {
class Work;
}

namespace craft {

struct EndReason;

struct GroupOptions {
    double join_timeout = 300;  // seconds in which every rank must have come, and then be connected to the others
    double timeout = 600;       // seconds that a rank waits in one collective for others that live but do not come to it
};

// The group is no longer whole: what is known of it, the same for every rank that is left.
class LostRank : public Error {
public:
    using Error::Error;
};

// Every rank makes the same calls in the same order. All of them throw LostRank once a rank has failed, is gone, or is
// stopped and gives no sign of life for ten seconds while others wait for it, or lives but does not come to a collective
// within the time-out; Stopped if another rank was stopped by a signal. Not thread-safe. Needs install_signal_flags(): Gloo
// writes to connections whose other end is gone, and SIGPIPE would end the process.
class ProcessGroup : public Ranks {
public:
    ProcessGroup();  // of one
    // Waits for all ranks; interrupted by signals (Stopped). Throws UsageError for what is wrong with the launch (a port in
    // use, a host that nobody knows, two processes of one rank), Error naming the ranks that did not come in time.
    ProcessGroup(const Launch& launch, const GroupOptions& options);
    ~ProcessGroup() override;
    static ProcessGroup& alone();  // a group of one
    ProcessGroup(ProcessGroup&&) noexcept;

    // What sum(), start_sum(), broadcast() and gather() need: connects the ranks for tensors on this device, and tries it
    // with a first sum. Interrupted by signals (Stopped). Throws LostRank also where the network or the choice of GPUs does
    // not let the ranks talk to each other, Error for a GPU in a build without CRAFT_CUDA.
    void connect(const at::Device& device);

    int rank() const override { return rank_; }
    int size() const override { return static_cast<int>(hosts_.size()); }
    int local_rank() const { return local_rank_; }                    // among the ranks of this machine
    int local_size() const { return local_size_; }                    // ranks of this machine
    int cores_shared_by() const { return cores_shared_by_; }          // ranks that run on the same cores as this one
    const std::vector<std::string>& hosts() const { return hosts_; }  // of the ranks, in their order

    // Sums over the ranks, in place, the same bits in all of them. Contiguous tensors of any floating type.
    void sum(const at::Tensor& tensor);
    // The same beside other work; the tensor is whole when the returned function has been called, which waits.
    std::function<void()> start_sum(const at::Tensor& tensor);
    // Rank 0's tensor in all ranks; of the same shape and type everywhere, contiguous.
    void broadcast(const at::Tensor& tensor);
    // `parts` [size, n]: row r becomes rank r's `own` [n]. Both contiguous, on the device that connect() was given.
    void gather(const at::Tensor& own, const at::Tensor& parts);

    std::vector<std::string> exchange(const std::string& text) override;
    void check() override;
    // Rank 0's text, in all ranks.
    std::string broadcast_text(const std::string& text);
    // Runs the work on rank 0 while the others wait for as long as it takes; they may then read the files that it wrote.
    void run_on_first_rank(const std::function<void()>& work);
    // Runs `make` on rank 0, then on the others, which find what rank 0 has stored. Returns each rank's own result.
    template <class Make>
    auto first_rank_first(const Make& make) {
        std::optional<decltype(make())> made;
        run_on_first_rank([&] { made.emplace(make()); });
        if (!made) made.emplace(make());
        return std::move(*made);
    }
    // Throws Error in the ranks whose text is not that of rank 0 ("training data: expected ... in every rank").
    void require_same(const std::string& what, const std::string& text);

    // Runs the work; if it throws, the other ranks hear why before the exception continues.
    void guard(const std::function<void()>& work);
    // The end of a whole group's work: waits for all, so that none takes another's departure for a loss.
    void leave();

private:
    struct Impl;
    struct Goal;
    void throw_if_ended();
    [[noreturn]] void end(const EndReason& words);
    [[noreturn]] void fail(const Goal& goal, const std::string& got);
    template <class Call>
    auto attempt(const Goal& goal, const Call& call);
    template <class DoneWithin>
    void wait_until(const Goal& goal, const DoneWithin& done_within);
    template <class Result, class Call>
    Result aside(const Goal& goal, Call call);
    void finish(const Goal& goal, c10d::Work& work);

    int rank_ = 0, local_rank_ = 0, local_size_ = 1, cores_shared_by_ = 1;
    std::vector<std::string> hosts_ = {"here"};
    std::unique_ptr<Impl> impl_;  // of one: none
};

}  // namespace craft
