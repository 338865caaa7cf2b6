#include "systems/hosted/chat_reply.h"

#include <gtest/gtest.h>

#include "systems/hosted/http_refusal.h"

namespace craft {
namespace {

std::string completion(const std::string& message, const std::string& reason = "stop", int tokens = 5) {
    return R"({"model": "m-2", "choices": [{"index": 0, "message": )" + message + R"(, "finish_reason": ")" + reason +
           R"("}], "usage": {"prompt_tokens": 12, "completion_tokens": )" + std::to_string(tokens) +
           R"(, "prompt_tokens_details": {"cached_tokens": 8}}})";
}

Reply read(const std::string& bytes, int64_t limit = 100) {
    const ChatReply reply = read_chat_reply(bytes, {.max_new_tokens = limit});
    EXPECT_EQ(reply.choices.size(), 1u);
    return reply.choices.front();
}

TEST(ChatReply, AnAnswerWithItsUsageAndModel) {
    const ChatReply all = read_chat_reply(completion(R"({"content": "Good."})"), {.max_new_tokens = 100});
    EXPECT_EQ(all.model, "m-2");
    EXPECT_TRUE(all.has_usage);
    const Reply& reply = all.choices.front();
    EXPECT_EQ(reply.text, "Good.");
    EXPECT_TRUE(reply.is_finished());
    EXPECT_EQ(reply.usage.prompt_tokens, 12);
    EXPECT_EQ(reply.usage.cached_tokens, 8);
    EXPECT_EQ(reply.usage.new_tokens, 5);
    EXPECT_EQ(read(completion(R"({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]})")).text, "ab");
}

TEST(ChatReply, AtTheLimitItIsCutWhateverTheServerSays) {
    const std::string message = R"({"content": "x"})";
    EXPECT_EQ(read(completion(message, "length")).status, Reply::Status::cut);
    EXPECT_EQ(read(completion(message, "stop", 100)).status, Reply::Status::cut);
    EXPECT_EQ(read(completion(message, "stop", 99)).status, Reply::Status::finished);
    EXPECT_EQ(read(completion(message, "stop", 100), 0).status, Reply::Status::finished);
    EXPECT_EQ(read(completion(R"({"content": ""})", "length")).status, Reply::Status::cut);
    for (const char* reason : {"MAX_TOKENS", "max_tokens", "model_length"})
        EXPECT_EQ(read(completion(message, reason)).status, Reply::Status::cut) << reason;
    for (const char* reason : {"eos_token", "stop_sequence", "tool_calls", "STOP", ""})
        EXPECT_EQ(read(completion(message, reason)).status, Reply::Status::finished) << reason;
}

TEST(ChatReply, EveryUnusableAnswerHasItsClass) {
    const std::vector<std::pair<std::string, Failure>> cases = {
        {"", Failure::broken_reply},
        {"<html>Bad gateway</html>", Failure::not_json},
        {R"({"choices": [{"mess)", Failure::broken_reply},
        {"[1, 2]", Failure::broken_reply},
        {R"({"answer": "x"})", Failure::broken_reply},
        {R"({"choices": 3})", Failure::broken_reply},
        {R"({"choices": [7]})", Failure::broken_reply},
        {R"({"choices": []})", Failure::no_choices},
        {R"({"error": {"message": "overloaded"}})", Failure::error_in_reply},
        {R"({"error": "overloaded", "choices": []})", Failure::error_in_reply},
        {completion(R"({"content": null})"), Failure::no_content},
        {completion(R"({"content": ""})"), Failure::no_content},
        {completion(R"({"content": "  \n \t"})"), Failure::no_content},
        {completion(R"({"content": null, "tool_calls": [{"id": "1"}]})"), Failure::no_content},
        {completion(R"({"content": "half"})", "content_filter"), Failure::content_filtered},
        {completion(R"({"content": null, "refusal": "No."})"), Failure::declined},
        {completion("{\"content\": \"\xff\"}"), Failure::broken_reply},
        {completion("{\"content\": \"\u00a0\"}"), Failure::no_content},
        {completion(R"({"content": ""})", "SAFETY"), Failure::content_filtered},
        {completion(R"({"content": "half"})", "content_filter: RECITATION"), Failure::content_filtered},
        {completion(R"({"content": "half"})", "refusal"), Failure::declined},
        {completion(R"({"content": "half"})", "insufficient_system_resource"), Failure::error_in_reply},
        {completion(R"({"content": "half"})", "abort"), Failure::error_in_reply},
        {R"({"error": {"code": "content_filter", "message": "filtered"}})", Failure::content_filtered},
        {R"({"choices": [{"error": {"code": "content_filter", "message": "filtered"}}]})", Failure::content_filtered},
        {R"({"promptFeedback": {"blockReason": "SAFETY"}, "choices": []})", Failure::content_filtered},
        {"data: {\"choices\": [{\"delta\": {\"content\": \"a\"}}]}\n\ndata: [DONE]\n", Failure::not_json},
        {std::string(200, '['), Failure::broken_reply},
    };
    for (const auto& [bytes, failure] : cases) {
        const Reply reply = read(bytes);
        EXPECT_EQ(reply.status, Reply::Status::failed) << bytes;
        EXPECT_STREQ(failure_name(reply.failure), failure_name(failure)) << bytes;
        EXPECT_NE(reply.error, "") << bytes;
        EXPECT_EQ(reply.error.find('\n'), std::string::npos);
    }
}

