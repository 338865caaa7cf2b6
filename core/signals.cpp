#include "core/signals.h"

#include <atomic>
#include <csignal>

#include "core/error.h"

namespace craft {

namespace {

std::atomic<int> received = 0;  // lock-free, so that a handler may set it

static_assert(std::atomic<int>::is_always_lock_free);

extern "C" void note_signal(int signal) {
    int none = 0;
    received.compare_exchange_strong(none, signal);
}

}  // namespace

void install_signal_flags() {
    struct sigaction action {};
    action.sa_handler = note_signal;
    action.sa_flags = SA_RESTART;  // libraries below do not expect interrupted calls
    ::sigemptyset(&action.sa_mask);
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
}

int stop_signal() {
    return received;
}

void throw_if_stopped() {
    if (const int signal = received; signal != 0) throw Stopped(signal);
}

}  // namespace craft
