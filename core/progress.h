// A progress bar with rate and time left on a terminal, a line now and then elsewhere (stderr).
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace craft {

class Progress {
public:
    // `total` 0 means unknown; `unit` names what is counted ("steps", "texts"); `done` was done by an earlier process and
    // does not count into the rate.
    Progress(std::string title, int64_t total, std::string unit, int64_t done = 0);
    // If finish() was not called (an exception), only removes the bar.
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // `note` is a short figure shown at the end of the line ("loss 0.412"). Thread-safe.
    void advance(int64_t by = 1, const std::string& note = "");
    void finish();
    double seconds() const;

private:
    void show(bool last);
    std::string line(double elapsed) const;
    std::string title_, unit_, note_;
    int64_t total_, done_, done_before_;
    bool bar_, finished_ = false;
    std::mutex mutex_;
    std::chrono::steady_clock::time_point start_, shown_;
};

// "1:02:03", "4:05" or "7 s".
std::string readable_duration(double seconds);

}  // namespace craft