TEST(ChatReply, ThinkingIsKeptApart) {
    const auto taken = [](std::string text, std::string reasoning = "") {
        take_thinking(text, reasoning);
        return std::pair(text, reasoning);
    };
    using Parts = std::pair<std::string, std::string>;
    EXPECT_EQ(taken("<think>\nhm\n</think>\n\nYes."), Parts("Yes.", "hm"));
    EXPECT_EQ(taken("hm</think>Yes."), Parts("Yes.", "hm")) << "the template had opened it";
    EXPECT_EQ(taken("<think>hm"), Parts("", "hm")) << "cut while it was thinking";
    EXPECT_EQ(taken("<think></think>Yes.", "before"), Parts("Yes.", "before"));
    EXPECT_EQ(taken("A <think>b</think> c"), Parts("A <think>b</think> c", "")) << "within a text it is text";
    const Reply reply = read(completion(R"({"content": "Yes.", "reasoning_content": "hm"})"));
    EXPECT_EQ(reply.text, "Yes.");
    EXPECT_EQ(reply.reasoning, "hm");
    EXPECT_EQ(read(completion(R"({"content": "<think>hm</think>"})")).failure, Failure::no_content);
    const Reply parts = read(completion(
        R"({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "Yes."}]})"));
    EXPECT_EQ(parts.text, "Yes.");
    EXPECT_EQ(parts.reasoning, "hm");
}

TEST(ChatReply, ChoicesStandByTheirIndexAndShareTheUsage) {
    const ChatReply reply = read_chat_reply(
        R"({"choices": [{"index": 1, "message": {"content": "b"}}, {"index": 0, "message": {"content": "a"}}],
            "usage": {"prompt_tokens": 7, "completion_tokens": 5}})",
        {.max_new_tokens = 100, .samples = 2});
    ASSERT_EQ(reply.choices.size(), 2u);
    EXPECT_EQ(reply.choices[0].text, "a");
    EXPECT_EQ(reply.choices[0].usage.new_tokens, 3);
    EXPECT_EQ(reply.choices[1].usage.new_tokens, 2);
    EXPECT_EQ(reply.choices[1].usage.prompt_tokens, 0);
}

TEST(ChatReply, ChoicesThatNobodyAskedForGoAndTheirCostStays) {
    const std::string two =
        R"({"choices": [{"index": 0, "message": {"content": "a"}}, {"index": 1, "message": {"content": "b"}}],
        "usage": {"prompt_tokens": 7, "completion_tokens": 15}})";
    const ChatReply reply = read_chat_reply(two, {.max_new_tokens = 10});
    ASSERT_EQ(reply.choices.size(), 1u);
    EXPECT_EQ(reply.choices[0].text, "a");
    EXPECT_TRUE(reply.choices[0].is_finished()) << "each has 8 tokens at most";
    EXPECT_EQ(reply.choices[0].usage.prompt_tokens, 7);
    EXPECT_EQ(reply.choices[0].usage.new_tokens, 15);
}

TEST(ChatReply, UsageThatCannotBeIsNotKnown) {
    const auto with_usage = [](const std::string& usage) {
        return read_chat_reply(R"({"choices": [{"message": {"content": "a"}}], "usage": )" + usage + "}", {});
    };
    EXPECT_TRUE(with_usage(R"({"prompt_tokens": 7, "completion_tokens": 5})").has_usage);
    EXPECT_TRUE(with_usage(R"({"prompt_tokens": 7})").has_usage);
    for (const char* absurd : {R"({"prompt_tokens": 1e300, "completion_tokens": 5})", R"({"prompt_tokens": -7})",
                               R"({"prompt_tokens": 7, "completion_tokens": 9223372036854775807})",
                               R"({"prompt_tokens": 7, "completion_tokens": "five"})", "{}", "null", "[]"})
        EXPECT_FALSE(with_usage(absurd).has_usage) << absurd;
}

TEST(ChatReply, BytesThatAreNoTextAreNotShown) {
    EXPECT_EQ(read("\x1f\x8b\x08 gzip").error, "no JSON:  ?  gzip") << "packed, without a header that says so";
}

TEST(ChatReply, AByteOrderMarkIsPassedOver) {
    EXPECT_EQ(read("\xef\xbb\xbf" + completion(R"({"content": "Good."})")).text, "Good.");
    EXPECT_EQ(read("\xef\xbb\xbf<html>").failure, Failure::not_json);
}

