#include "external/json_command.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <utility>

#include "core/log.h"
#include "core/signals.h"
#include "core/utf8.h"
#include "external/child_process.h"

namespace craft {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kLastSeconds = 10;  // to end in, for a command that has answered everything

// One life of the command: what is not answered yet goes out, and answers come in until it ends.
class Conversation {
public:
    Conversation(const JsonCommandOptions& options, const JsonRequests& requests,
                 const std::function<void(const Json&, const std::string&)>& check, std::vector<Json>& answers)
        : options_(options),
          requests_(requests),
          check_(check),
          answers_(answers),
          sent_(answers.size()),
          child_(ChildOptions{{"/bin/sh", "-c", options.command}}) {}

    // What went wrong with the process, or "".
    std::string run() {
        last_progress_ = Clock::now();
        bool open = true;
        while (open) {
            throw_if_stopped();
            const bool all = answers_.size() == requests_.count;
            if (idle_seconds() > (all ? std::min(kLastSeconds, options_.timeout_seconds) : options_.timeout_seconds)) {
                child_.kill();
                if (!all) return "nothing for " + Json(options_.timeout_seconds).dump() + " s";
                log_warning("the command has answered everything, does not end, and is ended", {{"command", shown()}});
                return "";
            }
            std::array<pollfd, 2> waits = {{{child_.output(), POLLIN, 0}, {child_.input(), POLLOUT, 0}}};
            if (::poll(waits.data(), waits.size(), 100) < 0 && errno != EINTR)
                throw Error(where() + ": poll: " + std::strerror(errno));
            if (waits[1].revents != 0) send();
            if (waits[0].revents != 0) open = receive();
        }
        return ending();
    }

private:
    std::string shown() const { return shortened(one_line(options_.command), 80); }
    std::string where() const { return "command '" + shown() + "'"; }
    double idle_seconds() const { return std::chrono::duration<double>(Clock::now() - last_progress_).count(); }

    std::string ending() {
        child_.close_input();
        const auto end = child_.wait(kLastSeconds);
        // A last line without a newline; of a command that was ended in the middle of one it is no answer.
        if (!partial_.empty() && end && end->exit_code == 0) take_line(std::exchange(partial_, ""));
        if (answers_.size() == requests_.count) {
            if (end && (end->exit_code != 0))
                log_warning("the command answered everything and ended badly", {{"command", shown()}, {"end", end->text()}});
            return "";
        }
        if (!end) return "no further answers";
        if (end->exit_code == 126 || end->exit_code == 127)  // no shell finds it at the next try either
            throw Error(where(), "a command that runs", end->text());
        return end->text();
    }

    void send() {
        if (outgoing_.size() == at_) {
            at_ = 0;
            outgoing_.clear();
            while (sent_ < requests_.count && outgoing_.size() < 65536)
                outgoing_ += dump_line(requests_.row(sent_++)) + "\n";
            if (outgoing_.empty()) return child_.close_input();
        }
        const ssize_t written = child_.write(std::string_view(outgoing_).substr(at_));
        if (written > 0) {
            at_ += static_cast<size_t>(written);
            last_progress_ = Clock::now();
        } else if (errno != EAGAIN && errno != EINTR) {
            child_.close_input();  // it reads no further; what it has answered is still read
        }
    }

    // False at the end of what it writes.
    bool receive() {
        std::array<char, 65536> bytes;
        const ssize_t got = ::read(child_.output(), bytes.data(), bytes.size());
        if (got < 0) return errno == EAGAIN || errno == EINTR;
        if (got == 0) return false;
        std::string_view rest(bytes.data(), static_cast<size_t>(got));
        for (size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
            partial_ += rest.substr(0, end);
            rest.remove_prefix(end + 1);
            take_line(std::exchange(partial_, ""));
        }
        partial_ += rest;
        if (partial_.size() > options_.max_line_bytes)
            throw Error(answer_place(), "a line of at most " + std::to_string(options_.max_line_bytes) + " bytes",
                        "a longer one");
        return true;
    }

