#include "systems/hosted/hosted_system.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "core/log.h"
#include "core/signals.h"
#include "data/response_grammar.h"
#include "tests/systems/hosted/hosted_fixture.h"

namespace craft {
namespace {

using chat_server::ChatServer;
using chat_server::Fault;
using testing::HasSubstr;
using testing::Not;

TEST(HostedSystem, AnswersInOrderWithWhatTheyCost) {
    chat_server::ChatServerOptions options;
    options.answer = [](const Json& body, int64_t) { return "Re: " + body["messages"][0]["content"].get<std::string>(); };
    options.cached_tokens = 1;
    ChatServer server(options);
    HostedProfile profile = test_profile(server.base_url());
    profile.prices = {.input = 1e6, .output = 2e6, .cached_input = 0};  // USD a token: 1, 2, 0
    HostedSystem system(profile);
    const auto replies = system.answer(test_requests(30), {});
    for (size_t i = 0; i < 30; ++i) {
        EXPECT_EQ(replies[i].text, "Re: Question " + std::to_string(i));
        const Usage& usage = replies[i].usage;
        EXPECT_EQ(usage.cached_tokens, 1);
        EXPECT_DOUBLE_EQ(*usage.usd, static_cast<double>(usage.prompt_tokens - 1 + 2 * usage.new_tokens));
        EXPECT_GT(usage.seconds, 0);
        EXPECT_EQ(usage.retries, 0);
    }
    const HostedReport report = system.report();
    EXPECT_EQ(report.items, 30);
    EXPECT_EQ(report.requests, 30);
    EXPECT_EQ(report.models.at("test-model"), 30);
    EXPECT_DOUBLE_EQ(*report.usd, static_cast<double>(report.prompt_tokens - 30 + 2 * report.new_tokens));
    EXPECT_TRUE(system.answer({}, {}).empty());
    EXPECT_EQ(system.name(), "openai:test");
}

TEST(HostedSystem, ConstrainedAnswersNeedAServerThatTakesGrammars) {
    Json asked;
    chat_server::ChatServerOptions options;
    options.answer = [&](const Json& body, int64_t) {
        asked = body;
        return std::string("ok");
    };
    ChatServer server(options);
    HostedProfile profile = test_profile(server.base_url());
    const SamplingOptions constrained = {.constrain_calls = true};
    HostedSystem without(profile);
    EXPECT_NE(error_line(without, test_requests(1), constrained).find("openai.test.grammar"), std::string::npos);
    EXPECT_EQ(server.counts().requests, 0);
    profile.grammar = HostedGrammar::structured_outputs;
    HostedSystem with(profile);
    EXPECT_EQ(with.answer(test_requests(1), constrained).front().text, "ok");
    EXPECT_EQ(asked["structured_outputs"]["grammar"], response_gbnf());
    EXPECT_EQ(with.record(test_requests(1).front(), constrained)["structured_outputs"], asked["structured_outputs"]);
}

TEST(HostedSystem, ManyThreadsAtOnceOverKeptConnections) {
    ChatServer server({.latency_ms = 5});
    HostedProfile profile = test_profile(server.base_url());
    profile.concurrency = 16;
    HostedSystem system(profile);
    std::vector<std::thread> threads;
    for (int t = 0; t < 64; ++t)
        threads.emplace_back([&, t] {
            for (int round = 0; round < 3; ++round) {
                auto requests = test_requests(2);
                for (Request& request : requests)
                    request.conversation.messages[0]["content"] = "Thread " + std::to_string(t);
                for (const Reply& reply : system.answer(requests, {})) EXPECT_TRUE(reply.is_finished()) << reply.error;
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(server.counts().good, 64 * 3 * 2);
    EXPECT_LE(server.counts().max_in_flight, 16);
    EXPECT_LE(server.counts().connections, 16);
    EXPECT_EQ(system.report().max_concurrent, 16);
}

TEST(HostedSystem, ConcurrencyGrowsToWhatTheServerBears) {
    ChatServer server({.latency_ms = 5, .limit_in_flight = 20});
    HostedProfile profile = test_profile(server.base_url());
    profile.retries.max_retries = 20;
    HostedSystem system(profile);
    for (const Reply& reply : system.answer(test_requests(600), {})) EXPECT_TRUE(reply.is_finished()) << reply.error;
    EXPECT_GE(system.report().highest_concurrency, 16);
    EXPECT_LT(system.report().requests, 800) << "few are refused once the limit is found";
}

TEST(HostedSystem, RetryAfterIsObeyedAlsoAsADate) {
    for (const auto form : {chat_server::RetryAfter::seconds, chat_server::RetryAfter::date}) {
        chat_server::ChatServerOptions options = faulty(Fault::http_429);
        options.retry_after = form;
        options.retry_after_s = form == chat_server::RetryAfter::date ? 2 : 1;  // a date has whole seconds
        ChatServer server(options);
        HostedSystem system(test_profile(server.base_url()));
        const double begin = steady_seconds();
        EXPECT_TRUE(system.answer(test_requests(1), {}).front().is_finished());
        EXPECT_GE(steady_seconds() - begin, 0.9);
        EXPECT_EQ(server.counts().requests, 2);
    }
    chat_server::ChatServerOptions options = faulty(Fault::http_429);
    options.retry_after = chat_server::RetryAfter::seconds;
    options.retry_after_s = 1000;
    ChatServer server(options);
    HostedSystem system(test_profile(server.base_url()));
    EXPECT_EQ(system.answer(test_requests(1), {}).front().failure, Failure::rate_limited) << "longer than longest_asked";
}

TEST(HostedSystem, RetryAfterHoldsBackTheOtherRequestsToo) {
    chat_server::ChatServerOptions options;
    options.retry_after = chat_server::RetryAfter::seconds;
    options.choose = [](const Json& body, int64_t asked) {
        const bool first = asked == 0 && body["messages"][0]["content"] == "Question 0";
        return first ? std::optional(Fault::http_429) : std::optional<Fault>();
    };
    ChatServer server(options);
    HostedProfile profile = test_profile(server.base_url());
    profile.concurrency = 1;
    HostedSystem system(profile);
    const double begin = steady_seconds();
    double first_told = 0;
    system.answer_into(test_requests(3), {}, [&](const auto&, const auto&) {
        if (first_told == 0) first_told = steady_seconds() - begin;
    });
    EXPECT_GE(first_told, 0.9);
    EXPECT_EQ(server.counts().requests, 4);
}

TEST(HostedSystem, ATextEndsBeforeTheStopStringThatAServerLeavesIn) {
    ChatServer server({.answer = [](const Json& body, int64_t) {
        EXPECT_EQ(body["stop"], Json::array({"END"}));
        return "one END two";
    }});
    HostedSystem system(test_profile(server.base_url()));
    const Reply reply = system.answer(test_requests(1), {.stop = {"END"}}).front();
    EXPECT_EQ(reply.text, "one ");
    EXPECT_TRUE(reply.is_finished());
}

// A server that is started again with another model says so, and one that was not there when it was first asked.
TEST(HostedSystem, SaysWhatItsServersServe) {
    chat_server::ChatServerOptions options;
    options.model = "a.gguf";
    auto server = std::make_unique<ChatServer>(options);
    options.port = server->port();
    HostedProfile profile = test_profile(server->base_url());
    const std::string server_url = server->base_url();
    HostedSystem system(profile);
    const Json first = system.serving();
    EXPECT_EQ(first.dump(), R"({")" + server->base_url() + R"(":{"id":"a.gguf"}})");
    system.answer(test_requests(2), {});
    EXPECT_EQ(system.serving(), first);
    EXPECT_EQ(server->counts().requests, 3) << "asked once";
    server.reset();
    const Json silent = {{server_url, nullptr}};
    EXPECT_EQ(HostedSystem(profile).serving(), silent) << "nobody there";
    options.model = "b.gguf";
    HostedSystem early(profile);
    EXPECT_EQ(early.serving(), silent);
    server = std::make_unique<ChatServer>(options);
    EXPECT_EQ(early.serving(), silent) << "it is not asked again and again";
    system.answer(test_requests(1), {});
    EXPECT_EQ(system.serving().begin().value()["id"], "b.gguf") << "an answer has named another model";
    early.answer(test_requests(1), {});
    EXPECT_EQ(early.serving().begin().value()["id"], "b.gguf") << "an answer has come";
    profile.serves = "the one";
    EXPECT_TRUE(HostedSystem(profile).serving().is_null()) << "the profile says what they serve";
}

TEST(HostedSystem, TokensFarAboveTheLimitAreWarnedOfOnce) {
    ChatServer server({.answer = [](const Json&, int64_t) { return "w w w w w w w w w w"; }});
    HostedProfile profile = test_profile(server.base_url());
    profile.max_tokens_field = MaxTokensField::max_tokens;
    profile.extra_body = {{"max_tokens", 100}};  // the server sees another limit than the one that is asked for
    HostedSystem system(profile);
    testing::internal::CaptureStderr();
    system.answer(test_requests(3), {.max_new_tokens = 4});
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_THAT(said, HasSubstr("answers use far more tokens than the limit"));
    EXPECT_EQ(said.find("far more"), said.rfind("far more"));
    testing::internal::CaptureStderr();
    HostedSystem(profile).answer(test_requests(1), {.max_new_tokens = 9});
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "ten of nine are not far above";
}

// Rows and manifests have the name of a failure alone.
TEST(HostedSystem, TheFirstItemThatFailsInEachWaySaysWhy) {
    ChatServer server(faulty(Fault::http_404, 1000));
    HostedSystem system(test_profile(server.base_url()));
    testing::internal::CaptureStderr();
    system.answer(test_requests(9), {});
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_THAT(said, testing::HasSubstr("class=refused_request error=HTTP 404: The model"));
    EXPECT_EQ(said.find("HTTP 404"), said.rfind("HTTP 404")) << "once";
    EXPECT_THAT(said, HasSubstr("(asked: " + server.base_url() + "/chat/completions)")) << "the path may be what is wrong";
}

TEST(HostedSystem, SamplesAreOneRequestWhereNWorks) {
    auto requests = test_requests(2);
    std::vector<Request> samples;
    for (const Request& request : requests)
        for (uint64_t k = 0; k < 3; ++k) {
            samples.push_back(request);
            samples.back().sample = k;
        }
    ChatServer one_by_one, together, ignoring(faulty(Fault::n_ignored, 9));
    HostedSystem plain(test_profile(one_by_one.base_url()));
    plain.answer(samples, {.temperature = 1});
    EXPECT_EQ(one_by_one.counts().requests, 6);
    HostedProfile profile = test_profile(together.base_url());
    profile.supports_n = true;
    HostedSystem grouped(profile);
    for (const Reply& reply : grouped.answer(samples, {.temperature = 1})) EXPECT_TRUE(reply.is_finished());
    EXPECT_EQ(together.counts().requests, 2);
    profile.endpoints[0].base_url = ignoring.base_url();
    HostedSystem ignored(profile);
    for (const Reply& reply : ignored.answer(samples, {.temperature = 1})) EXPECT_TRUE(reply.is_finished());
    EXPECT_EQ(ignoring.counts().requests, 6) << "two that had one choice each, then the other four";
    EXPECT_EQ(ignored.report().items, 6);
}

TEST(HostedSystem, RequestsAMinuteAreHeldBack) {
    ChatServer server;
    HostedProfile profile = test_profile(server.base_url());
    profile.requests_per_minute = 1200;  // 12 at once, then (1201 - 12) / 60 a second
    HostedSystem system(profile);
    const double begin = steady_seconds();
    system.answer(test_requests(22), {});
    EXPECT_GE(steady_seconds() - begin, 10 / (1189 / 60.0) - 0.01);
}

TEST(HostedSystem, SeveralEndpointsShareTheWorkAndOneThatFailsIsSetAside) {
    ChatServer good({.latency_ms = 20}), other({.latency_ms = 20});
    chat_server::ChatServerOptions broken_options = faulty(Fault::http_500, 1000);
    ChatServer broken(broken_options);
    HostedProfile profile = test_profile(good.base_url());
    profile.endpoints = {{.base_url = good.base_url(), .weight = 3}, {.base_url = other.base_url(), .weight = 1}};
    profile.concurrency = 9;  // and 3 for the other
    HostedSystem both(profile);
    both.answer(test_requests(40), {});
    EXPECT_EQ(good.counts().requests + other.counts().requests, 40);
    EXPECT_GT(good.counts().requests, other.counts().requests);
    EXPECT_EQ(good.counts().max_in_flight, 9);
    EXPECT_EQ(other.counts().max_in_flight, 3);
    profile.concurrency = 0;
    profile.endpoints[1].base_url = broken.base_url();
    HostedSystem half(profile);
    for (const Reply& reply : half.answer(test_requests(100), {})) EXPECT_TRUE(reply.is_finished()) << reply.error;
    EXPECT_LE(broken.counts().requests, 12);
    EXPECT_GE(half.report().set_aside, 1);
}

TEST(HostedSystem, AnotherModelsNameIsReported) {
    ChatServer server(faulty(Fault::foreign_model));
    HostedSystem system(test_profile(server.base_url()));
    testing::internal::CaptureStderr();
    system.answer(test_requests(1), {});
    system.answer(test_requests(1), {});
    EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("the model that answers has changed"));
    EXPECT_EQ(system.report().models.size(), 2u);
}

TEST(HostedSystem, AMissingKeyIsAnErrorBeforeAnyWork) {
    ::unsetenv("CRAFT_TEST_NONE");
    HostedProfile profile = test_profile("http://127.0.0.1:9/v1");
    profile.endpoints[0].key_env = "CRAFT_TEST_NONE";
    profile.endpoints.push_back({.base_url = "http://127.0.0.1:9/v1", .key_file = "/nowhere/key"});
    try {
        HostedSystem system(profile);
        ADD_FAILURE();
    } catch (const UsageError& error) {
        EXPECT_EQ(error.problems().size(), 2u);
    }
}

TEST(HostedSystem, ARecordIsTheBodyAndDoesNotDependOnWhatWasLearnt) {
    ChatServer server(faulty(Fault::http_400_max_tokens, 9));
    HostedSystem system(test_profile(server.base_url()));
    const Request request = test_requests(1)[0];
    const Json before = system.record(request, {});
    system.answer({request}, {});
    EXPECT_EQ(system.record(request, {}), before);
    EXPECT_EQ(before["max_tokens"], 4096);
    EXPECT_EQ(before["messages"], request.conversation.messages);
    EXPECT_FALSE(before.contains("n"));
}

TEST(HostedSystem, ASinkThatThrowsLeavesNothingBehind) {
    ChatServer server({.latency_ms = 5});
    HostedSystem system(test_profile(server.base_url()));
    for (int i = 0; i < 3; ++i) {
        const auto requests = test_requests(50);  // gone as soon as the call is
        EXPECT_THROW(system.answer_into(requests, {}, [](const auto&, const auto&) { throw Error("disk full"); }), Error);
    }
    EXPECT_TRUE(system.answer(test_requests(1), {}).front().is_finished());
}

// A child that is stopped while its first eight answers are on their way: they still reach the sink.
TEST(HostedSystem, AStopSignalKeepsWhatIsOnItsWay) {
    ChatServer server({.latency_ms = 1500});
    const pid_t child = ::fork();
    if (child == 0) {
        install_signal_flags();
        int64_t told = 0;
        int code = 1;
        try {
            HostedProfile profile = test_profile(server.base_url());
            profile.grace = 10;
            HostedSystem system(profile);
            system.answer_into(test_requests(500), {},
                               [&](const auto& which, const auto&) { told += static_cast<int64_t>(which.size()); });
        } catch (const Stopped& stopped) {
            code = stopped.signal() == SIGTERM && told == 8 ? 0 : 2;
        } catch (...) {}
        ::_exit(code);
    }
    for (int i = 0; i < 4000 && server.counts().requests < 8; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ::kill(child, SIGTERM);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
    EXPECT_EQ(server.counts().requests, 8);
}

TEST(HostedSystem, AProxyWithAuthentication) {
    ChatServer proxy({.proxy_authorization = "Basic dXNlcjpwYXNz"});  // user:pass
    ::setenv("CRAFT_TEST_PROXY", "user:pass", 1);
    HostedProfile profile = test_profile("http://model.example/v1");
    profile.proxy = "http://127.0.0.1:" + std::to_string(proxy.port());
    profile.proxy_auth_env = "CRAFT_TEST_PROXY";
    HostedSystem system(profile);
    EXPECT_TRUE(system.answer(test_requests(1), {}).front().is_finished());
    ::setenv("CRAFT_TEST_PROXY", "user:wrong", 1);
    HostedSystem wrong(profile);
    EXPECT_THAT(error_line(wrong, test_requests(1), {}), HasSubstr("HTTP 407"));
}

}  // namespace
}  // namespace craft
