#include "core/log.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <mutex>

#include "core/utf8.h"

namespace craft {

namespace {

// stderr is one per process, and so is the state of what is on it.
struct LogState {
    std::mutex mutex;
    LogOptions options;
    std::string status;
};

LogState& state() {
    static LogState the_state;
    return the_state;
}

void write_stderr(const std::string& text) {
    size_t at = 0;
    while (at < text.size()) {
        const ssize_t written = ::write(STDERR_FILENO, text.data() + at, text.size() - at);
        if (written > 0) at += static_cast<size_t>(written);
        if (written < 0 && errno != EINTR) return;  // nowhere left to complain
    }
}

std::string utc_now() {
    const auto now = std::chrono::system_clock::now();
    const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
    const auto millis = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    char text[40];
    const size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
    char fraction[16];
    std::snprintf(fraction, sizeof fraction, ".%03dZ", static_cast<int>(millis));
    return std::string(text, length) + fraction;
}

// For people: four digits of a number that is no integer, and none after the point of a large one. Figures are kept whole
// in files and in lines for machines.
Json with_few_digits(const Json& value) {
    if (value.is_structured()) {
        Json shown = value;
        for (Json& item : shown) item = with_few_digits(item);
        return shown;
    }
    if (!value.is_number_float()) return value;
    const auto number = value.get<double>();
    if (!std::isfinite(number) || std::abs(number) >= 1e15) return value;
    if (std::abs(number) >= 1000) return std::llround(number);
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", number);
    return std::strtod(text, nullptr);
}

std::string text_line(const std::string& level, const std::string& source, const std::string& message, const Json& fields) {
    std::string line = level == "info" ? "" : level + ": ";
    if (!source.empty()) line += source + ": ";
    line += message;
    for (const auto& [key, value] : fields.items())
        line += " " + key + "=" + (value.is_string() ? value.get<std::string>() : dump_line(with_few_digits(value)));
    return one_line(line) + "\n";
}

std::string json_line(const std::string& level, const std::string& source, const std::string& message, const Json& fields) {
    Json row = {{"time", utc_now()}, {"level", level}, {"message", message}};
    if (!source.empty()) row["source"] = source;
    for (const auto& [key, value] : fields.items())
        if (!row.contains(key)) row[key] = value;
    return dump_line(row) + "\n";
}

void log_line(const std::string& level, const std::string& message, const Json& fields) {
    const std::lock_guard lock(state().mutex);
    const LogOptions& options = state().options;
    if (level == "info" && options.quiet) return;
    if (level == "warning" && options.quiet && !options.source.empty()) return;
    if (level == "debug" && !options.debug) return;
    const bool json = options.format == LogFormat::json;
    const std::string line =
        json ? json_line(level, options.source, message, fields) : text_line(level, options.source, message, fields);
    const std::string& status = state().status;
    write_stderr(status.empty() ? line : "\r\033[K" + line + status);
}

}  // namespace

void configure_log(const LogOptions& options) {
    const std::lock_guard lock(state().mutex);
    state().options = options;
}

LogOptions log_options() {
    const std::lock_guard lock(state().mutex);
    return state().options;
}

void log_debug(const std::string& message, const Json& fields) {
    log_line("debug", message, fields);
}
void log_info(const std::string& message, const Json& fields) {
    log_line("info", message, fields);
}
void log_warning(const std::string& message, const Json& fields) {
    log_line("warning", message, fields);
}
void log_error(const std::string& message) {
    log_line("error", one_line(message), Json::object());
}

void show_status_line(const std::string& text) {
    if (::isatty(STDERR_FILENO) == 0) return;
    winsize size{};
    const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 4;
    const size_t width = known ? size.ws_col : 80;
    const std::lock_guard lock(state().mutex);
    if (text.empty() && state().status.empty()) return;
    state().status = shortened(one_line(text), width - 4);  // a wrapped line could not be drawn over
    write_stderr("\r\033[K" + state().status);
}

}  // namespace craft
