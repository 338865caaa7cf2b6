// The test server of chat completions (tests/systems/hosted/chat_server.h) as a program, for benchmarks of clients and for
// tests that kill them:
//
//   bench_chat_server --latency-ms 20 --fault http_429=.2 --fault dropped=.05 --log requests.jsonl
//   bench_chat_server --answers editor --mistakes .1
//   bench_chat_server --gold ready.jsonl --judge-errors .2 --seed 3
//
// Prints its port and a line break when it listens. Ends on SIGTERM or SIGINT and prints what it counted, one JSON line.
#include "tests/systems/hosted/chat_server.h"

#include <CLI/CLI.hpp>
#include <array>
#include <csignal>
#include <cstdio>
#include <exception>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/files.h"
#include "core/json.h"
#include "tests/systems/hosted/server/completion.h"
#include "tests/systems/hosted/server/editor.h"
#include "tests/systems/hosted/server/gold_judge.h"

namespace {

using namespace craft::chat_server;

// Blocked in all threads, so that the main one can wait for them.
sigset_t block_signals() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    return signals;
}

// Who answers, in this order: a judge that knows gold, if there is one; an editor, if there is one; made-up words.
struct Answerers {
    std::optional<GoldJudge> judge = {};
    std::optional<Editor> editor = {};
    std::string answer(const craft::Json& body, int64_t choice) {
        if (judge)
            if (auto verdict = judge->answer(body, choice)) return *std::move(verdict);
        return editor ? editor->answer(body, choice) : made_up_answer(body, choice);
    }
};

std::string counts_line(const ChatServerCounts& counts, const Answerers& answerers) {
    const std::map<std::string, int64_t> none;
    const craft::Json line = {{"connections", counts.connections},
                              {"requests", counts.requests},
                              {"good", counts.good},
                              {"most_in_flight", counts.max_in_flight},
                              {"bodies", counts.asked.size()},
                              {"bodies_answered", counts.answered.size()},
                              {"faults", counts.faults},
                              {"mistakes", answerers.editor ? answerers.editor->mistakes() : none},
                              {"verdicts", answerers.judge ? answerers.judge->verdicts() : none}};
    return craft::dump_line(line) + "\n";
}

void serve(const ChatServerOptions& options, const Answerers& answerers) {
    const sigset_t signals = block_signals();
    ChatServer server(options);
    craft::write_stdout(std::to_string(server.port()) + "\n");
    int signal = 0;
    sigwait(&signals, &signal);
    server.stop();
    craft::write_stdout(counts_line(server.counts(), answerers));
}

int run(int argc, char** argv) {
    ChatServerOptions options;
    std::vector<std::string> faults;
    std::string retry_after = "none", answers = "words", gold;
    EditorOptions of_editor;
    GoldJudgeOptions of_judge;
    CLI::App app("A server of chat completions that misbehaves on purpose");
    app.add_option("--port", options.port, "of 127.0.0.1; 0: any that is free");
    app.add_option("--latency-ms", options.latency_ms, "from a request to its answer");
    app.add_option("--fault", faults, "NAME=SHARE of a fault, 0 to 1; may be repeated")->allow_extra_args(false);
    app.add_option("--max-faults", options.max_faults, "so many a body gets before it is answered well");
    app.add_option("--seed", options.seed, "of the draws of faults, mistakes and errors");
    app.add_option("--log", options.log, "file for a JSON line a request");
    app.add_option("--api-key", options.api_key, "401 without it");
    app.add_option("--proxy-authorization", options.proxy_authorization, "407 for requests to a proxy without it");
    app.add_option("--model", options.model, "name in the replies");
    app.add_flag("!--no-usage", options.usage, "replies without a usage block");
    app.add_option("--retry-after", retry_after, "of 429 and 503")->check(CLI::IsMember({"none", "seconds", "date"}));
    app.add_option("--retry-after-s", options.retry_after_s, "what Retry-After says");
    app.add_option("--limit-in-flight", options.limit_in_flight, "429 above so many requests at once; 0: no limit");
    app.add_option("--answers", answers,
                   "words: made-up ones; editor: what an editor would answer to a prompt of share/prompts")
        ->check(CLI::IsMember({"words", "editor"}));
    app.add_option("--mistakes", of_editor.mistakes, "share of an editor's answers that are wrong, 0 to 1")
        ->check(CLI::Range(0.0, 1.0));
    auto* const with_gold = app.add_option(
        "--gold", gold, "rows of `constraints`: judges of the responses to their instructions answer by their gold calls");
    app.add_option("--judge-errors", of_judge.errors, "probability that such a verdict is the wrong way round, 0 to 1")
        ->check(CLI::Range(0.0, 1.0))
        ->needs(with_gold);
    CLI11_PARSE(app, argc, argv);
    for (const std::string& fault : faults) options.faults.push_back(parse_fault_share(fault));
    if (retry_after != "none") options.retry_after = retry_after == "date" ? RetryAfter::date : RetryAfter::seconds;
    of_editor.seed = of_judge.seed = options.seed;
    Answerers answerers;
    if (answers == "editor") answerers.editor.emplace(of_editor);
    if (!gold.empty()) answerers.judge.emplace(gold, of_judge);
    options.answer = [&](const craft::Json& body, int64_t choice) { return answerers.answer(body, choice); };
    serve(options, answerers);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "chat_server: %s\n", error.what());
        return 1;
    }
}
