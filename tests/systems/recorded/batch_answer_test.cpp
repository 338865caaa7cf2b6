#include "systems/recorded/batch_answer.h"

#include <gtest/gtest.h>

#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

BatchAnswer read(const std::string& line) {
    return batch_answer(parse_json(line, "line"), "f:1");
}

TEST(BatchAnswer, ReadsWhatTheBatchApiAndVllmWrite) {
    const BatchAnswer answer = read(
        R"({"id":"vllm-1","custom_id":"k-001","response":{"status_code":200,"request_id":"r","body":{"choices":[]}},"error":null})");
    EXPECT_EQ(answer.custom_id, "k-001");
    EXPECT_EQ(answer.kind, BatchAnswer::Kind::answered);
    EXPECT_EQ(answer.body, Json({{"choices", Json::array()}}));
}

TEST(BatchAnswer, EachFailureHasItsClass) {
    using Kind = BatchAnswer::Kind;
    const auto expect = [](const std::string& rest, Kind kind, const std::string& failure, const std::string& error) {
        const BatchAnswer answer = read(R"({"custom_id":"k",)" + rest + "}");
        EXPECT_EQ(answer.kind, kind) << rest;
        EXPECT_EQ(answer.failure, failure) << rest;
        EXPECT_EQ(answer.error, error) << rest;
    };
    expect(R"("response":null,"error":{"code":"batch_expired","message":"too late"})", Kind::unasked, "expired", "too late");
    expect(R"("response":null,"error":{"code":"batch_cancelled"})", Kind::unasked, "cancelled", "batch_cancelled");
    expect(R"("response":null,"error":"no model")", Kind::failed, "server_error", "no model");
    expect(R"("response":{"status_code":400,"body":{"error":{"message":"bad\nvalue"}}})", Kind::failed, "refused_request",
           "bad value");
    expect(R"("response":{"status_code":429,"body":{}})", Kind::failed, "rate_limited", "HTTP 429");
    expect(R"("response":{"status_code":503,"body":null})", Kind::failed, "server_error", "HTTP 503");
    expect(R"("response":{"status_code":504})", Kind::failed, "timed_out", "HTTP 504");
    expect(R"("response":{"status_code":200,"body":{}},"error":{"message":"x"})", Kind::failed, "refused_request", "x");
}

TEST(BatchAnswer, WhatIsNoAnswerIsOneLine) {
    const auto failure = [](const std::string& line) { return message_of([&] { read(line); }); };
    EXPECT_EQ(failure(R"({"response":{}})"), "f:1: field 'custom_id': expected a string, got none");
    EXPECT_EQ(failure(R"({"custom_id":""})"), "f:1: field 'custom_id': expected an id, got an empty text");
    EXPECT_EQ(failure(R"({"custom_id":"k"})"), "f:1: expected a response or an error, got neither");
    EXPECT_EQ(failure(R"({"custom_id":"k","response":[]})"), "f:1: field 'response': expected an object or null, got array");
    EXPECT_EQ(failure(R"({"custom_id":"k","response":{"status_code":"200"}})"),
              "f:1: field 'response.status_code': expected a status from 100 to 599, got \"200\"");
    EXPECT_EQ(failure(R"({"custom_id":"k","response":{"status_code":200,"body":"x"}})"),
              "f:1: field 'response.body': expected an object, got string");
}

}  // namespace
}  // namespace craft
