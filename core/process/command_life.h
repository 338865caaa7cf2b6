// One life of a command that answers JSON Lines: from its start to its end, over one asking or several.
#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/process/child_process.h"
#include "core/process/json_command.h"

namespace craft {

// A process and the thread that started it, with which it would end: one of its own, so that the process may outlive whoever
// asks first.
class PersistentProcess {
public:
    // Throws Error as ChildProcess does.
    explicit PersistentProcess(ChildOptions options);
    ~PersistentProcess();
    PersistentProcess(const PersistentProcess&) = delete;
    PersistentProcess& operator=(const PersistentProcess&) = delete;
    ChildProcess& process() { return *process_; }

private:
    void keep(const ChildOptions& options);

    std::optional<ChildProcess> process_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool is_started_ = false, is_done_ = false;
    std::exception_ptr problem_;
    std::thread thread_;
};

class CommandLife {
public:
    enum class Input {
        closed,  // after the last request of an asking, whose answers are followed by the command's end
        open,    // for the next asking
        // As `open`, until the command has read everything and is silent for quiet_seconds: it may be waiting for the end,
        // which it is then shown.
        open_unless_quiet,
    };

    // `options` must outlive it. Throws Error where the command cannot be started.
    explicit CommandLife(const JsonCommandOptions& options);
    // Ends the command: between askings by closing its input, with a warning where it then says more, ends badly or not at
    // all; else at once.
    ~CommandLife();
    CommandLife(const CommandLife&) = delete;
    CommandLife& operator=(const CommandLife&) = delete;

    // Sends the requests that have no answer yet and adds their answers. What went wrong with the process, or "". Throws as
    // ask_json_command() does, and also where the command said something since the asking before.
    std::string ask(const JsonRequests& requests, const JsonAnswerCheck& check, std::vector<Json>& answers, Input input);
    // Whether it ended, or its input is closed, so that nothing more can be asked. Looks, and throws on words that nobody
    // asked for.
    bool is_over();
    bool was_quiet() const { return was_quiet_; }  // so that it was shown the end of its input

private:
    using Clock = std::chrono::steady_clock;
    struct Asking {
        const JsonRequests& requests;
        const JsonAnswerCheck& check;
        std::vector<Json>& answers;
        Input input;
        size_t sent;  // requests that are written or in outgoing_
        bool has_all() const { return answers.size() == requests.count; }
    };

    std::string converse();
    bool is_at_rest();
    std::string ending();
    void end();
    bool is_all_sent() const;
    void close_where_quiet();
    void send();
    bool receive();
    void receive_available();
    void take_line(const std::string& line);
    bool is_fit(const Json& answer, const std::string& place);
    std::string where() const;
    std::string answer_place() const;
    static double seconds_since(Clock::time_point time);
    void note_progress();
    double idle_seconds();  // since the last progress, but for those in which it had no processor
    ChildProcess& child() { return kept_.process(); }

    const JsonCommandOptions& options_;
    Asking* asking_ = nullptr;  // the present one
    std::string outgoing_;      // what is being written, from `at_` on
    size_t at_ = 0;
    std::string partial_;  // of a line that is being read
    bool has_ended_ = false, is_broken_ = false, was_quiet_ = false;
    double starved_ = 0;                             // at the last progress
    Clock::time_point last_progress_, last_unread_;  // unread: when the command had not yet read what was written
    PersistentProcess kept_;
};

}  // namespace craft
