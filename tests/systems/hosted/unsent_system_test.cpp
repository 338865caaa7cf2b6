// What a hosted system is without a server: bodies for files, and answers from files.
#include "systems/hosted/unsent_system.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/systems/hosted/hosted_fixture.h"

namespace craft {
namespace {

HostedProfile priced_profile() {
    HostedProfile profile = test_profile("http://127.0.0.1:9/v1");
    profile.seed = 7;
    profile.prices = {.input = 2, .output = 10};
    return profile;
}

TEST(UnsentSystem, RecordsAsTheSystemThatAsksDoes) {
    UnsentSystem unsent(priced_profile());
    HostedSystem hosted(priced_profile());
    Request request = test_requests(1)[0];
    request.sample = 3;
    EXPECT_EQ(unsent.record(request, {}), hosted.record(request, {}));
    EXPECT_EQ(unsent.name(), hosted.name());
}

// A batch that sent the record for every sample would get the same answer for each of them.
TEST(UnsentSystem, SamplesAreAskedWithSeedsOfTheirOwn) {
    const UnsentSystem unsent(priced_profile());
    Request request = test_requests(1)[0];
    request.sample = 3;
    EXPECT_EQ(unsent.body(request, {})["seed"], 10);
    EXPECT_EQ(unsent.record(request, {})["seed"], 7);
}

// 1000 tokens of 2 USD a million and 100 of 10: .002 + .001.
TEST(UnsentSystem, AnswersHaveTheirPrice) {
    const UnsentSystem unsent(priced_profile());
    Json completion = {{"choices", {{{"index", 0}, {"finish_reason", "stop"}, {"message", {{"content", "Good."}}}}}},
                       {"usage", {{"prompt_tokens", 1000}, {"completion_tokens", 100}}}};
    const Reply reply = unsent.reply(completion);
    EXPECT_EQ(reply.text, "Good.");
    ASSERT_TRUE(reply.usage.usd);
    EXPECT_NEAR(*reply.usage.usd, .003, 1e-12);
    completion.erase("usage");
    EXPECT_FALSE(unsent.reply(completion).usage.usd) << "a price that nobody knows is none";
    EXPECT_EQ(unsent.reply(Json::object()).status, Reply::Status::failed);
}

TEST(UnsentSystem, CannotAnswer) {
    UnsentSystem unsent(priced_profile());
    EXPECT_THROW(unsent.answer(test_requests(1), {}), Error);
}

}  // namespace
}  // namespace craft
