// What a hosted system does within a budget, and what answers cost that had to be asked for again.
#include <gmock/gmock.h>

#include "tests/systems/hosted/hosted_fixture.h"

namespace craft {
namespace {

using chat_server::ChatServer;
using chat_server::Fault;
using testing::HasSubstr;

TEST(HostedBudget, ItEndsCleanlyAndKeepsWhatThereIs) {
    ChatServer server;
    HostedProfile profile = test_profile(server.base_url());
    profile.budget.requests = 7;
    HostedSystem system(profile);
    const auto replies = system.answer(test_requests(20), {});
    int64_t answered = 0, unasked = 0;
    for (const Reply& reply : replies) {
        answered += reply.is_finished() ? 1 : 0;
        unasked += reply.failure == Failure::over_budget ? 1 : 0;
    }
    EXPECT_EQ(answered, 7);
    EXPECT_EQ(unasked, 13);
    EXPECT_EQ(server.counts().requests, 7);
    EXPECT_EQ(system.report().over_budget, 13);
}

// It has no answer, so that a larger budget asks for it again.
TEST(HostedBudget, WhatWouldBeAskedForAgainIsLeftToALargerOne) {
    ChatServer server(faulty(Fault::http_500, 3));
    HostedProfile profile = test_profile(server.base_url());
    profile.budget.requests = 2;
    {
        HostedSystem system(profile);
        const Reply reply = system.answer(test_requests(1), {}).front();
        EXPECT_EQ(reply.failure, Failure::over_budget);
        EXPECT_EQ(
            reply.error,
            "openai.test.budget.requests: expected room for one more request, got all 2 sent (a larger budget.requests)");
        EXPECT_EQ(reply.usage.retries, 1);
        EXPECT_EQ(system.report().over_budget, 1);
        EXPECT_EQ(system.report().items, 0);
        EXPECT_EQ(system.report().failed_requests.at("server_error"), 2);
    }
    profile.budget.requests = 10;
    HostedSystem larger(profile);
    EXPECT_TRUE(larger.answer(test_requests(1), {}).front().is_finished());
}

TEST(HostedBudget, LessThanOneRequestMayCostIsSaidSo) {
    ChatServer server;
    HostedProfile profile = test_profile(server.base_url());
    profile.prices = {.input = 0, .output = 1000};
    profile.budget.usd = 0.5;
    HostedSystem system(profile);
    testing::internal::CaptureStderr();
    const Reply reply = system.answer(test_requests(1), {.max_new_tokens = 600}).front();
    EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("the budget allows no further requests"));
    EXPECT_THAT(reply.error, HasSubstr("openai.test.budget.usd: expected room for a request that may cost 0.6 USD, got 0.5 "
                                       "USD left of 0.5 (a larger budget.usd, or a smaller max_new_tokens"));
    EXPECT_EQ(server.counts().requests, 0);
    EXPECT_TRUE(system.answer(test_requests(1), {.max_new_tokens = 400}).front().is_finished());
}

// An answer without a text is asked for again; both are in the cost of the reply.
TEST(HostedBudget, TokensOfAnswersThatCouldNotBeUsedAreCounted) {
    for (const bool supports_n : {false, true}) {
        chat_server::ChatServerOptions options = faulty(Fault::empty_content);
        options.cached_tokens = 1;
        ChatServer server(options);
        HostedProfile profile = test_profile(server.base_url());
        profile.prices = {.input = 1e6, .output = 2e6, .cached_input = 0};
        profile.supports_n = supports_n;
        HostedSystem system(profile);
        std::vector<Request> requests(2, test_requests(1).front());
        requests[1].sample = 1;
        Usage sum;
        sum.usd = 0;
        for (const Reply& reply : system.answer(requests, {.temperature = 1})) {
            EXPECT_TRUE(reply.is_finished()) << reply.error;
            sum.prompt_tokens += reply.usage.prompt_tokens;
            sum.cached_tokens += reply.usage.cached_tokens;
            sum.new_tokens += reply.usage.new_tokens;
            *sum.usd += reply.usage.usd.value_or(0);
        }
        const HostedReport report = system.report();
        EXPECT_GE(report.retries, 1);
        EXPECT_EQ(sum.prompt_tokens, report.prompt_tokens) << supports_n;
        EXPECT_EQ(sum.cached_tokens, report.cached_tokens) << supports_n;
        EXPECT_EQ(sum.new_tokens, report.new_tokens) << supports_n;
        EXPECT_DOUBLE_EQ(*sum.usd, *report.usd) << supports_n;
    }
}

}  // namespace
}  // namespace craft
