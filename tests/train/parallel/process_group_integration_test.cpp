// Processes that are forked here and talk by Gloo. That a rank whose process is stopped breaks no connection is what a rank
// that dies under NCCL looks like to the others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "core/files.h"
#include "core/signals.h"
#include "tests/cli/rank_processes.h"
#include "tests/core/temporary_folder.h"
#include "train/parallel/process_group.h"

namespace craft {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using Clock = std::chrono::steady_clock;

using Work = std::function<void(ProcessGroup&)>;

class ForkedRanks {
public:
    // The first `size` of `world` ranks; 0: all of `size`.
    ForkedRanks(int size, const GroupOptions& options, const Work& work, int world = 0) {
        Launch launch;
        launch.size = std::max(size, world);
        launch.address = "127.0.0.1";
        launch.port = static_cast<uint16_t>(test::free_port());
        for (launch.rank = 0; launch.rank < size; ++launch.rank) {
            const pid_t child = ::fork();
            if (child == 0) run(launch, options, work);
            children_.push_back(child);
        }
    }
    ~ForkedRanks() {
        for (const pid_t child : children_) {
            ::kill(child, SIGKILL);
            ::waitpid(child, nullptr, 0);
        }
    }
    ForkedRanks(const ForkedRanks&) = delete;
    ForkedRanks& operator=(const ForkedRanks&) = delete;

    // Returns once the rank has stopped itself.
    void wait_for_stop(int rank) const { ::waitpid(children_[static_cast<size_t>(rank)], nullptr, WUNTRACED); }
    void signal(int rank, int number) const { ::kill(children_[static_cast<size_t>(rank)], number); }
    // "" or what the rank threw; waits for its process to end, 30 s at most.
    std::string outcome(int rank) {
        const pid_t child = children_[static_cast<size_t>(rank)];
        for (const auto end = Clock::now() + 30s; ::waitpid(child, nullptr, WNOHANG) != child;) {
            if (Clock::now() > end) return "still runs";
            std::this_thread::sleep_for(5ms);
        }
        return read_file(file(rank));
    }

private:
    std::filesystem::path file(int rank) const { return folder_.path() / std::to_string(rank); }
    [[noreturn]] void run(const Launch& launch, const GroupOptions& options, const Work& work) const {
        install_signal_flags();
        std::string thrown;
        try {
            ProcessGroup group(launch, options);
            group.guard([&] { work(group); });
            group.leave();
        } catch (const std::exception& error) {
            thrown = error.what();
        }
        write_file_atomic(file(launch.rank), thrown);
        ::_exit(0);
    }

