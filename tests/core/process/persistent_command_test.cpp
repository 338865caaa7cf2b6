#include "core/process/persistent_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <chrono>
#include <optional>
#include <stop_token>
#include <thread>

#include "core/error.h"
#include "core/files.h"
#include "core/log.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using testing::HasSubstr;
using testing::Not;

// A kept command, asked for rows whose ids count on.
class Kept {
public:
    explicit Kept(const std::string& script, double quiet_seconds = 100, int64_t max_restarts = 0,
                  double timeout_seconds = 20)
        : command_(std::in_place, JsonCommandOptions{.command = script,
                                                     .timeout_seconds = timeout_seconds,
                                                     .restarts = max_restarts,
                                                     .quiet_seconds = quiet_seconds}) {}
    // The ids that were answered. What is logged stands in `log`.
    std::string ask(int count) {
        std::vector<Json> rows;
        for (int i = 0; i < count; ++i) rows.push_back({{"id", std::to_string(asked_++)}});
        std::string ids;
        logged([&] {
            const JsonAnswers answers = command_->ask(rows, [](const Json&, const std::string&) {});
            for (const Json& answer : answers.rows) ids += id_text(answer, "answer");
            restarts += answers.restarts;
        });
        return ids;
    }
    std::string failure(int count) {
        return message_of([&] { ask(count); });
    }
    int64_t lives() const { return command_->lives(); }
    void end() {
        logged([&] { command_.reset(); });
    }
    std::string log;
    int64_t restarts = 0;

private:
    void logged(const std::function<void()>& act) {
        const LogOptions before = log_options();
        configure_log({});
        testing::internal::CaptureStderr();
        std::exception_ptr thrown;
        try {
            act();
        } catch (...) {
            thrown = std::current_exception();
        }
        log += testing::internal::GetCapturedStderr();
        configure_log(before);
        if (thrown) std::rethrow_exception(thrown);
    }
    std::optional<PersistentCommand> command_;
    int asked_ = 0;
};

void wait_for_its_end() {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
}

TEST(PersistentCommands, LiveFromAskingToAsking) {
    const TemporaryFolder folder;
    const std::string seen = (folder.path() / "seen").string();
    Kept kept("echo start >> " + seen + "; cat; echo end >> " + seen);
    EXPECT_EQ(kept.ask(0), "");
    EXPECT_EQ(kept.lives(), 0) << "nothing to ask: it is not started";
    EXPECT_EQ(kept.ask(2), "01");
    EXPECT_EQ(kept.ask(3), "234");
    EXPECT_EQ(kept.ask(1), "5");
    EXPECT_EQ(read_file(seen), "start\n");
    kept.end();
    EXPECT_EQ(read_file(seen), "start\nend\n") << "its input is closed, and it is waited for";
    EXPECT_EQ(kept.log, "");
}

TEST(PersistentCommands, MoreThanPipesHoldGoesBothWays) {
    Kept kept("cat");
    for (int i = 0; i < 2; ++i) EXPECT_GT(kept.ask(20000).size(), 80000u);
    EXPECT_EQ(kept.lives(), 1);
}

TEST(PersistentCommands, OutliveTheThreadThatAsksFirst) {
    Kept kept("cat");
    std::thread([&] { EXPECT_EQ(kept.ask(2), "01"); }).join();
    wait_for_its_end();
    EXPECT_EQ(kept.ask(1), "2");
    EXPECT_EQ(kept.lives(), 1);
}

TEST(PersistentCommands, ThatDieAreStartedAgain) {
    Kept dies("sed -u 2q", 100, 2);  // two answers a life
    EXPECT_EQ(dies.ask(5), "01234");
    EXPECT_EQ(dies.restarts, 2);
    EXPECT_EQ(dies.lives(), 3);
    EXPECT_EQ(dies.ask(1), "5") << "the last life had one answer left";
    EXPECT_EQ(dies.lives(), 3);
    wait_for_its_end();
    EXPECT_EQ(dies.ask(2), "67");
    EXPECT_EQ(dies.lives(), 4);
    EXPECT_EQ(dies.restarts, 2) << "an end between two askings is none";
    EXPECT_EQ(Kept("sed -u 2q; exit 3", 100, 1).failure(5),
              "command 'sed -u 2q; exit 3': expected 5 answers, got 4, then exit code 3 (at request '4', after 1 restarts)");
    const TemporaryFolder folder;
    const std::string mark = (folder.path() / "mark").string();
    Kept killed("if [ -e " + mark + " ]; then cat; else touch " + mark + "; sed -u 1q; printf '{\"id\":\"1'; kill -9 $$; fi",
                100, 1);
    EXPECT_EQ(killed.ask(1), "0");
    EXPECT_EQ(killed.ask(2), "12") << "half a line is no answer";
}

