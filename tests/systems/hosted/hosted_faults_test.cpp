// Each fault of the test server, by name, and what becomes of it.
#include <gmock/gmock.h>

#include "systems/hosted/error_watch.h"
#include "tests/systems/hosted/hosted_fixture.h"

namespace craft {
namespace {

using chat_server::ChatServer;
using chat_server::Fault;
using testing::HasSubstr;

struct FaultCase {
    Fault fault;
    Failure failure;
};

class FailureOfFault : public ::testing::TestWithParam<FaultCase> {};

// One request without retries: its class. Then, where another request may help, one retry: its answer.
TEST_P(FailureOfFault, HasItsClassAndIsAskedAgainOnlyWhereThatHelps) {
    const auto [fault, failure] = GetParam();
    chat_server::ChatServerOptions options = faulty(fault);
    options.huge_bytes = 40 << 20;
    ChatServer server(options);
    const bool waits = failure == Failure::timed_out;
    HostedProfile profile = waits ? impatient_profile(server.base_url()) : test_profile(server.base_url());
    profile.retries.max_retries = 0;
    const auto requests = test_requests(1);
    Reply once;
    {
        HostedSystem system(profile);
        once = system.answer(requests, {}).front();
        EXPECT_EQ(system.report().failed_requests.at(failure_name(failure)), 1);
        EXPECT_EQ(system.report().failed_items.at(failure_name(failure)), 1);
    }
    EXPECT_EQ(once.status, Reply::Status::failed);
    EXPECT_STREQ(failure_name(once.failure), failure_name(failure)) << once.error;
    EXPECT_NE(once.error, "");
    EXPECT_EQ(once.error.find('\n'), std::string::npos);

    if (fault == Fault::huge) return;
    ChatServer again(faulty(fault));
    profile.endpoints[0].base_url = again.base_url();
    profile.retries.max_retries = 1;
    HostedSystem system(profile);
    const Reply reply = system.answer(requests, {}).front();
    EXPECT_EQ(reply.is_finished(), may_be_repeated(failure)) << reply.error;
    EXPECT_EQ(reply.usage.retries, may_be_repeated(failure) ? 1 : 0);
    EXPECT_EQ(again.counts().asked.size(), 1u);
    EXPECT_LE(again.counts().requests, 2);
}

INSTANTIATE_TEST_SUITE_P(
    Hosted, FailureOfFault,
    ::testing::Values(
        FaultCase{Fault::http_429, Failure::rate_limited}, FaultCase{Fault::http_500, Failure::server_error},
        FaultCase{Fault::http_503, Failure::server_error}, FaultCase{Fault::http_400_window, Failure::prompt_too_long},
        FaultCase{Fault::http_400_window_vllm, Failure::prompt_too_long},
        FaultCase{Fault::http_404, Failure::refused_request}, FaultCase{Fault::truncated, Failure::broken_reply},
        FaultCase{Fault::cut_json, Failure::broken_reply}, FaultCase{Fault::dropped, Failure::dropped},
        FaultCase{Fault::never, Failure::timed_out}, FaultCase{Fault::slow_body, Failure::timed_out},
        FaultCase{Fault::huge, Failure::broken_reply}, FaultCase{Fault::bad_utf8, Failure::broken_reply},
        FaultCase{Fault::html, Failure::not_json}, FaultCase{Fault::html_502, Failure::server_error},
        FaultCase{Fault::wrong_json, Failure::broken_reply}, FaultCase{Fault::redirect_other_host, Failure::redirected},
        FaultCase{Fault::error_in_200, Failure::server_error}, FaultCase{Fault::no_choices, Failure::no_choices},
        FaultCase{Fault::null_content, Failure::no_content}, FaultCase{Fault::empty_content, Failure::no_content},
        FaultCase{Fault::content_filter, Failure::content_filtered}, FaultCase{Fault::refusal, Failure::declined}),
    [](const auto& tested) { return chat_server::fault_name(tested.param.fault); });

Reply answer_with(Fault fault, const SamplingOptions& sampling = {}) {
    ChatServer server(faulty(fault));
    HostedSystem system(test_profile(server.base_url()));
    return system.answer(test_requests(1), sampling).front();
}

TEST(HostedFaults, OddAnswersThatAreAnswers) {
    EXPECT_TRUE(answer_with(Fault::chunked).is_finished());
    EXPECT_TRUE(answer_with(Fault::redirect_same_host).is_finished());
    EXPECT_EQ(answer_with(Fault::length).status, Reply::Status::cut);
    EXPECT_EQ(answer_with(Fault::stop_at_limit, {.max_new_tokens = 64}).status, Reply::Status::cut);
    for (const Fault fault : {Fault::reasoning, Fault::think}) {
        const Reply reply = answer_with(fault);
        EXPECT_TRUE(reply.is_finished());
        EXPECT_NE(reply.reasoning, "");
        EXPECT_EQ(reply.text.find("think>"), std::string::npos);
    }
}

TEST(HostedFaults, TheFirstByteHasATimeOfItsOwn) {
    ChatServer server(faulty(Fault::never));
    HostedProfile profile = test_profile(server.base_url());
    profile.timeouts.first_byte = 0.2;
    profile.retries.max_retries = 0;
    HostedSystem system(profile);
    EXPECT_EQ(system.answer(test_requests(1), {}).front().error, "no byte within 0.2 s");
}

TEST(HostedFaults, ARedirectToAnotherHostIsNotFollowed) {
    ChatServer server(faulty(Fault::redirect_other_host));
    HostedSystem system(test_profile(server.base_url()));
    EXPECT_EQ(system.answer(test_requests(1), {}).front().failure, Failure::redirected);
    EXPECT_EQ(server.counts().redirected, 0);
    EXPECT_EQ(server.counts().requests, 1);
}

TEST(HostedFaults, ARedirectThatIsNotFollowedSaysWhereToAndWhatIsFollowed) {
    ChatServer elsewhere(faulty(Fault::redirect_other_host));
    HostedSystem system(test_profile(elsewhere.base_url()));
    EXPECT_EQ(system.answer(test_requests(1), {}).front().error,
              "HTTP 307 to http://localhost:" + std::to_string(elsewhere.port()) +
                  ": expected an answer, or another path of the same scheme, host and port");
    ChatServer loop(faulty(Fault::redirect_loop, 100));
    HostedSystem round(test_profile(loop.base_url()));
    EXPECT_THAT(round.answer(test_requests(1), {}).front().error, HasSubstr("at most 3 redirects in a row"));
    EXPECT_EQ(loop.counts().requests, 4);
    EXPECT_EQ(loop.counts().requests, round.report().requests);
}

TEST(HostedFaults, WhatNoFurtherRequestChangesEndsTheRun) {
    const std::vector<std::pair<Fault, const char*>> cases = {
        {Fault::http_401, "HTTP 401"},
        {Fault::http_403, "HTTP 403"},
        {Fault::http_429_quota, "HTTP 429"},
        {Fault::http_400_temperature, "\"omit\": [\"temperature\"]"},
    };
    for (const auto& [fault, named] : cases) {
        ChatServer server(faulty(fault, 100));
        HostedProfile profile = test_profile(server.base_url());
        HostedSystem system(profile);
        EXPECT_THAT(error_line(system, test_requests(40), {}), HasSubstr(named));
        EXPECT_LE(server.counts().requests, 8) << "no more than the first ones, which were sent at once";
        const int64_t requests = server.counts().requests;
        EXPECT_THAT(error_line(system, test_requests(1), {}), HasSubstr(named)) << "and no later call asks again";
        EXPECT_EQ(server.counts().requests, requests);
    }
}

TEST(HostedFaults, TheLimitsOtherNameIsLearntOnce) {
    ChatServer server(faulty(Fault::http_400_max_tokens, 100));
    HostedProfile profile = test_profile(server.base_url());
    profile.retries.max_retries = 0;
    HostedSystem system(profile);
    for (const Reply& reply : system.answer(test_requests(60), {})) EXPECT_TRUE(reply.is_finished()) << reply.error;
    EXPECT_LE(server.counts().of(Fault::http_400_max_tokens), 8);
    const int64_t refused = server.counts().of(Fault::http_400_max_tokens);
    system.answer(test_requests(5), {.max_new_tokens = 7});
    EXPECT_EQ(server.counts().of(Fault::http_400_max_tokens), refused);

    profile.max_tokens_field = MaxTokensField::max_tokens;
    HostedSystem fixed(profile);
    EXPECT_THAT(error_line(fixed, test_requests(3), {}), HasSubstr("openai.test.max_tokens_field: "));
}

TEST(HostedFaults, NoRetryStorm) {
    ChatServer server(faulty(Fault::http_500, 1000));
    HostedProfile profile = test_profile(server.base_url());
    profile.retries.max_retries = 3;
    HostedSystem system(profile);
    for (const Reply& reply : system.answer(test_requests(10), {})) EXPECT_EQ(reply.failure, Failure::server_error);
    EXPECT_EQ(server.counts().requests, 40);
    EXPECT_EQ(system.report().requests, 40);
    EXPECT_EQ(system.report().retries, 30);
}

// A connection that was kept and breaks: libcurl may send once more by itself, and never again and again.
TEST(HostedFaults, KeptConnectionsThatBreakMakeNoStorm) {
    chat_server::ChatServerOptions options;
    options.choose = [](const Json& body, int64_t) -> std::optional<Fault> {
        const bool good = body["messages"][0]["content"] == "warm";
        return good ? std::optional<Fault>() : Fault::dropped;
    };
    options.latency_ms = 20;
    ChatServer server(options);
    HostedProfile profile = test_profile(server.base_url());
    profile.concurrency = 8;
    profile.retries.max_retries = 0;
    HostedSystem system(profile);
    auto warm = test_requests(8);
    for (Request& request : warm) request.conversation.messages[0]["content"] = "warm";
    system.answer(warm, {});
    EXPECT_EQ(system.answer(test_requests(1), {}).front().failure, Failure::dropped);
    EXPECT_LE(server.counts().requests, 10);
    EXPECT_EQ(system.report().requests, server.counts().requests);
}

TEST(HostedFaults, TooManyFailuresEndTheRun) {
    ChatServer server(faulty(Fault::http_404, 1000));
    HostedProfile profile = test_profile(server.base_url());
    profile.error_rate = {.share = 0.5, .window = 10};
    HostedSystem system(profile);
    int64_t told = 0;
    try {
        system.answer_into(test_requests(200), {},
                           [&](const auto& which, const auto&) { told += static_cast<int64_t>(which.size()); });
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("of the last 10 items failed, the last one with: HTTP 404"));
    }
    EXPECT_GE(told, 10);
    EXPECT_LT(server.counts().requests, 60);
    EXPECT_EQ(system.report().unanswered, 200 - told);
}

TEST(HostedFaults, AMixtureIsAnsweredOnceEach) {
    ChatServer server({.faults = {{Fault::http_429, .2},
                                  {Fault::http_500, .1},
                                  {Fault::truncated, .05},
                                  {Fault::dropped, .05},
                                  {Fault::never, .02},
                                  {Fault::html, .01},
                                  {Fault::null_content, .01}},
                       .seed = 3});
    HostedSystem system(impatient_profile(server.base_url()));
    std::vector<int> told(300);
    const auto replies = system.answer_into(test_requests(300), {}, [&](const auto& which, const auto& come) {
        for (size_t i = 0; i < which.size(); ++i) {
            ++told[which[i]];
            EXPECT_TRUE(come[i].is_finished()) << come[i].error;
        }
    });
    server.stop();  // it counts what it has written after the client's back
    EXPECT_EQ(told, std::vector<int>(300, 1));
    for (const Reply& reply : replies) EXPECT_TRUE(reply.is_finished()) << reply.error;
    EXPECT_EQ(server.counts().answered.size(), 300u);
    for (const auto& [body, times] : server.counts().answered) EXPECT_EQ(times, 1) << body;
    const HostedReport report = system.report();
    EXPECT_EQ(report.items, 300);
    EXPECT_EQ(report.requests, 300 + report.retries);
    EXPECT_EQ(report.requests, server.counts().requests) << "what libcurl sent again by itself is counted, too";
    EXPECT_GE(report.failed_requests.at("rate_limited"), 40);
    EXPECT_GE(report.refusals, 1);
    EXPECT_LT(report.requests, 600);
}

}  // namespace
}  // namespace craft