// A key of which the end is cut off would not be found any more.
TEST(ChatReply, KeysGoBeforeAnErrorIsCut) {
    const std::string key = "sk-" + std::string(400, 's');
    const Redactor redacted = [&](const std::string& text) {
        std::string shown = text;
        if (const size_t at = shown.find(key); at != std::string::npos) shown.replace(at, key.size(), "(key)");
        return shown;
    };
    const std::string words = std::string(193, 'x') + " " + key;
    const auto error = [&](const std::string& bytes) {
        return read_chat_reply(bytes, {.redacted = redacted}).choices.front().error;
    };
    const std::string fill(193 - 9, 'x');
    std::vector<std::string> seen = {error(words),
                                     error(R"({"error": {"message": ")" + words + "\"}}"),
                                     error("{\"error\": \"" + words + "\"}"),
                                     error(completion(R"({"content": null, "refusal": ")" + words + "\"}")),
                                     error("{\"words\":\"" + fill + " " + key + "\"}"),
                                     error("{\"choices\": [\"" + std::string(140, 'x') + " " + key)};
    for (const std::string& body : {words, R"({"error": {"message": ")" + words + "\"}}", "{\"detail\": \"" + words + "\"}"})
        for (const long status : {400L, 401L, 500L}) seen.push_back(read_http_refusal(status, body, redacted).error);
    for (const std::string& one : seen) EXPECT_EQ(one.find("sk-"), std::string::npos) << one;
}

// As OpenRouter and others pass a provider's failure on: in the choice, under HTTP 200.
TEST(ChatReply, AnErrorInsideAChoiceKeepsItsReason) {
    for (const char* choice : {R"({"error": {"code": 502, "message": "Provider overheated"}, "finish_reason": "error",
                                   "message": {"role": "assistant", "content": ""}})",
                               R"({"error": "Provider overheated"})",
                               R"({"message": {"content": "half an", "error": {"message": "Provider overheated"}}})"}) {
        const Reply reply = read_chat_document({{"choices", Json::array({Json::parse(choice)})}}, {}).choices.front();
        EXPECT_EQ(reply.failure, Failure::error_in_reply) << choice;
        EXPECT_EQ(reply.error, "Provider overheated") << choice;
    }
    const Json bare = Json::parse(R"({"choices": [{"finish_reason": "error", "message": {"content": "half an"}}]})");
    EXPECT_EQ(read_chat_document(bare, {}).choices.front().failure, Failure::error_in_reply);
    for (const char* none : {"null", "{}", "\"\"", "0", "false", R"({"code": 0, "message": ""})"}) {
        const Json whole = {{"error", Json::parse(none)},
                            {"choices", {{{"error", Json::parse(none)}, {"message", {{"content", "whole"}}}}}}};
        EXPECT_EQ(read_chat_document(whole, {}).choices.front().text, "whole") << none;
    }
}

// OpenRouter says a status within HTTP 200, a batch's line OpenAI's names.
TEST(ChatReply, AnErrorInPlaceOfChoicesMaySayItsStatus) {
    const auto status = [](const char* error) {
        return read_chat_document({{"error", Json::parse(error)}}, {}).error_status;
    };
    EXPECT_EQ(status(R"({"code": 429, "message": "slow down"})"), 429);
    EXPECT_EQ(status(R"({"code": "insufficient_quota"})"), 429);
    EXPECT_EQ(status(R"({"type": "invalid_request_error", "code": null})"), 400);
    EXPECT_EQ(status(R"({"type": "invalid_request_error", "code": "model_not_found"})"), 404);
    EXPECT_EQ(status(R"({"code": "request_timeout"})"), 408);
    for (const char* none : {R"({"code": 7})", R"({"code": "batch_expired"})", R"({"code": 4.2e300})", R"("overloaded")"})
        EXPECT_EQ(status(none), 0) << none;
}

TEST(ChatReply, TokensFarAboveTheLimitAreTold) {
    EXPECT_FALSE(is_far_above(64, 64));
    EXPECT_FALSE(is_far_above(128, 64)) << "a few more are counted by many servers";
    EXPECT_TRUE(is_far_above(129, 64));
    EXPECT_FALSE(is_far_above(1'000'000, 0)) << "no limit is known";
}

TEST(ChatReply, LogProbabilitiesAreAveraged) {
    const ChatReply reply = read_chat_reply(
        R"({"choices": [{"message": {"content": "ab"}, "logprobs": {"content": [{"logprob": -1.0}, {"logprob": -0.5}]}}]})",
        {.max_new_tokens = 9});
    EXPECT_DOUBLE_EQ(*reply.choices[0].mean_logprob, -0.75);
    EXPECT_FALSE(reply.has_usage);
}

TEST(CutAtStop, TheFirstOfTheStringsAndWhatIsBehindItGo) {
    Reply reply{.text = "one END two\nthree"};
    cut_at_stop(reply, {"", "\n", "END"});
    EXPECT_EQ(reply.text, "one ");
    EXPECT_TRUE(reply.is_finished());
    Reply beyond{.text = "one END two", .status = Reply::Status::cut};
    cut_at_stop(beyond, {"END"});
    EXPECT_TRUE(beyond.is_finished()) << "the server did not stop there";
    cut_at_stop(reply, {"three"});
    EXPECT_EQ(reply.text, "one ") << "a server that has cut itself";
    cut_at_stop(reply, {"one"});
    EXPECT_EQ(reply.failure, Failure::no_content);
    EXPECT_EQ(reply.status, Reply::Status::failed);
}

}  // namespace
}  // namespace craft
