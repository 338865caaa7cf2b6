#include "core/signals.h"

#include <semaphore.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <string>
#include <thread>

#include "core/error.h"
#include "core/log.h"

namespace craft {

namespace {

// Longer than launchers take to pass on a signal, and short enough to be felt as an answer.
constexpr auto kSameSignal = std::chrono::milliseconds(300);

// What the handler touches is lock-free.
std::atomic<int> received = 0;
std::atomic<bool> has_come = false;     // a signal of this process's own
std::atomic<bool> is_answered = false;  // the next signal ends the process
std::atomic<const char*> notice = "";
sem_t came;  // posted by the handler, for the thread that answers

static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

extern "C" void note_signal(int signal) {
    if (has_come.exchange(true)) {
        if (is_answered) ::_exit(128 + signal);
        return;
    }
    stop_as_by(signal);
    const int before = errno;
    ::sem_post(&came);
    errno = before;
}

// Every other thread may hold the log's lock when the signal comes, so that only a thread of its own can write the line.
void start_answering() {
    static pid_t owner = 0;
    if (owner == ::getpid()) return;
    owner = ::getpid();  // a forked child has no such thread
    ::sem_init(&came, 0, 0);
    sigset_t all, before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);  // handlers run elsewhere
    std::thread([] {
        while (::sem_wait(&came) != 0) {}
        std::this_thread::sleep_for(kSameSignal);
        if (is_answered.exchange(true)) return;
        const std::string when = notice.load();
        log_warning("stopping" + (when.empty() ? "" : " " + when) + "; send it again to stop at once");
    }).detach();
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace

void install_signal_flags() {
    start_answering();
    struct sigaction action {};
    action.sa_handler = note_signal;
    action.sa_flags = SA_RESTART;  // libraries below do not expect interrupted calls
    ::sigemptyset(&action.sa_mask);
    for (const int signal : kStopSignals) {
        struct sigaction before {};
        ::sigaction(signal, nullptr, &before);
        if (before.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);
    }
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
}

void leave_signal_unanswered() {
    is_answered = true;
}

void stop_as_by(int signal) {
    int none = 0;
    received.compare_exchange_strong(none, signal);
}

int stop_signal() {
    return received;
}

void throw_if_stopped() {
    if (const int signal = received; signal != 0) throw Stopped(signal);
}

StopNotice::StopNotice(const char* when) : before_(notice.exchange(when)) {}

StopNotice::~StopNotice() {
    notice = before_;
}

void ignore_stop_signals() {
    for (const int signal : kStopSignals) std::signal(signal, SIG_IGN);
}

void restore_default_signals() {
    std::signal(SIGPIPE, SIG_DFL);
    std::signal(SIGXFSZ, SIG_DFL);
}

}  // namespace craft
