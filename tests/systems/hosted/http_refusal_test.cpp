#include "systems/hosted/http_refusal.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace craft {
namespace {

TEST(HttpRefusal, StatusesHaveTheirClasses) {
    EXPECT_EQ(read_http_refusal(429, "{}").failure, Failure::rate_limited);
    EXPECT_EQ(read_http_refusal(503, "<html>").failure, Failure::server_error);
    EXPECT_EQ(read_http_refusal(404, "").failure, Failure::refused_request);
    EXPECT_EQ(read_http_refusal(502, "<html>\nx").error, "HTTP 502: <html> x");
    for (const long final : {401L, 402L, 403L, 407L}) EXPECT_TRUE(read_http_refusal(final, "").is_final) << final;
    EXPECT_FALSE(read_http_refusal(429, R"({"error": {"code": "rate_limit_exceeded"}})").is_final);
    EXPECT_TRUE(read_http_refusal(429, R"({"error": {"code": "insufficient_quota"}})").is_final);
}

TEST(HttpRefusal, AWindowThatIsTooSmallInAllItsWordings) {
    for (
        const char* body :
        {R"({"error": {"message": "too long", "code": "context_length_exceeded"}})",
         R"({"object": "error", "message": "This model's maximum context length is 4096 tokens.", "type": "BadRequestError"})",
         R"({"error": {"code": 400, "message": "the request exceeds the available context size", "type": "exceed_context_size_error"}})",
         R"({"error": "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: 2000 `inputs` tokens and 100 `max_new_tokens`", "error_type": "validation"})",
         R"({"error": {"code": "invalid_parameter_error", "message": "Range of input length should be [1, 30720]"}})"})
        EXPECT_EQ(read_http_refusal(400, body).failure, Failure::prompt_too_long) << body;
    EXPECT_EQ(read_http_refusal(400, R"({"error": {"message": "bad"}})").failure, Failure::refused_request);
}

// The bodies are those of the providers' documents and of what their users report.
TEST(HttpRefusal, AFilterConcernsItsItemAlone) {
    const std::vector<std::pair<long, const char*>> filtered = {
        {400,
         R"({"error": {"message": "The response was filtered due to the prompt triggering Azure OpenAI's content management
                  policy.", "type": null, "param": "prompt", "code": "content_filter", "status": 400}})"},
        {400, R"({"error": {"message": "Filtered", "innererror": {"code": "ResponsibleAIPolicyViolation"}}})"},
        {400, R"({"error": {"code": "content_policy_violation", "message": "Not allowed by our safety system."}})"},
        {400,
         R"({"error": {"code": "data_inspection_failed", "message": "Input data may contain inappropriate content."}})"},
        {400, R"({"error": {"message": "<400> InternalError.Algo.DataInspectionFailed: Input text data ..."}})"},
        {400,
         R"({"error": {"message": "Content Exists Risk", "type": "invalid_request_error", "code": "invalid_request_error"}})"},
        {400, R"({"detail": "Content Exists Risk"})"},
        {400,
         R"({"error": {"type": "content_filter", "message": "The request was rejected because it was considered high risk"}})"},
        {400,
         R"({"error": {"code": "invalid_prompt", "message": "Invalid prompt: your prompt was flagged as potentially violating our usage policy."}})"},
        {403,
         R"({"error": {"code": 403, "message": "Your input was flagged", "metadata": {"reasons": ["violence"], "flagged_input": "...", "provider_name": "p"}}})"},
        {500, R"({"error": {"code": "DataInspectionFailed", "message": "Output data may contain inappropriate content."}})"},
    };
    for (const auto& [status, body] : filtered) {
        std::string line = body;
        std::replace(line.begin(), line.end(), '\n', ' ');
        const HttpRefusal refusal = read_http_refusal(status, line);
        EXPECT_STREQ(failure_name(refusal.failure), "content_filtered") << line;
        EXPECT_FALSE(refusal.is_final) << line;
        EXPECT_EQ(refusal.parameter, "") << line;
    }
    EXPECT_TRUE(read_http_refusal(403, R"({"error": {"code": 403, "message": "No access", "metadata": {}}})").is_final);
    EXPECT_EQ(read_http_refusal(400, "<html>content_filter</html>").failure, Failure::refused_request);
}

// Gemini's errors stand in a list, and a wrong key has the status 400 there.
TEST(HttpRefusal, AnErrorInAListIsRead) {
    const HttpRefusal key = read_http_refusal(
        400,
        R"([{"error": {"code": 400, "message": "API key not valid. Please pass a valid API key.", "status": "INVALID_ARGUMENT"}}])");
    EXPECT_EQ(key.error, "HTTP 400: API key not valid. Please pass a valid API key.");
    EXPECT_TRUE(key.is_final);
    EXPECT_EQ(
        read_http_refusal(
            400,
            R"([{"error": {"message": "The input token count (1100000) exceeds the maximum number of tokens allowed (1048576)."}}])")
            .failure,
        Failure::prompt_too_long);
    EXPECT_EQ(read_http_refusal(400, "[1, 2]").failure, Failure::refused_request);
}

TEST(HttpRefusal, ParametersThatAreNotTaken) {
    const HttpRefusal limit = read_http_refusal(
        400, R"({"error": {"message": "Unsupported parameter: 'max_tokens' is not supported with this model. Use
                 'max_completion_tokens' instead.", "code": "unsupported_parameter", "param": "max_tokens"}})");
    EXPECT_EQ(limit.failure, Failure::refused_request) << "a line break within a string is no JSON";
    const HttpRefusal good = read_http_refusal(
        400,
        R"({"error": {"message": "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", "code": "unsupported_parameter", "param": "max_tokens"}})");
    EXPECT_TRUE(good.wants_max_completion_tokens);
    const HttpRefusal other = read_http_refusal(
        400, R"({"error": {"message": "Unsupported value", "code": "unsupported_value", "param": "temperature"}})");
    EXPECT_EQ(other.parameter, "temperature");
    EXPECT_FALSE(other.wants_max_completion_tokens);
}

// Servers that name the parameter in the message alone: OpenAI's older words, llama.cpp's, vLLM's quoted list.
TEST(HttpRefusal, AParameterThatOnlyTheMessageNamesIsFound) {
    const std::vector<std::string> sent = {"max_tokens", "temperature",         "top_p", "stop", "seed",
                                           "n",          "chat_template_kwargs"};
    const auto parameter = [&](const std::string& message) {
        const std::string body = Json({{"error", {{"message", message}, {"param", nullptr}}}}).dump();
        return read_http_refusal(400, body, {}, sent).parameter;
    };
    EXPECT_EQ(parameter("Unsupported parameter: max_tokens"), "max_tokens");
    EXPECT_EQ(parameter("Unrecognized request argument supplied: seed"), "seed");
    EXPECT_EQ(parameter("temperature is not supported with this model"), "temperature");
    EXPECT_EQ(parameter("The value 0 of `top_p` is not supported; leave the temperature, too"), "top_p")
        << "quoted ones first";
    EXPECT_EQ(parameter("[{'type': 'extra_forbidden', 'loc': ('body', 'seed'), 'msg': 'Extra inputs are not permitted'}]"),
              "seed");
    EXPECT_EQ(parameter("Unknown parameter: 'chat_template_kwargs.enable_thinking'."), "chat_template_kwargs");
    EXPECT_EQ(parameter("Unsupported parameter: 'n'"), "n");
    EXPECT_EQ(parameter("n images are not supported"), "") << "a letter is a field in quotation marks alone";
    EXPECT_EQ(parameter("stopping is not supported"), "");
    EXPECT_EQ(parameter("'seed' must be a number"), "") << "its value is refused, and not the field";
    EXPECT_EQ(parameter("audio messages are not supported"), "");
    const HttpRefusal limit =
        read_http_refusal(400, R"({"error": {"message": "unsupported parameter: max_tokens"}})", {}, sent);
    EXPECT_TRUE(limit.wants_max_completion_tokens) << "the other name is tried";
    const HttpRefusal other = read_http_refusal(
        400, R"({"error": {"message": "unsupported parameter: max_completion_tokens"}})", {}, {"max_completion_tokens"});
    EXPECT_FALSE(other.wants_max_completion_tokens);
    EXPECT_EQ(other.parameter, "max_completion_tokens");
    EXPECT_EQ(fields_of({{"model", "m"}, {"messages", Json::array()}, {"seed", 1}}), std::vector<std::string>{"seed"});
}

TEST(HttpRefusal, AParameterIsFoundInWhateverPlaceFastApiNamesIt) {
    const auto parameter = [](const char* detail) {
        return read_http_refusal(422, std::string("{\"detail\":") + detail + "}", {}, {"top_k", "seed"}).parameter;
    };
    EXPECT_EQ(
        parameter(
            R"([{"type":"extra_forbidden","loc":["body","ChatRequest","top_k"],"msg":"Extra inputs are not permitted"}])"),
        "top_k");
    EXPECT_EQ(parameter(R"([{"type":"extra_forbidden","loc":["top_k"],"msg":"Extra inputs are not permitted"}])"), "top_k");
    EXPECT_EQ(parameter(R"([{"type":"missing","loc":["body","messages",0,"x"],"msg":"Field required"},
                            {"type":"extra_forbidden","loc":["body","seed"],"msg":"Extra inputs are not permitted"}])"),
              "seed");
    EXPECT_EQ(parameter(R"("Extra inputs are not permitted: top_k")"), "top_k");
}

