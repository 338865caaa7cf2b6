#include "tools/grammar/parse_workers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "core/log.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using testing::HasSubstr;

// A worker of the shell's: answers with the id and an empty parse; sentences with "hang" and "die" do what they say.
std::string shell_worker(const std::string& seconds = "0") {
    return "while read -r line; do id=${line#*'\"id\":\"'}; id=${id%%'\"'*}; case $line in *hang*) exec sleep 100;; *die*) "
           "kill -9 $$;; esac; "
           "sleep " +
           seconds +
           "; echo "
           "'{\"id\":\"'$id'\",\"tree\":\"(S)\",\"words\":2,\"lacks\":0,\"left_out\":[],\"cost\":1.5,\"timed_out\":false,"
           "\"problem\":\"\"}'; done";
}

std::string problem_of(SentenceParser& parser, const std::string& sentence) {
    testing::internal::CaptureStderr();
    const std::string problem = parser.parse({{sentence}}).front().problem;
    testing::internal::GetCapturedStderr();
    return problem;
}

TEST(ParseWorkers, AnswerAndGoOn) {
    const auto parser = parse_workers({.command = shell_worker(), .timeout_seconds = 20});
    const auto parses = parser->parse({{"one"}, {"two"}});
    ASSERT_EQ(parses.size(), 2u);
    EXPECT_EQ(parses[1].bracketed, "(S)");
    EXPECT_EQ(parses[1].cost, 1.5);
    EXPECT_TRUE(parser->parse({}).empty());
    EXPECT_EQ(parser->lost(), 0);
}

TEST(ParseWorkers, OneThatDiesOrHangsCostsOneAnswer) {
    const auto parser = parse_workers({.command = shell_worker(), .timeout_seconds = 1});
    EXPECT_EQ(problem_of(*parser, "fine"), "");
    EXPECT_EQ(problem_of(*parser, "now die"), "worker");
    EXPECT_EQ(problem_of(*parser, "fine again"), "");
    const auto before = std::chrono::steady_clock::now();
    EXPECT_EQ(problem_of(*parser, "now hang"), "worker");
    EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(20));
    EXPECT_EQ(problem_of(*parser, "fine again"), "");
    EXPECT_EQ(parser->lost(), 2);
}

TEST(ParseWorkers, AnswersThatAreNoneCostOneAnswer) {
    for (const char* answer :
         {"", "x", "{}", "[]", "{\"id\":\"0\"", "{\"id\":\"0\",\"tree\":3}", "{\"id\":\"99\",\"tree\":\"\"}"}) {
        const auto parser = parse_workers(
            {.command = "read -r line; echo '" + std::string(answer) + "'; sleep 0.1", .workers = 1, .timeout_seconds = 20});
        EXPECT_EQ(problem_of(*parser, "fine"), "worker") << answer;
        EXPECT_EQ(parser->lost(), 1) << answer;
    }
}

TEST(ParseWorkers, WorkSideBySide) {
    const auto parser = parse_workers({.command = shell_worker("0.5"), .workers = 4, .timeout_seconds = 20});
    std::vector<std::thread> threads;
    std::atomic<int> answered = 0;
    const auto before = std::chrono::steady_clock::now();
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            for (int k = 0; k < 2; ++k) answered += parser->parse({{"fine"}}).front().problem.empty() ? 1 : 0;
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(answered, 8);
    EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::milliseconds(3500))
        << "one after the other it would be 4 s";
}

TEST(ParseWorkers, OnesThatNeverAnswerAreAnError) {
    testing::internal::CaptureStderr();
    const auto parser = parse_workers({.command = "exit 3", .timeout_seconds = 5});
    EXPECT_EQ(parser->parse({{"a"}}).front().problem, "worker");
    EXPECT_EQ(parser->parse({{"a"}}).front().problem, "worker");
    EXPECT_THAT(message_of([&] { parser->parse({{"a"}}); }), HasSubstr("parse worker: expected answers"));
    testing::internal::GetCapturedStderr();
    EXPECT_THAT(message_of([] { parse_workers({.command = "cat", .workers = 0}); }), HasSubstr("at least 1"));
    EXPECT_THAT(message_of([] { parse_workers({.command = "cat", .timeout_seconds = 0}); }), HasSubstr("above 0"));
}

TEST(ParseWorkers, TheCommandQuotesItsProgram) {
    EXPECT_EQ(parse_worker_command("/a b/it's"), "exec '/a b/it'\\''s' parse-worker");
}

}  // namespace
}  // namespace craft
