#include "core/process/json_command.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "core/log.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

std::vector<Json> requests(int count) {
    std::vector<Json> rows;
    for (int i = 0; i < count; ++i) rows.push_back({{"id", std::to_string(i)}, {"text", "t"}});
    return rows;
}

JsonCommandOptions command(const std::string& script) {
    JsonCommandOptions options;
    options.command = script;
    options.timeout_seconds = 20;
    return options;
}

JsonAnswers ask(const JsonCommandOptions& options, int count) {
    const LogOptions before = log_options();
    configure_log({});
    testing::internal::CaptureStderr();  // warnings of restarts
    JsonAnswers answers;
    try {
        answers = ask_json_command(options, requests(count), [](const Json&, const std::string&) {});
    } catch (...) {
        testing::internal::GetCapturedStderr();
        throw;
    }
    testing::internal::GetCapturedStderr();
    configure_log(before);
    return answers;
}

TEST(JsonCommands, AnswerRowByRowOrAtTheEnd) {
    EXPECT_EQ(ask(command("cat"), 3).rows, requests(3));
    EXPECT_EQ(ask(command("sort"), 3).rows, requests(3));  // reads all before it writes
    EXPECT_EQ(ask(command("cat"), 20000).rows.size(), 20000u) << "more than pipes hold, both ways";
    EXPECT_EQ(ask(command("printf '\\r\\n{\"id\":\"0\"}\\r\\n\\n{\"id\":1}'"), 2).rows.size(), 2u)
        << "ids as numbers, CRLF, no last newline, and the requests are never read";
    EXPECT_TRUE(ask(command("exit 1"), 0).rows.empty()) << "nothing to ask: it is not started";
}

TEST(JsonCommands, ThatDieAreStartedAgainAndGoOn) {
    const TemporaryFolder folder;
    // Answers two rows a life.
    const JsonAnswers answers = ask(command("head -n 2; echo life >> " + (folder.path() / "lives").string()), 5);
    EXPECT_EQ(answers.rows, requests(5));
    EXPECT_EQ(answers.restarts, 2);
    const std::string mark = (folder.path() / "mark").string();
    const JsonAnswers cut =
        ask(command("if [ -e " + mark + " ]; then cat; else touch " + mark + "; printf '{\"id\":\"0'; kill -9 $$; fi"), 2);
    EXPECT_EQ(cut.rows, requests(2)) << "half a line is no answer";
    EXPECT_EQ(message_of([] { ask(command("head -n 2; exit 3"), 7); }),
              "command 'head -n 2; exit 3': expected 7 answers, got 6, then exit code 3 (at request '6', after 2 restarts)");
    EXPECT_EQ(message_of([] { ask(command("/no/such/scorer 2>&-"), 1); }),
              "command '/no/such/scorer 2>&-': expected a command that runs, got exit code 127");
}

TEST(JsonCommands, ThatHangAreEnded) {
    JsonCommandOptions options = command("sleep 100");
    options.timeout_seconds = 0.2;
    options.restarts = 1;
    const auto before = std::chrono::steady_clock::now();
    EXPECT_EQ(message_of([&] { ask(options, 1); }),
              "command 'sleep 100': expected 1 answers, got 0, then nothing for 0.2 s (at request '0', after 1 restarts)");
    options.command = "cat; sleep 100";  // answers all, and does not end
    EXPECT_EQ(ask(options, 3).rows.size(), 3u);
    EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(20));
}

TEST(JsonCommands, WrongAnswersAreRefusedAtOnce) {
    const auto problem = [](const std::string& printed) {
        const std::string script = "printf '" + printed + "'";
        std::string message = message_of([&] { ask(command(script), 2); });
        return message.substr(std::min(message.size(), message.find("': answer") + 3));
    };
    EXPECT_EQ(problem(R"({"id":"1"}\n{"id":"0"}\n)"), "answer 1: expected the id of the next request, '0', got '1'");
    EXPECT_EQ(problem(R"({"id":"0"}\n{"id":"1"}\n{"id":"2"}\n)"),
              "answer 3: expected no further answer, as nothing was asked, got '{\"id\":\"2\"}'");
    EXPECT_EQ(problem(R"([0]\n)"), "answer 1: expected a JSON object, got array");
    EXPECT_EQ(problem(R"({"score":1}\n)").substr(0, 10), "answer 1: ");
    EXPECT_NE(problem(R"({"id":"0","score":NaN}\n)").find("not JSON"), std::string::npos) << problem(R"({"score":NaN}\n)");
    EXPECT_EQ(problem(R"(\377\n)"), "answer 1: expected UTF-8, got other bytes");
    JsonCommandOptions options = command("head -c 3000 /dev/zero | tr '\\0' x");
    options.max_line_bytes = 2000;
    EXPECT_NE(message_of([&] { ask(options, 1); }).find("expected a line of at most 2000 bytes"), std::string::npos);
}

// Rows of 30 KB: pipes, cat and what is being written hold less than 20 of them.
TEST(JsonCommands, RowsAreMadeWhenTheyAreSent) {
    size_t made = 0, answered = 0, most = 0;
    const JsonRequests lazy{200, [](size_t i) { return std::to_string(i); },
                            [&](size_t i) {
                                ++made;
                                return Json{{"id", std::to_string(i)}, {"text", std::string(30000, 'x')}};
                            }};
    ask_json_command(command("cat"), lazy,
                     [&](const Json&, const std::string&) { most = std::max(most, made - answered++); });
    EXPECT_EQ(made, 200u);
    EXPECT_EQ(answered, 200u);
    EXPECT_LT(most, 20u);
}

TEST(JsonCommands, UnfitAnswersMayBeSkipped) {
    JsonCommandOptions options = command(R"(printf '{"id":"0","x":NaN}\n{"id":"1"}\n{"id":"2","bad":1}\n')");
    options.skip_unfit = true;
    testing::internal::CaptureStderr();
    const JsonAnswers answers = ask_json_command(options, requests(3), [](const Json& answer, const std::string& where) {
        if (answer.contains("bad")) throw Error(where, "a score", "none");
    });
    testing::internal::GetCapturedStderr();
    EXPECT_EQ(answers.rows, (std::vector<Json>{Json(nullptr), Json::parse(R"({"id":"1"})"), Json(nullptr)}));
    EXPECT_EQ(answers.unfit, 2);
    options.command = R"(printf '{"id":"1"}\n')";
    EXPECT_NE(message_of([&] { ask(options, 2); }).find("expected the id of the next request"), std::string::npos);
    options.command = "echo NaN; echo NaN";
    EXPECT_EQ(message_of([&] { ask(options, 2); }),
              "command 'echo NaN; echo NaN': expected answers that fit, got none of 2");
}

TEST(JsonCommands, AnAnswerIsCheckedAsItComes) {
    EXPECT_EQ(message_of([] {
                  ask_json_command(command("cat"), requests(1),
                                   [](const Json&, const std::string& where) { throw Error(where, "a score", "none"); });
              }),
              "command 'cat': answer 1: expected a score, got none");
}

}  // namespace
}  // namespace craft