TEST(PersistentCommands, ThatHangAreEnded) {
    // Of the first life two answers come, of the second one all.
    const TemporaryFolder folder;
    const std::string mark = (folder.path() / "mark").string();
    Kept hangs("if [ -e " + mark + " ]; then cat; else touch " + mark + "; sed -u 2q; sleep 100; fi", 100, 1, .5);
    EXPECT_EQ(hangs.ask(2), "01");
    EXPECT_EQ(hangs.ask(2), "23");
    EXPECT_EQ(hangs.restarts, 1);
    EXPECT_THAT(hangs.log, HasSubstr("nothing for 0.5 s"));
    Kept twice("sed -u 1q; sleep 100", 100, 0, .3);
    EXPECT_EQ(twice.ask(1), "0");
    EXPECT_THAT(twice.failure(1), HasSubstr("expected 1 answers, got 0, then nothing for 0.3 s (at request '1'"));
    Kept stays("cat; sleep 100", 100, 0, .3);
    EXPECT_EQ(stays.ask(1), "0");
    stays.end();
    EXPECT_THAT(stays.log, HasSubstr("does not exit; killing it"));
}

// One of low priority shares a processor with a thread that never rests.
TEST(PersistentCommands, ThatGetNoProcessorAreWaitedFor) {
    const int processor = ::sched_getcpu();
    ASSERT_GE(processor, 0);
    const std::jthread busy([&](const std::stop_token& stop) {
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(static_cast<size_t>(processor), &one);
        ::sched_setaffinity(0, sizeof(one), &one);
        while (!stop.stop_requested()) continue;
    });
    Kept starved("exec taskset -c " + std::to_string(processor) +
                     " nice -n 10 sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done; exec cat'",
                 100, 0, .3);
    EXPECT_EQ(starved.ask(1), "0");
}

TEST(PersistentCommands, AnswersInAnotherOrderAreRefused) {
    Kept swaps("sed -u -e 1b -e 'N;s/\\(.*\\)\\n\\(.*\\)/\\2\\n\\1/'");  // the first line stays, of all others each two turn
    EXPECT_EQ(swaps.ask(1), "0");
    EXPECT_THAT(swaps.failure(2), HasSubstr("answer 1: expected the id of the next request, '1', got '2'"));
    EXPECT_EQ(swaps.ask(1), "3") << "a new life";
    EXPECT_EQ(swaps.lives(), 2);
}

TEST(PersistentCommands, AnswersThatNobodyAskedForAreRefused) {
    Kept doubles("sed -u p");
    const std::string message = message_of([&] {
        doubles.ask(1);
        wait_for_its_end();
        doubles.ask(1);
    });
    EXPECT_THAT(message, HasSubstr("expected no further answer, as nothing was asked, got '{\"id\":\"0\"}'"));
    // One that comes when the next answer is due has an id of before.
    Kept late("sed -u '2{h;s/.*/{\"id\":\"0\"}/p;g}'");
    EXPECT_EQ(late.ask(1), "0");
    EXPECT_THAT(late.failure(1), HasSubstr("expected the id of the next request, '1', got '0'"));
    Kept last("cat; echo '{\"id\":\"0\"}'");
    EXPECT_EQ(last.ask(1), "0");
    last.end();
    EXPECT_THAT(last.log, HasSubstr("no further answer"));
}

TEST(PersistentCommands, TooFewAnswersAreAnEnd) {
    Kept few("sed -u '2,$d'", .2, 1);
    EXPECT_THAT(few.failure(3), HasSubstr("expected 3 answers, got 2, then exit code 0 (at request '2', after 1 restarts)"));
    Kept badly("cat; exit 3");
    EXPECT_EQ(badly.ask(1), "0");
    badly.end();
    EXPECT_THAT(badly.log, HasSubstr("exited with an error"));
}

TEST(PersistentCommands, ThatAnswerAtTheEndAreShownIt) {
    Kept sorts("sort", 2);
    const auto seconds = [&](int count, const std::string& ids) {
        const auto before = std::chrono::steady_clock::now();
        EXPECT_EQ(sorts.ask(count), ids);
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
    };
    EXPECT_GE(seconds(2, "01"), 2);
    EXPECT_THAT(sorts.log, HasSubstr("answers only at the end of its input"));
    sorts.log.clear();
    EXPECT_LT(seconds(2, "23"), 2) << "it is known";
    EXPECT_EQ(sorts.lives(), 2);
    EXPECT_EQ(sorts.log, "");
}

TEST(PersistentCommands, ThatHaveNotReadYetAreWaitedFor) {
    Kept loads("sleep 1; cat", .2);  // as one that loads a model
    EXPECT_EQ(loads.ask(2), "01");
    EXPECT_EQ(loads.ask(1), "2");
    EXPECT_EQ(loads.lives(), 1);
    EXPECT_THAT(loads.log, Not(HasSubstr("end of its input")));
    Kept slow("while read -r line; do sleep .6; echo \"$line\"; done", .2);
    EXPECT_EQ(slow.ask(1), "0") << "it has read all and is silent: shown the end, it answers all the same";
    EXPECT_EQ(slow.ask(1), "1");
}

}  // namespace
}  // namespace craft