    std::string answer_place() const { return where() + ": answer " + std::to_string(answers_.size() + 1); }

    void take_line(const std::string& line) {
        if (line.find_first_not_of(" \t\r") == std::string::npos) return;
        const std::string place = answer_place();
        if (answers_.size() == requests_.count)
            throw Error(place, "no further answer, as nothing was asked", "'" + shortened(one_line(line), 60) + "'");
        std::optional<Json> answer = unless_unfit<Json>([&] { return json_answer(line, place); });
        if (answer) {
            const std::string asked = requests_.id(answers_.size()), id = id_text(*answer, place);
            if (id != asked)
                throw Error(place, "the id of the next request, '" + shortened(asked, 60) + "'",
                            "'" + shortened(id, 60) + "'");
            const bool fits = unless_unfit<bool>([&] {
                                  check_(*answer, place);
                                  return true;
                              }).has_value();
            if (!fits) answer.reset();
        }
        answers_.push_back(answer ? std::move(*answer) : Json(nullptr));
        last_progress_ = Clock::now();
    }

    // What `make` gives; nothing where it throws and unfit answers are skipped.
    template <typename T, typename Make>
    std::optional<T> unless_unfit(const Make& make) const {
        try {
            return make();
        } catch (const Error& error) {
            if (!options_.skip_unfit) throw;
            log_warning("an answer is skipped", {{"problem", std::string(error.what())}});
            return std::nullopt;
        }
    }

    const JsonCommandOptions& options_;
    const JsonRequests& requests_;
    const std::function<void(const Json&, const std::string&)>& check_;
    std::vector<Json>& answers_;
    size_t sent_;           // requests that are written or in `outgoing_`
    std::string outgoing_;  // what is being written, from `at_` on
    size_t at_ = 0;
    std::string partial_;  // of a line that is being read
    Clock::time_point last_progress_;
    ChildProcess child_;
};

}  // namespace

Json json_answer(const std::string& line, const std::string& where) {
    if (invalid_utf8_at(line) != std::string_view::npos) throw Error(where, "UTF-8", "other bytes");
    Json answer = parse_json(line, where);
    if (!answer.is_object()) throw Error(where, "a JSON object", answer.type_name());
    return answer;
}

JsonAnswers ask_json_command(const JsonCommandOptions& options, const JsonRequests& requests,
                             const std::function<void(const Json&, const std::string&)>& check) {
    JsonAnswers answers;
    if (requests.count == 0) return answers;
    while (true) {
        const std::string problem = Conversation(options, requests, check, answers.rows).run();
        if (answers.rows.size() == requests.count) {
            answers.unfit = std::count(answers.rows.begin(), answers.rows.end(), Json(nullptr));
            if (answers.unfit == static_cast<int64_t>(requests.count))
                throw Error("command '" + shortened(one_line(options.command), 80) + "'", "answers that fit",
                            "none of " + std::to_string(requests.count));
            return answers;
        }
        const std::string at = "at request '" + shortened(requests.id(answers.rows.size()), 60) + "'";
        if (answers.restarts == options.restarts)
            throw Error("command '" + shortened(one_line(options.command), 80) + "'",
                        std::to_string(requests.count) + " answers",
                        std::to_string(answers.rows.size()) + ", then " + problem,
                        at + ", after " + std::to_string(answers.restarts) + " restarts");
        ++answers.restarts;
        log_warning("the command is started again", {{"problem", problem}, {"answered", answers.rows.size()}});
    }
}

JsonAnswers ask_json_command(const JsonCommandOptions& options, const std::vector<Json>& requests,
                             const std::function<void(const Json&, const std::string&)>& check) {
    const JsonRequests made{requests.size(), [&](size_t i) { return id_text(requests[i], "request"); },
                            [&](size_t i) { return requests[i]; }};
    return ask_json_command(options, made, check);
}

}  // namespace craft
