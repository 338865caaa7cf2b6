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

FileReply read_of(const HostedProfile& profile, int64_t status, const Json& sent, const SamplingOptions& sampling = {}) {
    const UnsentSystem unsent(profile);
    return unsent.read(status, sent, unsent.record(test_requests(1)[0], sampling).dump());
}

Json completed_with(const std::string& text, int64_t tokens = 100, const std::string& reason = "stop") {
    return {{"choices", {{{"index", 0}, {"finish_reason", reason}, {"message", {{"content", text}}}}}},
            {"usage", {{"prompt_tokens", 1000}, {"completion_tokens", tokens}}}};
}

Json refused_with(const std::string& message) {
    return {{"error", {{"message", message}}}};
}

using Next = FileReply::Next;

// 1000 tokens of 2 USD a million and 100 of 10: .002 + .001.
TEST(UnsentSystem, AnswersHaveTheirPrice) {
    Json completion = completed_with("Good.");
    const FileReply read = read_of(priced_profile(), 200, completion);
    EXPECT_EQ(read.reply.text, "Good.");
    EXPECT_EQ(read.next, Next::end);
    ASSERT_TRUE(read.reply.usage.usd);
    EXPECT_NEAR(*read.reply.usage.usd, .003, 1e-12);
    completion.erase("usage");
    EXPECT_FALSE(read_of(priced_profile(), 200, completion).reply.usage.usd) << "a price that nobody knows is none";
}

TEST(UnsentSystem, ReadsAsTheSystemThatAsksDoes) {
    const HostedProfile profile = priced_profile();
    EXPECT_EQ(read_of(profile, 200, completed_with("one END two"), {.stop = {"END"}}).reply.text, "one ");
    EXPECT_EQ(read_of(profile, 200, completed_with("cut", 8), {.max_new_tokens = 8}).reply.status, Reply::Status::cut)
        << "at the limit it is cut, whatever the server says";
    EXPECT_NE(read_of(profile, 200, completed_with("long", 100), {.max_new_tokens = 8}).warning, "");
    EXPECT_EQ(read_of(profile, 200, completed_with("long", 9), {.max_new_tokens = 8}).warning, "");
}

TEST(UnsentSystem, BatchFilesOfTheOldFormAreWarnedOf) {
    const UnsentSystem unsent(priced_profile());
    Json record = unsent.record(test_requests(1)[0], {});
    record["messages"][0]["content"] = "What is \"asked_of\":?";
    EXPECT_EQ(unsent.read(200, completed_with("x"), record.dump()).warning, "");
    record.erase("asked_of");
    EXPECT_THAT(unsent.read(200, completed_with("x"), record.dump()).warning, testing::HasSubstr("of an older version"));
}

TEST(UnsentSystem, FailuresAreFinalWhereTheyAreInLiveAnswers) {
    const HostedProfile profile = priced_profile();
    const auto expect = [&](int64_t status, const Json& sent, Failure failure, Next next) {
        const FileReply read = read_of(profile, status, sent);
        EXPECT_STREQ(failure_name(read.reply.failure), failure_name(failure)) << sent.dump();
        EXPECT_EQ(read.next, next) << sent.dump();
    };
    expect(200, completed_with("", 0, "content_filter"), Failure::content_filtered, Next::end);
    expect(200, {{"choices", {{{"message", {{"refusal", "No."}, {"content", nullptr}}}}}}}, Failure::declined, Next::end);
    expect(200, completed_with(""), Failure::no_content, Next::again);
    expect(200, {{"choices", Json::array()}}, Failure::no_choices, Next::again);
    expect(0, refused_with("no model"), Failure::error_in_reply, Next::again);
    const auto coded = [](const Json& code) { return Json({{"error", {{"code", code}, {"message", "why"}}}}); };
    expect(0, coded("batch_expired"), Failure::error_in_reply, Next::again);
    expect(0, coded("request_timeout"), Failure::timed_out, Next::again);
    expect(0, coded("content_filter"), Failure::content_filtered, Next::end);
    expect(0, coded("insufficient_quota"), Failure::rate_limited, Next::end_run_again);
    expect(0, coded("context_length_exceeded"), Failure::prompt_too_long, Next::end);
    expect(0, coded(503), Failure::server_error, Next::again);
    expect(200, coded(401), Failure::refused_request, Next::end_run_again);
    expect(400, coded("content_filter"), Failure::content_filtered, Next::end);
    expect(500, refused_with("overloaded"), Failure::server_error, Next::again);
    expect(429, refused_with("slow down"), Failure::rate_limited, Next::again);
    expect(404, refused_with("no such model"), Failure::refused_request, Next::end);
    expect(400, refused_with("bad value"), Failure::refused_request, Next::end);
    expect(400, refused_with("This model's maximum context length is 8 tokens."), Failure::prompt_too_long, Next::end);
    expect(400, refused_with("unsupported parameter: max_tokens"), Failure::refused_request, Next::learn);
    expect(400, refused_with("unsupported parameter: temperature"), Failure::refused_request, Next::end_run);
    expect(401, refused_with("wrong key"), Failure::refused_request, Next::end_run_again);
}

TEST(UnsentSystem, WhatEndsTheRunSaysWhatToChange) {
    HostedProfile profile = priced_profile();
    EXPECT_EQ(read_of(profile, 400, refused_with("unsupported parameter: temperature")).ending,
              "openai.test.omit: expected a request that the server takes, got HTTP 400: unsupported parameter: temperature "
              "(\"omit\": [\"temperature\"] omits it)");
    profile.max_tokens_field = MaxTokensField::max_tokens;
    const FileReply fixed = read_of(profile, 400, refused_with("unsupported parameter: max_tokens"));
    EXPECT_EQ(fixed.next, Next::end_run) << "a name that a user has chosen is final";
    EXPECT_THAT(fixed.ending, testing::HasSubstr("openai.test.max_tokens_field"));
    const UnsentSystem unsent(priced_profile());
    EXPECT_TRUE(unsent.body(test_requests(1)[0], {}, true).contains("max_completion_tokens"));
    EXPECT_TRUE(unsent.body(test_requests(1)[0], {}).contains("max_tokens"));
}

TEST(UnsentSystem, CannotAnswer) {
    UnsentSystem unsent(priced_profile());
    EXPECT_THROW(unsent.answer(test_requests(1), {}), Error);
}

}  // namespace
}  // namespace craft
