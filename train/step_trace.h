// A Chrome trace (chrome://tracing, Perfetto) of a few training steps, by LibTorch's profiler.
#pragma once

#include <cstdint>
#include <filesystem>

namespace craft {

// Records the second to the fourth step that a process computes (the first one is slower), or the only one, into a file.
class StepTrace {
public:
    // An empty path: nothing is recorded. `steps` is how many are to come.
    StepTrace(std::filesystem::path file, int64_t steps, bool cuda);
    ~StepTrace();  // a trace that was begun and not written is dropped
    StepTrace(const StepTrace&) = delete;
    StepTrace& operator=(const StepTrace&) = delete;
    // Around each step. Throws Error naming the file if it cannot be written.
    void before_step();
    void after_step();

private:
    std::filesystem::path file_;
    int64_t first_ = 0, last_ = 0, step_ = 0;
    bool cuda_, recording_ = false;
};

}  // namespace craft