// The bodies are transformers serve's (5.23) and FastAPI's own.
TEST(HttpRefusal, WhatFastApiSays) {
    const HttpRefusal fields = read_http_refusal(422, R"({"detail":"Unexpected fields in the request: {'documents'}"})");
    EXPECT_EQ(fields.parameter, "documents");
    EXPECT_EQ(fields.error, "HTTP 422: Unexpected fields in the request: {'documents'}");
    const HttpRefusal pinned = read_http_refusal(400, R"({"detail":"Server is pinned to '/m'; requested 'other'."})");
    EXPECT_EQ(pinned.failure, Failure::refused_request);
    EXPECT_EQ(pinned.parameter, "") << "no parameter that could be left out";
    EXPECT_EQ(pinned.error, "HTTP 400: Server is pinned to '/m'; requested 'other'.");
    const HttpRefusal extra = read_http_refusal(
        422,
        R"({"detail":[{"type":"extra_forbidden","loc":["body","top_k"],"msg":"Extra inputs are not permitted","input":3}]})");
    EXPECT_EQ(extra.parameter, "top_k");
    EXPECT_EQ(extra.error, "HTTP 422: Extra inputs are not permitted");
    const HttpRefusal broken = read_http_refusal(
        422, R"({"detail":[{"type":"json_invalid","loc":["body",0],"msg":"JSON decode error","input":{}}]})");
    EXPECT_EQ(broken.failure, Failure::refused_request);
    EXPECT_EQ(broken.parameter, "");
    EXPECT_EQ(read_http_refusal(404, R"({"detail":"Not Found"})").error, "HTTP 404: Not Found");
    for (const char* odd : {R"({"detail":[]})", R"({"detail":7})", R"({"detail":[3]})", R"({"detail":[{"loc":"body"}]})"})
        EXPECT_EQ(read_http_refusal(422, odd).parameter, "") << odd;
}

}  // namespace
}  // namespace craft
