#include "tests/systems/hosted/server/completion.h"

#include <gtest/gtest.h>

namespace craft::chat_server {
namespace {

Json body_of(const std::string& content) {
    return {{"model", "m"},
            {"messages", {{{"role", "system"}, {"content", "a b"}}, {{"role", "user"}, {"content", content}}}}};
}

const Json& message(const Json& reply, size_t choice = 0) {
    return reply.at("choices").at(choice).at("message");
}

TEST(Completion, CountsWords) {
    EXPECT_EQ(count_words(""), 0);
    EXPECT_EQ(count_words(" a\n b\t"), 2);
    EXPECT_EQ(first_words(" a\n b c", 2), " a\n b");
    EXPECT_EQ(first_words("a b", 9), "a b");
    EXPECT_EQ(first_words("a b", 0), "");
}

TEST(Completion, AnswersAreMadeOfTheMessages) {
    const Json body = body_of("c d e");
    const Json reply = completion({}, body, {});
    const std::string answer = message(reply).at("content");
    EXPECT_EQ(answer, made_up_answer(body, 0));
    EXPECT_EQ(message(completion({}, body, {})).at("content"), answer);
    EXPECT_NE(message(completion({}, body_of("c d"), {})).at("content"), answer);
    Json other_temperature = body, other_seed = body;
    other_temperature["temperature"] = .5;
    other_seed["seed"] = 7;
    EXPECT_EQ(made_up_answer(other_temperature, 0), answer);
    EXPECT_NE(made_up_answer(other_seed, 0), answer);
    EXPECT_EQ(reply.at("model"), "test-model");
    EXPECT_EQ(reply.at("choices").at(0).at("finish_reason"), "stop");
    EXPECT_EQ(reply.at("usage").at("prompt_tokens"), 5);
    EXPECT_EQ(reply.at("usage").at("completion_tokens"), count_words(answer));
    EXPECT_EQ(reply.at("usage").at("total_tokens"), 5 + count_words(answer));
}

TEST(Completion, CutsAtTheLimit) {
    Json body = body_of("c");
    body["max_tokens"] = 2;
    ChatServerOptions options;
    options.answer = [](const Json&, int64_t) { return "one two three"; };
    Json reply = completion(options, body, {});
    EXPECT_EQ(message(reply).at("content"), "one two");
    EXPECT_EQ(reply.at("choices").at(0).at("finish_reason"), "length");
    EXPECT_EQ(reply.at("usage").at("completion_tokens"), 2);
    body["max_completion_tokens"] = 3;  // goes before max_tokens
    reply = completion(options, body, {});
    EXPECT_EQ(message(reply).at("content"), "one two three");
    EXPECT_EQ(reply.at("choices").at(0).at("finish_reason"), "stop");
}

TEST(Completion, SeveralChoices) {
    Json body = body_of("c");
    body["n"] = 3;
    ChatServerOptions options;
    options.answer = [](const Json&, int64_t choice) { return choice == 0 ? "one" : "one two"; };
    const Json reply = completion(options, body, {});
    ASSERT_EQ(reply.at("choices").size(), 3U);
    EXPECT_EQ(message(reply, 2).at("content"), "one two");
    EXPECT_EQ(reply.at("choices").at(2).at("index"), 2);
    EXPECT_EQ(reply.at("usage").at("completion_tokens"), 5);
    EXPECT_NE(made_up_answer(body, 0), made_up_answer(body, 1));
    EXPECT_EQ(completion(options, body, Fault::n_ignored).at("choices").size(), 1U);
}

TEST(Completion, UsageAsAsked) {
    ChatServerOptions options;
    options.cached_tokens = 2;
    EXPECT_EQ(completion(options, body_of("c"), {}).at("usage").at("prompt_tokens_details").at("cached_tokens"), 2);
    options.usage = false;
    EXPECT_FALSE(completion(options, body_of("c"), {}).contains("usage"));
}

}  // namespace
}  // namespace craft::chat_server
