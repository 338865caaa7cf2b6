// A progress bar with rate and time left on a terminal, a line now and then elsewhere (stderr).
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

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

// A work of several parts, one after the other. As each begins, a line tells how much of the whole is done and how long the
// rest will take, and so do the lines of every Progress within: by what the parts were expected to take, and how that came
// true so far. One at a time.
class JobProgress {
public:
    struct Part {
        std::string name;
        double seconds;  // expected
    };
    explicit JobProgress(std::vector<Part> parts);
    ~JobProgress();
    JobProgress(const JobProgress&) = delete;
    JobProgress& operator=(const JobProgress&) = delete;
    // Parts before it are done. One that nobody expected changes nothing.
    void begin(const std::string& part);
    // "34 %, 5:20 left", with this share, 0-1, of the part done.
    std::string line(double share) const;

private:
    std::vector<Part> parts_;
    double whole_ = 0, before_ = 0, part_ = 0;  // seconds as expected: of all, of parts that are done, of this one
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};
// That of the whole which is under way, if there is one.
void begin_part(const std::string& part);

// "1:02:03", "4:05" or "7 s".
std::string readable_duration(double seconds);

}  // namespace craft
