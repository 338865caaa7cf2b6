#include "core/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/log.h"

namespace craft {

namespace {

constexpr auto kBarInterval = std::chrono::milliseconds(100);
constexpr auto kLineInterval = std::chrono::seconds(10);
constexpr int kBarWidth = 24;

double seconds_between(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
}

std::string with_digits(double value) {
    char text[32];
    std::snprintf(text, sizeof text, value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value);
    return text;
}

std::string drawn_bar(int64_t done, int64_t total) {
    const auto filled = static_cast<size_t>(std::clamp<int64_t>(done * kBarWidth / total, 0, kBarWidth));
    return "[" + std::string(filled, '#') + std::string(kBarWidth - filled, '.') + "] ";
}

}  // namespace

namespace {

JobProgress* the_whole = nullptr;

}  // namespace

JobProgress::JobProgress(std::vector<Part> parts) : parts_(std::move(parts)) {
    for (const Part& part : parts_) whole_ += part.seconds;
    the_whole = this;
}

JobProgress::~JobProgress() {
    the_whole = nullptr;
}

void JobProgress::begin(const std::string& part) {
    double before = 0;
    for (size_t i = 0; i < parts_.size(); before += parts_[i++].seconds) {
        if (parts_[i].name != part) continue;
        before_ = before;
        part_ = parts_[i].seconds;
        log_info(part + ": " + line(0));
        return;
    }
}

std::string JobProgress::line(double share) const {
    const double done = std::min(before_ + std::clamp(share, 0.0, 1.0) * part_, whole_), left = whole_ - done;
    const double elapsed = seconds_between(start_, std::chrono::steady_clock::now());
    // What was expected counts as much as a tenth of the whole would: the first seconds say little.
    const double trust = whole_ / 10, pace = (elapsed + trust) / (done + trust);
    return std::to_string(whole_ > 0 ? static_cast<int>(100 * done / whole_) : 100) + " % done, " +
           readable_duration(left * pace) + " left";
}

void begin_part(const std::string& part) {
    if (the_whole != nullptr) the_whole->begin(part);
}

std::string readable_duration(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0) return "?";
    const auto whole = static_cast<int64_t>(std::llround(std::min(seconds, 1e15)));
    if (whole < 60) return std::to_string(whole) + " s";
    char text[48];
    const auto hours = static_cast<long long>(whole / 3600);
    const auto minutes = static_cast<int>(whole / 60 % 60), rest = static_cast<int>(whole % 60);
    if (hours > 0)
        std::snprintf(text, sizeof text, "%lld:%02d:%02d", hours, minutes, rest);
    else
        std::snprintf(text, sizeof text, "%d:%02d", minutes, rest);
    return text;
}

Progress::Progress(std::string title, int64_t total, std::string unit, int64_t done)
    : title_(std::move(title)),
      unit_(std::move(unit)),
      total_(total),
      done_(done),
      done_before_(done),
      bar_(::isatty(STDERR_FILENO) == 1 && log_options().format == LogFormat::text),
      start_(std::chrono::steady_clock::now()),
      shown_(start_) {}

Progress::~Progress() {
    if (!finished_ && bar_) show_status_line("");
}

void Progress::advance(int64_t by, const std::string& note) {
    const std::lock_guard lock(mutex_);
    done_ += by;
    if (!note.empty()) note_ = note;
    const auto now = std::chrono::steady_clock::now();
    if (bar_ ? now - shown_ < kBarInterval : now - shown_ < kLineInterval) return;
    shown_ = now;
    show(false);
}

void Progress::finish() {
    const std::lock_guard lock(mutex_);
    if (finished_) return;
    finished_ = true;
    show(true);
}

double Progress::seconds() const {
    return seconds_between(start_, std::chrono::steady_clock::now());
}

void Progress::show(bool last) {
    if (log_options().quiet) return;
    std::string text = line(seconds());
    if (the_whole != nullptr && total_ > 0)
        text += " (whole job: " + the_whole->line(static_cast<double>(done_) / static_cast<double>(total_)) + ")";
    if (bar_ && !last) {
        show_status_line(title_ + " " + (total_ > 0 ? drawn_bar(done_, total_) : "") + text);
        return;
    }
    if (bar_) show_status_line("");
    Json fields = Json::object();
    if (log_options().format == LogFormat::json)
        fields = {{"title", title_}, {"done", done_}, {"total", total_}, {"unit", unit_}, {"seconds", seconds()}};
    log_info(title_ + ": " + text + (last ? ", done in " + readable_duration(seconds()) : ""), fields);
}

std::string Progress::line(double elapsed) const {
    std::string text = std::to_string(done_) + (total_ > 0 ? "/" + std::to_string(total_) : "") + " " + unit_;
    const double rate = elapsed > 0 ? static_cast<double>(done_ - done_before_) / elapsed : 0;
    if (rate > 0) text += ", " + with_digits(rate) + " " + unit_ + "/s";
    if (rate > 0 && done_ < total_) text += ", " + readable_duration(static_cast<double>(total_ - done_) / rate) + " left";
    if (!note_.empty()) text += ", " + note_;
    return text;
}

}  // namespace craft
