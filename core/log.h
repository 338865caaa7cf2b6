// Lines for people and machines on stderr; results never go here.
#pragma once

#include <string>

#include "core/json.h"

namespace craft {

enum class LogFormat { text, json };

struct LogOptions {
    LogFormat format = LogFormat::text;
    bool quiet = false;       // drops info lines and progress; warnings stay
    bool debug = false;       // shows debug lines, with `quiet`, too
    std::string source = {};  // who speaks, where several processes share stderr ("rank 1"); empty: nobody in particular.
                              // With `quiet` its warnings are dropped, too: another one gives the same
};

void configure_log(const LogOptions& options);
LogOptions log_options();

// `fields` are shown as key=value in text and as keys in json. Thread-safe; one write a line.
void log_debug(const std::string& message, const Json& fields = Json::object());
void log_info(const std::string& message, const Json& fields = Json::object());
void log_warning(const std::string& message, const Json& fields = Json::object());
// The one line before a non-zero exit. Line breaks in `message` become blanks.
void log_error(const std::string& message);

// One line at the bottom of a terminal that is drawn over (a progress bar); log lines are written above it. Empty: none.
// Does nothing where stderr is not a terminal.
void show_status_line(const std::string& text);

}  // namespace craft
