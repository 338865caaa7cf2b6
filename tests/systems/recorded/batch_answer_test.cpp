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
    EXPECT_EQ(answer.unasked, "");
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, Json({{"choices", Json::array()}}));
}

TEST(BatchAnswer, ErrorsComeInThreePlaces) {
    const auto expect = [](const std::string& rest, int64_t status, const char* body, const std::string& unasked = "") {
        const BatchAnswer answer = read(R"({"custom_id":"k",)" + rest + "}");
        EXPECT_EQ(answer.status, status) << rest;
        EXPECT_EQ(answer.body.dump(), body) << rest;
        EXPECT_EQ(answer.unasked, unasked) << rest;
    };
    expect(R"("response":null,"error":{"code":"batch_expired","message":"too late"})", 0,
           R"({"error":{"code":"batch_expired","message":"too late"}})", "expired");
    expect(R"("response":null,"error":{"code":"batch_cancelled"})", 0, R"({"error":{"code":"batch_cancelled"}})",
           "cancelled");
    expect(R"("response":null,"error":"no model")", 0, R"({"error":"no model"})");
    expect(R"("response":null,"error":{"message":"bad","code":400})", 0, R"({"error":{"message":"bad","code":400}})");
    expect(R"("response":{"status_code":400,"body":{"error":{"message":"bad"}}})", 400, R"({"error":{"message":"bad"}})");
    expect(R"("response":{"status_code":400,"body":null},"error":{"message":"bad"})", 400, R"({"error":{"message":"bad"}})");
    expect(R"("response":{"status_code":400,"body":{"error":{"code":"content_filter"}}},"error":{"message":"bad"})", 400,
           R"({"error":{"code":"content_filter"}})");
    expect(R"("response":{"status_code":502,"body":"<html>"})", 502, R"({"error":"<html>"})");
    expect(R"("response":{"status_code":504})", 504, "{}");
    expect(R"("response":{"status_code":200,"body":{}},"error":{"message":"x"})", 200, R"({"error":{"message":"x"}})");
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