    TemporaryFolder folder_;
    std::vector<pid_t> children_;
};

void sum_ones(ProcessGroup& group) {
    const at::Tensor sum = at::ones({3});
    group.sum(sum);
    if (sum[2].item<float>() != static_cast<float>(group.size())) throw Error("a sum", "the ranks", "other numbers");
}

Work connected(const Work& work) {
    return [work](ProcessGroup& group) {
        group.connect(at::kCPU);
        work(group);
    };
}

void stop_rank(const ProcessGroup& group, int rank) {
    if (group.rank() == rank) ::raise(SIGSTOP);
}

TEST(ProcessGroup, AStoppedRankIsLostToThoseThatWaitForIt) {
    const auto begin = Clock::now();
    ForkedRanks in_sum(3, {}, connected([](ProcessGroup& group) {
                           stop_rank(group, 2);
                           sum_ones(group);
                       }));
    ForkedRanks with_the_store(3, {}, connected([](ProcessGroup& group) {
                                   stop_rank(group, 0);
                                   sum_ones(group);
                               }));
    ForkedRanks while_first_works(2, {}, [](ProcessGroup& group) { group.run_on_first_rank([&] { stop_rank(group, 0); }); });
    ForkedRanks before_it_connects(2, {}, [](ProcessGroup& group) {
        stop_rank(group, 1);
        group.connect(at::kCPU);
    });
    const auto sign = [](int rank) { return HasSubstr("no sign of life from rank " + std::to_string(rank) + " ("); };
    const auto store = HasSubstr("no answer from rank 0 (");
    EXPECT_THAT(in_sum.outcome(0), sign(2));
    EXPECT_THAT(in_sum.outcome(1), sign(2));
    EXPECT_THAT(with_the_store.outcome(1), store);
    EXPECT_THAT(with_the_store.outcome(2), store);
    EXPECT_THAT(while_first_works.outcome(1), store);
    EXPECT_THAT(before_it_connects.outcome(0), sign(1));
    EXPECT_GT(Clock::now() - begin, 8s) << "not too eager";
}

TEST(ProcessGroup, AFirstRankThatIsStoppedWhileOthersJoinIsLost) {
    ForkedRanks ranks(
        2, {}, [](ProcessGroup&) {}, 3);
    std::this_thread::sleep_for(1s);  // in which both are waiting for the third
    ranks.signal(0, SIGSTOP);
    EXPECT_THAT(ranks.outcome(1), HasSubstr("no answer from rank 0 (127.0.0.1)"));
}

TEST(ProcessGroup, AShortPauseHarmsNothing) {
    const Work work = connected([](ProcessGroup& group) {
        stop_rank(group, 0);
        sum_ones(group);
        stop_rank(group, 1);
        sum_ones(group);
        EXPECT_EQ(group.broadcast_text(std::to_string(group.rank())), "0");
    });
    ForkedRanks ranks(3, {}, work);
    for (const int rank : {0, 1}) {
        ranks.wait_for_stop(rank);
        std::this_thread::sleep_for(1500ms);
        ranks.signal(rank, SIGCONT);
    }
    for (const int rank : {0, 1, 2}) EXPECT_EQ(ranks.outcome(rank), "");
}

TEST(ProcessGroup, ARankThatLivesButDoesNotComeIsWaitedForUntilTheTimeout) {
    ForkedRanks ranks(2, {.timeout = 1}, connected([](ProcessGroup& group) {
                          if (group.rank() == 1) std::this_thread::sleep_for(4s);
                          sum_ones(group);
                      }));
    const std::string expected =
        "rank 0: expected every rank in a collective within 1 s, got fewer, though all are alive (parallel.timeout is that "
        "time)";
    EXPECT_EQ(ranks.outcome(0), expected);
    EXPECT_EQ(ranks.outcome(1), expected);
}

TEST(ProcessGroup, EveryRankHearsWhatEachSays) {
    ForkedRanks ranks(3, {}, [](ProcessGroup& group) {
        const std::string own(static_cast<size_t>(group.rank()), 'x');  // "", "x", "xx"
        for (const std::string more : {"", "y"}) {
            const std::vector<std::string> expected = {more, "x" + more, "xx" + more};
            if (group.exchange(own + more) != expected) throw Error("texts", "those of all ranks", "others");
        }
        if (group.broadcast_text(own) != "") throw Error("a text", "rank 0's", "another one");
    });
    for (const int rank : {0, 1, 2}) EXPECT_EQ(ranks.outcome(rank), "");
}

// Ranks that wait for nobody hear of the end of another one when they ask.
TEST(ProcessGroup, ARankAtWorkOfItsOwnHearsOfAnotherOnesEnd) {
    const auto at_work = [](ProcessGroup& group) {
        for (const auto end = Clock::now() + 25s; Clock::now() < end; std::this_thread::sleep_for(10ms)) group.check();
    };
    ForkedRanks failed(2, {}, [&](ProcessGroup& group) {
        if (group.rank() == 1) throw Error("no memory");
        at_work(group);
    });
    ForkedRanks killed(2, {}, [&](ProcessGroup& group) {
        if (group.rank() == 1) ::raise(SIGKILL);
        at_work(group);
    });
    ForkedRanks stopped(2, {}, [&](ProcessGroup& group) {
        if (group.rank() == 1) throw Stopped(SIGTERM);
        at_work(group);
    });
    EXPECT_EQ(failed.outcome(0), "rank 1: no memory");
    EXPECT_THAT(stopped.outcome(0), HasSubstr("stopped by signal 15"));
    EXPECT_THAT(killed.outcome(0), HasSubstr("no sign of life from rank 1 ("));
}

TEST(ProcessGroup, ADeadRankIsNamedAtOnce) {
    const auto begin = Clock::now();
    ForkedRanks ranks(4, {}, connected([](ProcessGroup& group) {
                          if (group.rank() >= 2) ::_exit(1);
                          sum_ones(group);
                      }));
    for (const int rank : {0, 1})
        EXPECT_THAT(ranks.outcome(rank), AllOf(HasSubstr("no sign of life from rank 2 ("), HasSubstr("), rank 3 (")));
    EXPECT_LT(Clock::now() - begin, 9s);
}

}  // namespace
}  // namespace craft
