#include "core/process/command_life.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/log.h"
#include "core/signals.h"
#include "core/utf8.h"

namespace craft {

namespace {

constexpr double kLastSeconds = 10;  // to end in, for a command that has answered everything

std::string shown_command(const JsonCommandOptions& options) {
    return shortened(one_line(options.command), 80);
}

// What `make` gives; nothing where it throws and unfit answers are skipped.
template <typename T, typename Make>
std::optional<T> unless_unfit(const JsonCommandOptions& options, const Make& make) {
    try {
        return make();
    } catch (const Error& error) {
        if (!options.skip_unfit) throw;
        log_warning("an answer is skipped", {{"problem", std::string(error.what())}});
        return std::nullopt;
    }
}

}  // namespace

PersistentProcess::PersistentProcess(ChildOptions options)
    : thread_([this, options = std::move(options)] { keep(options); }) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return is_started_; });
    if (!problem_) return;
    lock.unlock();
    thread_.join();
    std::rethrow_exception(problem_);
}

PersistentProcess::~PersistentProcess() {
    process_.reset();
    {
        const std::lock_guard lock(mutex_);
        is_done_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void PersistentProcess::keep(const ChildOptions& options) {
    std::exception_ptr problem;
    try {
        process_.emplace(options);
    } catch (...) {
        problem = std::current_exception();
    }
    std::unique_lock lock(mutex_);
    problem_ = problem;
    is_started_ = true;
    changed_.notify_all();
    if (!problem) changed_.wait(lock, [&] { return is_done_; });
}

CommandLife::CommandLife(const JsonCommandOptions& options)
    : options_(options), kept_(ChildOptions{{"/bin/sh", "-c", options.command}}) {}

CommandLife::~CommandLife() {
    if (is_broken_ || has_ended_ || stop_signal() != 0) return;
    try {
        end();
    } catch (const std::exception& error) {
        log_warning("killing the command", {{"command", shown_command(options_)}, {"problem", std::string(error.what())}});
    }
}

// Between askings: shows it the end of its input, and waits for its own.
void CommandLife::end() {
    child().close_input();
    last_progress_ = Clock::now();
    const double most = std::min(kLastSeconds, options_.timeout_seconds);
    while (!has_ended_ && seconds_since(last_progress_) < most) {
        throw_if_stopped();
        pollfd wait{child().output(), POLLIN, 0};
        if (::poll(&wait, 1, 100) > 0) has_ended_ = !receive();
    }
    const auto ended = has_ended_ ? child().wait(most) : std::nullopt;
    if (!ended)
        log_warning("the command has answered everything but does not exit; killing it",
                    {{"command", shown_command(options_)}});
    else if (ended->exit_code != 0)
        log_warning("the command answered everything but exited with an error",
                    {{"command", shown_command(options_)}, {"end", ended->text()}});
}

std::string CommandLife::ask(const JsonRequests& requests, const JsonAnswerCheck& check, std::vector<Json>& answers,
                             Input input) {
    Asking asking{requests, check, answers, input, answers.size()};
    is_broken_ = true;  // until all went well: a command that was left in the middle is asked nothing more
    asking_ = &asking;
    note_progress();
    last_unread_ = last_progress_;
    const std::string problem = converse();
    asking_ = nullptr;
    is_broken_ = !asking.has_all();
    return problem;
}

bool CommandLife::is_over() {
    if (!has_ended_ && !is_broken_ && child().input() >= 0) receive_available();
    return has_ended_ || is_broken_ || child().input() < 0;
}

void CommandLife::receive_available() {
    pollfd wait{child().output(), POLLIN, 0};
    while (!has_ended_ && ::poll(&wait, 1, 0) > 0) has_ended_ = !receive();
}

// Everything is answered, and the command waits for more.
bool CommandLife::is_at_rest() {
    if (!asking_->has_all() || asking_->input == Input::closed || child().input() < 0) return false;
    receive_available();  // an answer too many, or its end
    return !has_ended_;
}

std::string CommandLife::converse() {
    while (!has_ended_) {
        throw_if_stopped();
        if (is_at_rest()) return "";
        if (has_ended_) break;
        const bool all = asking_->has_all();
        const double most = all ? std::min(kLastSeconds, options_.timeout_seconds) : options_.timeout_seconds;
        if (seconds_since(last_progress_) > most && idle_seconds() > most) {
            child().kill();
            has_ended_ = true;
            if (!all) return "nothing for " + Json(options_.timeout_seconds).dump() + " s";
            log_warning("the command has answered everything but does not exit; killing it",
                        {{"command", shown_command(options_)}});
            return "";
        }
        close_where_quiet();
        const bool has_to_send = !is_all_sent() || asking_->input == Input::closed;
        std::array<pollfd, 2> waits = {{{child().output(), POLLIN, 0}, {has_to_send ? child().input() : -1, POLLOUT, 0}}};
        if (::poll(waits.data(), waits.size(), 100) < 0 && errno != EINTR)
            throw Error(where() + ": poll: " + std::strerror(errno));
        if (waits[1].revents != 0) send();
        if (waits[0].revents != 0) has_ended_ = !receive();
    }
    return ending();
}

std::string CommandLife::where() const {
    return "command '" + shown_command(options_) + "'";
}

void CommandLife::note_progress() {
    last_progress_ = Clock::now();
    starved_ = child().starved_seconds();
}

double CommandLife::idle_seconds() {
    return seconds_since(last_progress_) - (child().starved_seconds() - starved_);
}

double CommandLife::seconds_since(Clock::time_point time) {
    return std::chrono::duration<double>(Clock::now() - time).count();
}

std::string CommandLife::ending() {
    child().close_input();
    const auto end = child().wait(kLastSeconds);
    // A last line without a newline; of a command that was ended in the middle of one it is no answer.
    if (!partial_.empty() && end && end->exit_code == 0) take_line(std::exchange(partial_, ""));
    if (asking_->has_all()) {
        if (end && end->exit_code != 0)
            log_warning("the command answered everything but exited with an error",
                        {{"command", shown_command(options_)}, {"end", end->text()}});
        return "";
    }
    if (!end) return "no further answers";
    if (end->exit_code == 126 || end->exit_code == 127)  // no shell finds it at the next try either
        throw Error(where(), "a command that runs", end->text());
    return end->text();
}

bool CommandLife::is_all_sent() const {
    return asking_->sent == asking_->requests.count && at_ == outgoing_.size();
}

void CommandLife::close_where_quiet() {
    if (asking_->input != Input::open_unless_quiet || child().input() < 0) return;
    int unread = 0;
    const bool has_read = is_all_sent() && ::ioctl(child().input(), FIONREAD, &unread) == 0 && unread == 0;
    if (!has_read) last_unread_ = Clock::now();
    if (seconds_since(std::max(last_unread_, last_progress_)) <= options_.quiet_seconds) return;
    child().close_input();
    was_quiet_ = true;
}

void CommandLife::send() {
    if (at_ == outgoing_.size()) {
        at_ = 0;
        outgoing_.clear();
        while (asking_->sent < asking_->requests.count && outgoing_.size() < 65536)
            outgoing_ += dump_line(asking_->requests.row(asking_->sent++)) + "\n";
        if (outgoing_.empty()) return child().close_input();
    }
    const ssize_t written = child().write(std::string_view(outgoing_).substr(at_));
    if (written > 0) {
        at_ += static_cast<size_t>(written);
        note_progress();
    } else if (errno != EAGAIN && errno != EINTR) {
        child().close_input();  // it reads no further; what it has answered is still read
    }
}

// False at the end of what it writes.
bool CommandLife::receive() {
    std::array<char, 65536> bytes;
    const ssize_t got = ::read(child().output(), bytes.data(), bytes.size());
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    if (got == 0) return false;
    std::string_view rest(bytes.data(), static_cast<size_t>(got));
    const size_t answered = asking_ != nullptr ? asking_->answers.size() : 0;
    for (size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
        partial_ += rest.substr(0, end);
        rest.remove_prefix(end + 1);
        take_line(std::exchange(partial_, ""));
    }
    if (asking_ != nullptr && asking_->answers.size() > answered) note_progress();
    partial_ += rest;
    if (partial_.size() > options_.max_line_bytes)
        throw Error(answer_place(), "a line of at most " + std::to_string(options_.max_line_bytes) + " bytes",
                    "a longer one");
    return true;
}

std::string CommandLife::answer_place() const {
    return where() + ": answer" + (asking_ != nullptr ? " " + std::to_string(asking_->answers.size() + 1) : "");
}

void CommandLife::take_line(const std::string& line) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) return;
    const std::string place = answer_place();
    if (asking_ == nullptr || asking_->has_all()) {
        is_broken_ = true;
        throw Error(place, "no further answer, as nothing was asked", "'" + shortened(one_line(line), 60) + "'");
    }
    std::optional<Json> answer = unless_unfit<Json>(options_, [&] { return json_answer(line, place); });
    if (answer && !is_fit(*answer, place)) answer.reset();
    asking_->answers.push_back(answer ? std::move(*answer) : Json(nullptr));
}

// Throws where it is another request's answer, whatever is skipped.
bool CommandLife::is_fit(const Json& answer, const std::string& place) {
    const std::string asked = asking_->requests.id(asking_->answers.size()), id = id_text(answer, place);
    if (id != asked)
        throw Error(place, "the id of the next request, '" + shortened(asked, 60) + "'", "'" + shortened(id, 60) + "'");
    const auto checked = unless_unfit<bool>(options_, [&] {
        asking_->check(answer, place);
        return true;
    });
    return checked.has_value();
}

}  // namespace craft
