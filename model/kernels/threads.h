// How many threads compute, beside other work on the machine.
#pragma once

namespace craft {

// Threads of one computation wait for each other all the time. Where another program keeps a core busy, the thread that
// shares it makes all of them wait, and what waits spins: two threads on two cores then take several times as long as one.
// So from now on computations use as many threads as there are cores that other programs leave, at most as many as LibTorch
// uses now and at least one. Results do not depend on it: sums are cut by rows and blocks, not by threads.
// `leave` false ends it: a number of threads that somebody chose stays.
void leave_cores_to_others(bool leave);

// Between two pieces of work: looks, a few times a second, at what others use. Nothing where it was not asked for.
void adapt_threads();

// The threads to use, of `most`, where other programs keep `in_use` of `cores` cores busy.
int threads_beside(double in_use, int cores, int most);

}  // namespace craft
