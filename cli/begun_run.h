// Whether a stopped command can go on.
#pragma once

namespace craft {

// True from open_run() on: what the command makes is in its run folder, and the same command goes on from there.
void set_begun_run(bool is_begun);
bool has_begun_run();

}  // namespace craft
