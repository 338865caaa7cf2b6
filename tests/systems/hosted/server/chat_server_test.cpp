#include "tests/systems/hosted/chat_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/json.h"
#include "tests/core/temporary_folder.h"
#include "tests/systems/hosted/server/raw_client.h"

namespace craft::chat_server {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using namespace std::chrono_literals;

std::string content(const RawReply& reply) {
    return reply.json().at("choices").at(0).at("message").at("content");
}

std::string echo(const Json& body, int64_t) {
    return body.at("messages").at(0).at("content");
}

TEST(ChatServer, ManyRequestsOnAConnection) {
    ChatServer server({.answer = echo});
    RawClient client(server.port());
    for (int i = 0; i < 10; ++i) {
        client.send(post(chat_body(std::to_string(i))));
        const RawReply reply = client.receive();
        ASSERT_TRUE(reply.is_complete);
        EXPECT_EQ(content(reply), std::to_string(i));
    }
    EXPECT_TRUE(becomes_true([&] { return server.counts().good == 10; }));
    EXPECT_EQ(server.counts().connections, 1);
    EXPECT_EQ(server.counts().requests, 10);
    EXPECT_EQ(server.counts().max_in_flight, 1);
    EXPECT_EQ(server.base_url(), "http://127.0.0.1:" + std::to_string(server.port()) + "/v1");
}

TEST(ChatServer, InOrderWhereSentAtOnce) {
    for (const double latency_ms : {0., 2.}) {
        ChatServer server({.latency_ms = latency_ms, .answer = echo});
        RawClient client(server.port());
        client.send(post(chat_body("a")) + post(chat_body("b")) + post(chat_body("c"), "Connection: close\r\n"));
        for (const char* expected : {"a", "b", "c"}) EXPECT_EQ(content(client.receive()), expected);
        EXPECT_TRUE(client.is_closed_within(20s));
    }
}

TEST(ChatServer, OtherPaths) {
    ChatServer server({.model = "m"});
    RawClient client(server.port());
    client.send("GET /v1/models HTTP/1.1\r\n\r\n");
    EXPECT_EQ(client.receive().json().at("data").at(0).at("id"), "m");
    client.send("GET /v1/chat/completions HTTP/1.1\r\n\r\n");
    EXPECT_EQ(client.receive().status(), 404);
    client.send(post("{}", "", "/v1/files"));
    EXPECT_EQ(client.receive().status(), 404);
    EXPECT_TRUE(server.counts().asked.empty());
    EXPECT_EQ(server.counts().good, 0);
}

TEST(ChatServer, RefusesBodiesOfAnotherForm) {
    ChatServer server;
    for (const char* body :
         {"", "{", "[]", R"({"model":"m"})", R"({"model":"m","messages":[]})", R"({"messages":[{"role":"user"}]})",
          R"({"model":"m","messages":[{"role":"user"}],"n":0})", R"({"model":"m","messages":[{"role":"user"}],"n":1000})"}) {
        const RawReply reply = ask(server.port(), body);
        EXPECT_EQ(reply.status(), 400) << body;
        EXPECT_EQ(reply.json().at("error").at("type"), "invalid_request_error") << body;
    }
    EXPECT_EQ(server.counts().good, 0);
}

TEST(ChatServer, BytesThatAreNoRequest) {
    ChatServer server;
    RawClient client(server.port());
    client.send("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n");
    EXPECT_EQ(client.receive().status(), 411);
    EXPECT_TRUE(client.is_closed_within(20s));
    RawClient patient(server.port());
    const std::string body = chat_body("x");
    patient.send("POST /chat/completions HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: " +
                 std::to_string(body.size()) + "\r\n\r\n");
    std::string said(25, ' ');
    ASSERT_EQ(::recv(patient.fd(), said.data(), said.size(), MSG_WAITALL), 25);
    EXPECT_EQ(said, "HTTP/1.1 100 Continue\r\n\r\n");
    patient.send(body);
    EXPECT_EQ(patient.receive().status(), 200);
}

TEST(ChatServer, AsksForKeys) {
    ChatServer server({.api_key = "sk-1", .proxy_authorization = "Basic eA=="});
    EXPECT_EQ(ask(server.port(), chat_body("x")).status(), 401);
    EXPECT_EQ(ask(server.port(), chat_body("x"), "Authorization: Bearer sk-2\r\n").status(), 401);
    EXPECT_EQ(ask(server.port(), chat_body("x"), "Authorization: Bearer sk-1\r\n").status(), 200);
    RawClient client(server.port());
    const std::string path = "http://elsewhere/v1/chat/completions";
    client.send(post(chat_body("x"), "Authorization: Bearer sk-1\r\n", path));
    EXPECT_EQ(client.receive().status(), 407);
    client.send(post(chat_body("x"), "Authorization: Bearer sk-1\r\nProxy-Authorization: Basic eA==\r\n", path));
    EXPECT_EQ(client.receive().status(), 200);
}

TEST(ChatServer, AnswersAfterItsLatency) {
    ChatServer server({.latency_ms = 30});
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(ask(server.port(), chat_body("x")).status(), 200);
    EXPECT_GE(std::chrono::steady_clock::now() - start, 30ms);
}

TEST(ChatServer, LimitOfRequestsInFlight) {
    const auto choose = [](const Json& body, int64_t) {
        return echo(body, 0) == "hold" ? std::optional(Fault::never) : std::nullopt;
    };
    ChatServer server({.choose = choose, .limit_in_flight = 2});
    {
        RawClient first(server.port()), second(server.port());
        first.send(post(chat_body("hold")));
        second.send(post(chat_body("hold")));
        ASSERT_TRUE(becomes_true([&] { return server.counts().in_flight == 2; }));
        EXPECT_EQ(ask(server.port(), chat_body("x")).status(), 429);
        EXPECT_EQ(server.counts().max_in_flight, 3);
    }
    EXPECT_TRUE(becomes_true([&] { return server.counts().in_flight == 0; }));  // they gave up
    EXPECT_EQ(ask(server.port(), chat_body("x")).status(), 200);
}

TEST(ChatServer, GoodAfterAtMostThreeTries) {
    ChatServer server({.faults = {{Fault::http_500, .3}, {Fault::null_content, .2}}, .answer = echo});
    RawClient client(server.port());
    int64_t faulty_first = 0, most = 0;
    for (int i = 0; i < 500; ++i) {
        int64_t tries = 0;
        RawReply reply;
        do {
            client.send(post(chat_body(std::to_string(i))));
            reply = client.receive();
            ++tries;
        } while (tries < 10 && (reply.status() != 200 || reply.json()["choices"][0]["message"]["content"].is_null()));
        faulty_first += tries > 1;
        most = std::max(most, tries);
    }
    EXPECT_EQ(most, 3);
    EXPECT_NEAR(static_cast<double>(faulty_first), 250, 40);
    EXPECT_TRUE(becomes_true([&] { return server.counts().answered.size() == 500; }));
    EXPECT_EQ(server.counts().asked.size(), 500U);
}

TEST(ChatServer, BoundOfFaults) {
    const auto tries = [](ChatServerOptions options) {
        ChatServer server(std::move(options));
        for (int i = 1; i <= 8; ++i)
            if (ask(server.port(), chat_body("x")).status() == 200) return i;
        return 0;
    };
    EXPECT_EQ(tries({.faults = {{Fault::http_500, 1}}}), 0);
    EXPECT_EQ(tries({.faults = {{Fault::http_500, 1}}, .max_faults = 4}), 5);
    const auto choose = [](const Json&, int64_t asked) { return asked < 6 ? std::optional(Fault::http_503) : std::nullopt; };
    EXPECT_EQ(tries({.choose = choose}), 7);
}

TEST(ChatServer, LogsEachRequest) {
    const TemporaryFolder folder;
    const std::string log = (folder.path() / "log").string();
    const std::string good = chat_body("good"), bad = chat_body("bad"), held = chat_body("held");
    const auto choose = [](const Json& body, int64_t) -> std::optional<Fault> {
        if (echo(body, 0) == "good") return std::nullopt;
        return echo(body, 0) == "bad" ? Fault::dropped : Fault::never;
    };
    {
        ChatServer server({.choose = choose, .log = log});
        EXPECT_EQ(ask(server.port(), good).status(), 200);
        EXPECT_EQ(ask(server.port(), good).status(), 200);
        EXPECT_EQ(ask(server.port(), bad).status(), 0);
        RawClient client(server.port());
        client.send(post(held));
        ASSERT_TRUE(becomes_true([&] { return server.counts().in_flight == 1; }));
    }
    std::vector<std::string> lines;
    JsonLinesReader reader(log);
    while (const auto row = reader.next()) {
        EXPECT_GT(row->at("at").get<double>(), 1.6e9);
        EXPECT_EQ(row->at("target"), "/v1/chat/completions");
        lines.push_back(row->at("body").get<std::string>() + " " + row->value("fault", Json()).dump() + " " +
                        row->at("good").dump() + " " + row->at("asked").dump());
    }
    EXPECT_THAT(lines, ElementsAre(body_hash(good) + " null true 0", body_hash(good) + " null true 1",
                                   body_hash(bad) + " \"dropped\" false 0", body_hash(held) + " \"never\" false 0"));
}

TEST(ChatServer, KeepsRequests) {
    ChatServer server({.keep_requests = true});
    ask(server.port(), chat_body("x"), "X-Team: Blue\r\n");
    const auto requests = server.requests();
    ASSERT_THAT(requests, SizeIs(1));
    EXPECT_EQ(requests[0].header("x-team"), "Blue");
    EXPECT_EQ(requests[0].body, chat_body("x"));
}

TEST(ChatServer, WhatATestsFunctionThrows) {
    ChatServer server(
        {.answer = [](const Json&, int64_t) -> std::string { throw std::runtime_error("no answer for this"); }});
    EXPECT_TRUE(ask(server.port(), chat_body("x")).is_closed);
    EXPECT_TRUE(
        becomes_true([&] { return message_of([&] { static_cast<void>(server.counts()); }) == "no answer for this"; }));
}

TEST(ChatServer, NamesAllProblems) {
    const std::string problems = message_of([] {
        ChatServer server(
            {.port = -1, .latency_ms = -1, .faults = {{Fault::html, .7}, {Fault::never, .7}}, .trickle_ms = 0});
    });
    for (const char* problem : {"port: expected 0 to 65535, got -1",
                                "latency_ms: ", "faults: expected shares that sum to at most 1", "trickle_ms: "})
        EXPECT_THAT(problems, HasSubstr(problem));
    ChatServer server;
    EXPECT_THAT(message_of([&] { ChatServer other({.port = server.port()}); }),
                HasSubstr("port " + std::to_string(server.port())));
    EXPECT_THAT(message_of([] { ChatServer other({.log = "/no/such/folder/log"}); }), HasSubstr("/no/such/folder/log"));
}

TEST(ChatServer, Stops) {
    ChatServer server;
    const int port = server.port();
    RawClient client(port);
    client.send(post(chat_body("x")));
    EXPECT_EQ(client.receive().status(), 200);
    server.stop();
    server.stop();
    EXPECT_TRUE(client.is_closed_within(20s));
    EXPECT_THAT(message_of([&] { RawClient other(port); }), HasSubstr("refused"));
    EXPECT_EQ(server.counts().good, 1);
}

}  // namespace
}  // namespace craft::chat_server
