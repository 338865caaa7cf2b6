// Each case in a process of its own: the flag stays set.
#include "core/signals.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "core/error.h"
#include "core/log.h"

namespace craft {
namespace {

using testing::ExitedWithCode;

// Longer than a signal is taken for a repetition of the one before.
void wait_for_the_answer() {
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
}

[[noreturn]] void end_with_the_signal() {
    std::_Exit(stop_signal());
}

TEST(SignalsDeathTest, EachOfThemAsksToStop) {
    for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGUSR1}) {
        const auto stop = [&] {
            std::signal(signal, SIG_DFL);  // whoever started the tests may ignore it
            install_signal_flags();
            std::raise(signal);
            end_with_the_signal();
        };
        EXPECT_EXIT(stop(), ExitedWithCode(signal), "");
    }
}

// As under nohup, or after `&` in a script.
TEST(SignalsDeathTest, OneThatWasIgnoredStaysIgnored) {
    for (const int signal : kStopSignals) {
        const auto ignore = [&] {
            for (const int other : kStopSignals) std::signal(other, other == signal ? SIG_IGN : SIG_DFL);
            install_signal_flags();
            std::raise(signal);
            if (stop_signal() != 0) std::_Exit(1);
            std::raise(signal == SIGTERM ? SIGINT : SIGTERM);
            end_with_the_signal();
        };
        EXPECT_EXIT(ignore(), ExitedWithCode(signal == SIGTERM ? SIGINT : SIGTERM), "");
    }
}

TEST(SignalsDeathTest, TheFirstIsAnsweredAndTheSecondEndsTheProcess) {
    const auto stop = [] {
        configure_log({});
        install_signal_flags();
        const StopNotice notice("after this test");
        std::raise(SIGUSR1);
        std::raise(SIGUSR1);  // passed on by a launcher: the same once more
        std::raise(SIGTERM);
        wait_for_the_answer();
        std::raise(SIGTERM);
        std::_Exit(1);
    };
    EXPECT_EXIT(stop(), ExitedWithCode(128 + SIGTERM),
                "^warning: stopping after this test; send it again to stop at once\n$");
}

TEST(SignalsDeathTest, TheAnswerIsALineOfTheLog) {
    const auto stop = [](const char* when) {
        configure_log({.format = LogFormat::json, .quiet = true});
        std::signal(SIGHUP, SIG_DFL);
        install_signal_flags();
        { const StopNotice gone("before this"); }
        const StopNotice notice(when);
        std::raise(SIGHUP);
        wait_for_the_answer();
        end_with_the_signal();
    };
    EXPECT_EXIT(stop(""), ExitedWithCode(SIGHUP), "^\\{.*\"message\":\"stopping; send it again to stop at once\".*\\}\n$");
}

TEST(SignalsDeathTest, WhoEndsInTimeGivesNoAnswerBesides) {
    const auto stop = [] {
        install_signal_flags();
        std::raise(SIGTERM);
        leave_signal_unanswered();
        wait_for_the_answer();
        end_with_the_signal();
    };
    EXPECT_EXIT(stop(), ExitedWithCode(SIGTERM), "^$");
}

TEST(SignalsDeathTest, AnotherProcessMayHaveGotIt) {
    const auto stop = [] {
        install_signal_flags();
        stop_as_by(SIGUSR1);
        stop_as_by(SIGTERM);
        try {
            throw_if_stopped();
        } catch (const Stopped& stopped) {
            std::_Exit(100 + stopped.signal());
        }
    };
    EXPECT_EXIT(stop(), ExitedWithCode(100 + SIGUSR1), "");
}

}  // namespace
}  // namespace craft
