// Signals that ask the program to stop set a flag; loops ask for it, save their state and throw Stopped.
#pragma once

#include <array>
#include <csignal>

namespace craft {

// A person's and a service manager's way to stop a program, a terminal that was closed, and what Slurm sends before a job's
// time is up. Where several came to several ranks, the first one here counts.
inline constexpr std::array kStopSignals = {SIGTERM, SIGINT, SIGHUP, SIGUSR1};

// The first of kStopSignals sets the flag. If the process is still there a third of a second later it says "stopping; again
// to stop at once", and the next of them ends it at once, with exit code 128 + its number. Those before the line are the
// first one once more: a launcher or a shell often passes on what its children have got already. A signal that is ignored
// when this is called (nohup, a shell's background job) stays ignored. Also ignores SIGPIPE and SIGXFSZ, so that writing to
// a closed pipe or a full quota is an error like any other.
void install_signal_flags();
// No line any more, for a process that is about to say how it ended.
void leave_signal_unanswered();
// As if the signal had come here: another process of the same work got it.
void stop_as_by(int signal);
// 0, or the number of the signal that asked us to stop (the first one).
int stop_signal();
// Throws Stopped if a signal came: for loops whose state is already on disk.
void throw_if_stopped();

// While it lives, the line says when the work stops: "stopping WHEN; again to stop at once".
class StopNotice {
public:
    explicit StopNotice(const char* when);  // a literal: "after this layer of the model"
    ~StopNotice();
    StopNotice(const StopNotice&) = delete;
    StopNotice& operator=(const StopNotice&) = delete;

private:
    const char* before_;
};

// For a process of ours that must outlive the others and is never to stop by itself. May be called in a forked child.
void ignore_stop_signals();
// What we ignore and another program would not expect to be ignored. May be called in a forked child.
void restore_default_signals();

}  // namespace craft
