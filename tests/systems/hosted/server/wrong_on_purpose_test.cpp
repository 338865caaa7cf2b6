// Each fault by its name, as it comes over the wire.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <ctime>
#include <optional>
#include <string>

#include "core/utf8.h"
#include "tests/systems/hosted/chat_server.h"
#include "tests/systems/hosted/server/raw_client.h"

namespace craft::chat_server {
namespace {

using ::testing::HasSubstr;
using namespace std::chrono_literals;

ChatServerOptions always(const std::string& name) {
    ChatServerOptions options;
    options.faults = {{fault_of(name), 1}};
    options.answer = [](const Json&, int64_t) { return "one two three four"; };
    return options;
}

// The reply of a server that always has this fault, and what it counted.
struct Seen {
    RawReply reply;
    ChatServerCounts counts;
    Json choice() const { return reply.json().at("choices").at(0); }
    Json message() const { return choice().at("message"); }
};

Seen see(const ChatServerOptions& options, const Json& more = Json::object()) {
    ChatServer server(options);
    Seen seen;
    seen.reply = ask(server.port(), chat_body("x", more));
    server.stop();  // what was handed out is counted then
    seen.counts = server.counts();
    return seen;
}

struct Refusal {
    std::string name;
    int status;
    std::string code;  // as JSON
    std::string message;
};

class Refusals : public ::testing::TestWithParam<Refusal> {};

TEST_P(Refusals, AreErrorObjects) {
    const auto& [name, status, code, message] = GetParam();
    const Seen seen = see(always(name), {{"max_tokens", 8}, {"temperature", .7}});
    EXPECT_EQ(seen.reply.status(), status);
    EXPECT_TRUE(seen.reply.is_complete);
    const Json body = seen.reply.json();
    const Json& error = body.contains("error") ? body.at("error") : body;
    EXPECT_EQ(error.at("code").dump(), code);
    EXPECT_THAT(error.at("message"), HasSubstr(message));
    EXPECT_EQ(seen.counts.of(fault_of(name)), 1);
    EXPECT_EQ(seen.counts.good, 0);
}

INSTANTIATE_TEST_SUITE_P(
    , Refusals,
    ::testing::Values(
        Refusal{"http_429", 429, "\"rate_limit_exceeded\"", "Rate limit reached"},
        Refusal{"http_429_quota", 429, "\"insufficient_quota\"", "exceeded your current quota"},
        Refusal{"http_500", 500, "null", "server had an error"}, Refusal{"http_503", 503, "null", "overloaded"},
        Refusal{"http_400_window", 400, "\"context_length_exceeded\"", "maximum context length is 4096"},
        Refusal{"http_400_window_vllm", 400, "400", "maximum context length is 4096"},
        Refusal{"http_400_max_tokens", 400, "\"unsupported_parameter\"", "Use 'max_completion_tokens' instead"},
        Refusal{"http_400_temperature", 400, "\"unsupported_parameter\"", "'temperature' is not supported"},
        Refusal{"http_401", 401, "\"invalid_api_key\"", "Incorrect API key"},
        Refusal{"http_403", 403, "null", "not allowed"}, Refusal{"http_404", 404, "\"model_not_found\"", "does not exist"},
        Refusal{"error_in_200", 200, "502", "Provider"}),
    [](const auto& refusal) { return refusal.param.name; });

TEST(WrongOnPurpose, OnlyWhatConcernsTheBody) {
    for (const char* name : {"http_400_max_tokens", "http_400_temperature", "stop_at_limit", "n_ignored"}) {
        const Seen seen = see(always(name), {{"max_completion_tokens", nullptr}, {"n", 1}});
        EXPECT_EQ(seen.reply.status(), 200) << name;
        EXPECT_EQ(seen.counts.of({}), 1) << name;
        EXPECT_EQ(seen.counts.good, 1) << name;
    }
}

TEST(WrongOnPurpose, RetryAfter) {
    ChatServerOptions options = always("http_429");
    EXPECT_EQ(see(options).reply.header("Retry-After"), "");
    options.retry_after = RetryAfter::seconds;
    options.retry_after_s = 7;
    EXPECT_EQ(see(options).reply.header("Retry-After"), "7");
    options.retry_after = RetryAfter::date;
    options.retry_after_s = 3600;
    const std::string date = see(options).reply.header("Retry-After");
    std::tm parts{};
    ASSERT_NE(::strptime(date.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &parts), nullptr) << date;
    EXPECT_NEAR(static_cast<double>(::timegm(&parts) - std::time(nullptr)), 3600, 60);
}

TEST(WrongOnPurpose, TheKeyIsRepeated) {
    ChatServer server(always("http_401"));
    EXPECT_THAT(ask(server.port(), chat_body("x"), "Authorization: Bearer sk-secret\r\n").body,
                HasSubstr("provided: sk-secret."));
}

TEST(WrongOnPurpose, Truncated) {
    const Seen seen = see(always("truncated"));
    EXPECT_EQ(seen.reply.status(), 200);
    EXPECT_FALSE(seen.reply.is_complete);
    EXPECT_TRUE(seen.reply.is_closed);
    EXPECT_GT(std::stoul(seen.reply.header("Content-Length")), seen.reply.body.size());
    EXPECT_GT(seen.reply.body.size(), 50U);
    EXPECT_EQ(seen.counts.good, 0);
}

TEST(WrongOnPurpose, CutJson) {
    const Seen seen = see(always("cut_json"));
    EXPECT_TRUE(seen.reply.is_complete);
    EXPECT_THAT(seen.reply.body, HasSubstr("chat.completion"));
    EXPECT_TRUE(seen.reply.json().is_discarded());
}

TEST(WrongOnPurpose, Dropped) {
    const Seen seen = see(always("dropped"));
    EXPECT_EQ(seen.reply.head, "");
    EXPECT_TRUE(seen.reply.is_closed);
    EXPECT_EQ(seen.counts.of(Fault::dropped), 1);
}

TEST(WrongOnPurpose, Never) {
    ChatServer server(always("never"));
    {
        RawClient client(server.port());
        client.send(post(chat_body("x")));
        EXPECT_TRUE(becomes_true([&] { return server.counts().in_flight == 1; }));
        const RawReply reply = client.receive(100ms);
        EXPECT_EQ(reply.head, "");
        EXPECT_FALSE(reply.is_closed);
        server.stop();
        EXPECT_TRUE(client.is_closed_within(20s));
    }
    EXPECT_EQ(server.counts().in_flight, 0);
    EXPECT_EQ(server.counts().good, 0);
}

TEST(WrongOnPurpose, SlowBody) {
    ChatServerOptions options = always("slow_body");
    options.trickle_ms = 1;
    ChatServer server(options);
    RawClient client(server.port());
    client.send(post(chat_body("x")));
    const std::string blank = "1\r\n \r\n", five = blank + blank + blank + blank + blank;
    std::string got;
    char byte = 0;
    while (!got.ends_with(five) && got.size() < 10000 && ::recv(client.fd(), &byte, 1, 0) == 1) got += byte;
    EXPECT_THAT(got, HasSubstr("Transfer-Encoding: chunked"));
    EXPECT_THAT(got, HasSubstr("chat.completion"));
    EXPECT_TRUE(got.ends_with(five)) << got;
    EXPECT_EQ(server.counts().in_flight, 1);
    EXPECT_EQ(server.counts().good, 0);
}

TEST(WrongOnPurpose, Chunked) {
    const Seen seen = see(always("chunked"));
    EXPECT_EQ(seen.reply.header("Transfer-Encoding"), "chunked");
    EXPECT_TRUE(seen.reply.is_complete);
    EXPECT_EQ(seen.message().at("content"), "one two three four");
    EXPECT_EQ(seen.counts.good, 1);
}

TEST(WrongOnPurpose, Huge) {
    const Seen seen = see(always("huge"));
    EXPECT_TRUE(seen.reply.is_complete);
    EXPECT_EQ(seen.message().at("content").get<std::string>(), std::string(64 << 20, 'a'));
    EXPECT_EQ(seen.counts.good, 0);
}

TEST(WrongOnPurpose, BadUtf8) {
    const Seen seen = see(always("bad_utf8"));
    EXPECT_TRUE(seen.reply.is_complete);
    EXPECT_NE(invalid_utf8_at(seen.reply.body), std::string::npos);
    EXPECT_TRUE(seen.reply.json().is_discarded());
    EXPECT_THAT(seen.reply.body, HasSubstr("\xffone two three four\xc3"));
}

TEST(WrongOnPurpose, PagesOfAProxy) {
    EXPECT_EQ(see(always("html")).reply.status(), 200);
    EXPECT_EQ(see(always("html_502")).reply.status(), 502);
    for (const char* name : {"html", "html_502"}) {
        const RawReply reply = see(always(name)).reply;
        EXPECT_EQ(reply.header("Content-Type"), "text/html");
        EXPECT_THAT(reply.body, HasSubstr("<html>"));
    }
}

TEST(WrongOnPurpose, WrongJson) {
    const Json body = see(always("wrong_json")).reply.json();
    EXPECT_TRUE(body.is_object());
    EXPECT_FALSE(body.contains("choices"));
    EXPECT_FALSE(body.contains("error"));
}

TEST(WrongOnPurpose, Redirects) {
    ChatServer server(always("redirect_other_host"));
    const RawReply other = ask(server.port(), chat_body("x"));
    EXPECT_EQ(other.status(), 307);
    EXPECT_EQ(other.header("Location"), "http://localhost:1/redirected/v1/chat/completions");
    const RawReply same = see(always("redirect_same_host")).reply;
    EXPECT_EQ(same.status(), 307);
    EXPECT_EQ(same.header("Location"), "/redirected/v1/chat/completions");
    EXPECT_EQ(server.counts().redirected, 0);
    RawClient client(server.port());
    client.send(post(chat_body("x"), "", "/redirected/v1/chat/completions"));
    EXPECT_EQ(client.receive().status(), 200);
    EXPECT_EQ(server.counts().redirected, 1);
}

TEST(WrongOnPurpose, OddChoices) {
    EXPECT_EQ(see(always("no_choices")).reply.json().at("choices"), Json::array());
    const Json null = see(always("null_content")).message();
    EXPECT_TRUE(null.at("content").is_null());
    EXPECT_FALSE(null.contains("refusal"));
    EXPECT_EQ(see(always("empty_content")).message().at("content"), "");
    EXPECT_EQ(see(always("content_filter")).choice().at("finish_reason"), "content_filter");
    const Json refusal = see(always("refusal")).message();
    EXPECT_TRUE(refusal.at("content").is_null());
    EXPECT_EQ(refusal.at("refusal"), "I cannot help with that.");
    for (const char* name : {"no_choices", "null_content", "empty_content", "content_filter", "refusal"})
        EXPECT_EQ(see(always(name)).counts.good, 0) << name;
}

TEST(WrongOnPurpose, Limits) {
    const Seen cut = see(always("length"));
    EXPECT_EQ(cut.choice().at("finish_reason"), "length");
    EXPECT_EQ(cut.message().at("content"), "one two");
    EXPECT_EQ(cut.reply.json().at("usage").at("completion_tokens"), 2);
    const Seen stopped = see(always("stop_at_limit"), {{"max_tokens", 64}});
    EXPECT_EQ(stopped.choice().at("finish_reason"), "stop");
    EXPECT_EQ(stopped.reply.json().at("usage").at("completion_tokens"), 64);
    EXPECT_EQ(stopped.counts.good, 0);
}

TEST(WrongOnPurpose, Reasoning) {
    const Seen beside = see(always("reasoning"));
    EXPECT_EQ(beside.message().at("reasoning_content"), "I think about it twice.");
    EXPECT_EQ(beside.message().at("content"), "one two three four");
    EXPECT_EQ(beside.reply.json().at("usage").at("completion_tokens"), 9);
    EXPECT_EQ(beside.reply.json().at("usage").at("completion_tokens_details").at("reasoning_tokens"), 5);
    const Seen within = see(always("think"));
    EXPECT_EQ(within.message().at("content"), "<think>I think about it twice.</think>\n\none two three four");
    EXPECT_EQ(within.counts.good, 1);
}

TEST(WrongOnPurpose, ForeignModel) {
    EXPECT_EQ(see(always("foreign_model")).reply.json().at("model"), "another-test-model");
}

TEST(WrongOnPurpose, NIgnored) {
    EXPECT_EQ(see(always("n_ignored"), {{"n", 3}}).reply.json().at("choices").size(), 1U);
}

}  // namespace
}  // namespace craft::chat_server
