#include "tools/grammar/parse_workers.h"

#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <fstream>
#include <iostream>
#include <mutex>

#include "core/error.h"
#include "core/log.h"
#include "core/process/persistent_command.h"
#include "core/signals.h"

namespace craft {

namespace {

constexpr int64_t kMemoryBytes = int64_t{1} << 30;  // beside what the program maps before it parses
constexpr int64_t kMaxLostAtOnce = 3;

class ParseWorkers : public SentenceParser {
public:
    explicit ParseWorkers(const ParseWorkerOptions& options) {
        if (options.workers < 1) throw Error("parse workers", "at least 1", std::to_string(options.workers));
        if (!(options.timeout_seconds > 0)) throw Error("parse workers: seconds without an answer", "a number above 0");
        JsonCommandOptions command;
        command.command = options.command;
        command.timeout_seconds = options.timeout_seconds;
        command.restarts = 0;
        // A hang is no silence before the end of the input.
        command.quiet_seconds = 2 * options.timeout_seconds;
        for (int64_t i = 0; i < options.workers; ++i) free_.push_back(std::make_unique<PersistentCommand>(command));
    }
    std::vector<ConstituentParse> parse(const std::vector<ParseRequest>& requests) override;
    int64_t lost() const override { return lost_; }

private:
    std::unique_ptr<PersistentCommand> take() {
        std::unique_lock lock(mutex_);
        freed_.wait(lock, [&] { return !free_.empty(); });
        auto worker = std::move(free_.back());
        free_.pop_back();
        return worker;
    }
    void give_back(std::unique_ptr<PersistentCommand> worker) {
        {
            const std::lock_guard lock(mutex_);
            free_.push_back(std::move(worker));
        }
        freed_.notify_one();
    }
    std::vector<ConstituentParse> ask(PersistentCommand& worker, const std::vector<ParseRequest>& requests);

    std::mutex mutex_;
    std::condition_variable freed_;
    std::vector<std::unique_ptr<PersistentCommand>> free_;
    std::atomic<int64_t> next_id_ = 0, lost_ = 0, lost_in_a_row_ = 0;
    std::atomic<bool> has_answered_ = false;
};

std::vector<ConstituentParse> ParseWorkers::ask(PersistentCommand& worker, const std::vector<ParseRequest>& requests) {
    std::vector<Json> rows;
    for (const ParseRequest& request : requests) rows.push_back(to_json(request, std::to_string(next_id_++)));
    std::vector<ConstituentParse> parses;
    const JsonAnswers answers = worker.ask(
        rows, [](const Json& answer, const std::string& where) { static_cast<void>(constituent_parse_of(answer, where)); });
    for (const Json& answer : answers.rows) parses.push_back(constituent_parse_of(answer, "answer"));
    return parses;
}

std::vector<ConstituentParse> ParseWorkers::parse(const std::vector<ParseRequest>& requests) {
    if (requests.empty()) return {};
    struct Borrowed {
        ParseWorkers& from;
        std::unique_ptr<PersistentCommand> worker;
        ~Borrowed() { from.give_back(std::move(worker)); }
    } borrowed{*this, take()};
    try {
        auto parses = ask(*borrowed.worker, requests);
        has_answered_ = true;
        lost_in_a_row_ = 0;
        return parses;
    } catch (const Error& error) {
        lost_ += static_cast<int64_t>(requests.size());
        if (++lost_in_a_row_ >= kMaxLostAtOnce && !has_answered_)
            throw Error("parse worker", "answers", error.what(),
                        "run scripts/setup.sh --english; craft-train doctor says what is missing");
        log_warning("a parser was lost, the sentence has no parse", {{"problem", std::string(error.what())}});
        ConstituentParse none;
        none.problem = "worker";
        return std::vector<ConstituentParse>(requests.size(), none);
    }
}

// The kernel counts address space, of which the program itself maps much before it parses.
void bound_memory() {
    std::ifstream file("/proc/self/statm");
    int64_t pages = 0;
    if (!(file >> pages)) return;
    const auto bytes = static_cast<rlim_t>(pages * ::sysconf(_SC_PAGESIZE) + kMemoryBytes);
    const rlimit limit{bytes, bytes};
    ::setrlimit(RLIMIT_AS, &limit);
}

}  // namespace

std::unique_ptr<SentenceParser> parse_workers(const ParseWorkerOptions& options) {
    return std::make_unique<ParseWorkers>(options);
}

std::string parse_worker_command(const std::string& program) {
    std::string quoted = "'";
    for (const char c : program) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return "exec " + quoted + "' " + kParseWorkerArgument;
}

int run_parse_worker() {
    try {
        const auto parser = local_sentence_parser();
        bound_memory();
        answer_parse_requests(std::cin, std::cout, *parser);
        return 0;
    } catch (const std::exception& error) {
        log_error(error.what());
        return 1;
    }
}

}  // namespace craft
