// SIGINT and SIGTERM only set a flag; loops ask for it, save their state and throw Stopped.
#pragma once

namespace craft {

// Also ignores SIGPIPE, so that writing to a closed pipe is an error like any other.
void install_signal_flags();
// 0, or the number of the signal that asked us to stop (the first one).
int stop_signal();
// Throws Stopped if a signal came: for loops whose state is already on disk.
void throw_if_stopped();

}  // namespace craft
