#include "systems/hosted/chat_request.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "data/response_grammar.h"

namespace craft {
namespace {

class ChatBody : public ::testing::Test {
protected:
    ChatBody() {
        profile_.model = "m";
        request_.conversation.messages = Json::parse(R"([{"role": "user", "content": "Hi", "weight": 1}])");
    }
    Json body(const ChatBodyOptions& options = {}) const { return chat_body(profile_, request_, sampling_, options); }
    HostedProfile profile_;
    Request request_;
    SamplingOptions sampling_{.max_new_tokens = 9, .temperature = 0.5, .top_p = 0.9};
};

TEST_F(ChatBody, HasWhatIsAskedFor) {
    sampling_.stop = {"END"};
    EXPECT_EQ(body(), Json::parse(R"({"model": "m", "messages": [{"role": "user", "content": "Hi"}], "max_tokens": 9,
                                      "temperature": 0.5, "top_p": 0.9, "stop": ["END"]})"));
    sampling_ = {.max_new_tokens = 9, .logprobs = true};
    EXPECT_EQ(body({.field = MaxTokensField::max_completion_tokens, .samples = 3}),
              Json::parse(R"({"model": "m", "messages": [{"role": "user", "content": "Hi"}], "max_completion_tokens": 9,
                              "temperature": 0.0, "logprobs": true, "n": 3})"));
    EXPECT_FALSE(body({.field = MaxTokensField::none}).contains("max_tokens"));
}

TEST_F(ChatBody, TheProfileGoesBeforeTheCommandAndMayOmit) {
    profile_.temperature = 0.2;
    profile_.omit = {"top_p"};
    profile_.extra_body = {{"reasoning_effort", "low"}};
    EXPECT_EQ(body()["temperature"], 0.2);
    EXPECT_FALSE(body().contains("top_p"));
    EXPECT_EQ(body()["reasoning_effort"], "low");
    sampling_.max_new_tokens.reset();
    EXPECT_EQ(body()["max_tokens"], 4096);
    profile_.extra_body = {{"max_completion_tokens", 700}};  // a configured limit, under whichever name, is the only one
    EXPECT_EQ(body()["max_completion_tokens"], 700);
    EXPECT_FALSE(body().contains("max_tokens"));
}

TEST_F(ChatBody, TheGrammarStandsWhereTheServerTakesIt) {
    profile_.name = "p";
    profile_.extra_body = {{"a", 1}};
    profile_.grammar = HostedGrammar::structured_outputs;
    EXPECT_FALSE(body().contains("structured_outputs")) << "unasked";
    sampling_.constrain_calls = true;
    EXPECT_EQ(body()["structured_outputs"], (Json{{"grammar", response_gbnf()}}));
    EXPECT_EQ(body({.for_record = true})["structured_outputs"], body()["structured_outputs"]);
    EXPECT_EQ(body()["a"], 1);
    profile_.grammar = HostedGrammar::guided_grammar;
    EXPECT_EQ(body()["guided_grammar"], response_gbnf());
    profile_.grammar = HostedGrammar::gbnf;
    EXPECT_EQ(body()["grammar"], response_gbnf());
    EXPECT_FALSE(body().contains("structured_outputs"));
    EXPECT_TRUE(response_gbnf().starts_with("root ::= ")) << response_gbnf().substr(0, 80);
    profile_.grammar = HostedGrammar::none;
    try {
        body();
        FAIL() << "a body without the grammar that was asked for";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("openai.p.grammar"), std::string::npos) << error.what();
    }
}

TEST_F(ChatBody, TheSeedGoesUpWithTheSampleButNotInARecord) {
    profile_.seed = 40;
    request_.sample = 2;
    EXPECT_EQ(body()["seed"], 42);
    EXPECT_EQ(body({.for_record = true})["seed"], 40);
}

TEST_F(ChatBody, ARowsSwitchesGoBeforeTheProfiles) {
    profile_.chat_template_kwargs = {{"enable_thinking", true}, {"b", 1}};
    request_.conversation.variables = {{"enable_thinking", false}};
    request_.conversation.tools = Json::array({{{"type", "function"}}});
    EXPECT_EQ(body()["chat_template_kwargs"], Json::parse(R"({"enable_thinking": false, "b": 1})"));
    EXPECT_EQ(body()["tools"], request_.conversation.tools);
}

TEST_F(ChatBody, MessagesLoseWhatServersDoNotTake) {
    request_.conversation.messages = Json::parse(R"([
        {"role": "assistant", "reasoning_content": "hm", "thinking": "x", "tool_calls": [{"id": "1"}]},
        {"role": "tool", "tool_call_id": "1", "content": {"words": 3}},
        {"role": "user", "content": [{"type": "text", "text": "a"}]}])");
    EXPECT_EQ(body()["messages"], Json::parse(R"([
        {"role": "assistant", "tool_calls": [{"id": "1"}], "content": null},
        {"role": "tool", "tool_call_id": "1", "content": "{\"words\":3}"},
        {"role": "user", "content": [{"type": "text", "text": "a"}]}])"));
    profile_.send_reasoning = true;
    EXPECT_EQ(body()["messages"][0]["reasoning_content"], "hm");
}

}  // namespace
}  // namespace craft
