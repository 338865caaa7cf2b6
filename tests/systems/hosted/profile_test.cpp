#include "systems/hosted/profile.h"

#include <gmock/gmock.h>

#include <sstream>

#include "core/error.h"
#include "core/files.h"
#include "tests/source.h"

namespace craft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> problems_of(const char* text) {
    try {
        HostedProfile::parse("p", Json::parse(text));
    } catch (const UsageError& error) {
        return error.problems();
    }
    return {};
}

TEST(HostedProfile, ReadsWhatIsThere) {
    const HostedProfile profile = HostedProfile::parse("gpt", Json::parse(R"({
        "base_url": "https://api.example/v1", "model": "m", "key_env": "K", "temperature": 0.3, "seed": 5,
        "max_tokens_field": "max_completion_tokens", "omit": ["top_p"], "headers": {"X-Team": "a"},
        "extra_body": {"chat_template_kwargs": {"enable_thinking": false}}, "supports_n": true, "concurrency": 4,
        "requests_per_minute": 500, "timeouts": {"first_byte": 20}, "retries.max_retries": 2, "budget": {"usd": 1.5},
        "prices": {"input": 1, "output": 2}, "error_rate": {"share": 0.2, "window": 10}, "proxy": null})"));
    EXPECT_EQ(profile.name, "gpt");
    ASSERT_EQ(profile.endpoints.size(), 1u);
    EXPECT_EQ(profile.endpoints[0].key_env, "K");
    EXPECT_EQ(profile.temperature, 0.3);
    EXPECT_EQ(profile.max_tokens_field, MaxTokensField::max_completion_tokens);
    EXPECT_EQ(profile.timeouts.first_byte, 20);
    EXPECT_EQ(profile.timeouts.connect, 10);
    EXPECT_EQ(profile.retries.max_retries, 2);
    EXPECT_EQ(profile.budget.usd, 1.5);
    EXPECT_EQ(profile.requests_per_minute, 500);
    EXPECT_EQ(profile.extra_body["chat_template_kwargs"]["enable_thinking"], false);
}

TEST(HostedProfile, EndpointsTakeTheKeyBesideTheList) {
    const HostedProfile profile = HostedProfile::parse("p", Json::parse(R"({"model": "m", "key_env": "K",
        "endpoints": [{"base_url": "https://a", "weight": 2}, {"base_url": "https://b", "key_file": "f"}]})"));
    ASSERT_EQ(profile.endpoints.size(), 2u);
    EXPECT_EQ(profile.endpoints[0].weight, 2);
    EXPECT_EQ(profile.endpoints[0].key_env, "K");
    EXPECT_EQ(profile.endpoints[1].key_env, "");
    EXPECT_EQ(profile.endpoints[1].key_file, "f");
}

TEST(HostedProfile, EveryProblemAtOnce) {
    EXPECT_THAT(problems_of(R"({"modell": "m", "concurrency": "x", "budget": {"usd": 1}, "prices": {"input": 1},
                                "timeouts": {"conect": 1}, "extra_body": {"stream": true}, "omit": ["messages"]})"),
                ElementsAre(HasSubstr("openai.p: unknown key 'modell'; did you mean 'model'?"),
                            HasSubstr("openai.p: concurrency: expected an integer, got 'x'"),
                            HasSubstr("unknown key 'timeouts.conect'; did you mean 'timeouts.connect'?"),
                            HasSubstr("openai.p.base_url: expected the server's base URL, got none"),
                            HasSubstr("openai.p.model: expected the model's name, got none"),
                            HasSubstr("openai.p.extra_body.stream"), HasSubstr("openai.p.omit: 'messages'"),
                            HasSubstr("openai.p.prices: expected both"), HasSubstr("openai.p.budget.usd: expected prices")));
}

TEST(HostedProfile, ItsGrammarHasAFieldOfItsOwn) {
    const std::string rest = R"(, "base_url": "http://localhost", "model": "m"})";
    EXPECT_EQ(HostedProfile::parse("p", Json::parse("{\"supports_n\": true" + rest)).grammar, HostedGrammar::none);
    EXPECT_EQ(HostedProfile::parse("p", Json::parse("{\"grammar\": \"gbnf\"" + rest)).grammar, HostedGrammar::gbnf);
    EXPECT_THAT(
        problems_of((R"({"grammar": "structured_outputs", "extra_body": {"structured_outputs": {}})" + rest).c_str()),
        ElementsAre(HasSubstr("openai.p.extra_body.structured_outputs: expected a field that")));
    EXPECT_THAT(problems_of((R"({"grammar": "gbnf", "omit": ["grammar"])" + rest).c_str()),
                ElementsAre(HasSubstr("openai.p.omit: 'grammar'")));
    EXPECT_THAT(problems_of((R"({"extra_body": {"grammar": "root ::= .*"}, "omit": ["top_p"])" + rest).c_str()),
                ElementsAre());
}

TEST(HostedProfile, AKeyItselfIsRefusedWhereverItStands) {
    for (const char* text : {R"({"key": "sk-1"})", R"({"api_key": "sk-1"})", R"({"apiKey": "sk-1"})",
                             R"({"headers": {"Authorization": "sk-1"}})", R"({"headers": {"x-api-key": "sk-1"}})",
                             R"({"endpoints": [{"base_url": "https://a", "api-key": "sk-1"}]})",
                             R"({"base_url": "https://user:sk-1@a/"})", R"({"base_url": "https://a/v1?key=sk-1"})",
                             R"({"proxy": "http://u:sk-1@proxy:3128"})", R"({"extra_body": {"api_key": "sk-1"}})"}) {
        const auto problems = problems_of(text);
        ASSERT_EQ(problems.size(), 1u) << text;
        EXPECT_THAT(problems[0], HasSubstr("expected key_env")) << text;
        EXPECT_THAT(problems[0], testing::Not(HasSubstr("sk-1"))) << text;
        EXPECT_NE(HostedProfile::held_key(Json{{"p", Json::parse(text)}}), "") << text;
    }
    EXPECT_EQ(HostedProfile::held_key(Json::parse(R"({"p": {"key_env": "K", "max_tokens_field": "auto"}})")), "");
}

TEST(HostedProfile, AnUnknownNameListsTheKnownOnes) {
    const Json profiles = Json::parse(R"({"small": {"model": "m", "base_url": "http://a"}, "own": {}})");
    EXPECT_EQ(HostedProfile::named(profiles, "small", "--teacher").model, "m");
    const auto error = [&](const Json& all, const char* name) -> std::string {
        try {
            HostedProfile::named(all, name, "--teacher");
        } catch (const UsageError& problem) {
            return problem.problems().at(0);
        }
        return "";
    };
    EXPECT_EQ(error(profiles, "smal"), "--teacher: unknown profile openai:smal; known: small, own; did you mean 'small'?");
    EXPECT_THAT(error(Json::object(), "x"), HasSubstr("the configuration has none"));
}

TEST(HostedProfile, AKeyGoesOverPlainHttpOnlyToThisMachine) {
    EXPECT_THAT(problems_of(R"({"model": "m", "base_url": "http://a.example/v1", "key_env": "K"})"),
                ElementsAre(HasSubstr("a key is sent over plain http only to this machine")));
    EXPECT_THAT(problems_of(R"({"model": "m", "base_url": "http://127.0.0.1:1/v1", "key_env": "K", "proxy": "http://p:1"})"),
                ElementsAre(HasSubstr("openai.p.proxy")));
    EXPECT_THAT(problems_of(R"({"model": "m", "base_url": "http://127.0.0.1:1/v1", "key_env": "K"})"), ElementsAre());
    EXPECT_THAT(problems_of(R"({"model": "m", "base_url": "http://a.example/v1"})"), ElementsAre());
}

TEST(HostedProfile, NoFragmentAndNoHeaderOfTheBody) {
    EXPECT_THAT(problems_of(R"({"model": "m", "base_url": "https://a/v1#here"})"),
                ElementsAre(HasSubstr("openai.p.base_url: expected a URL without a #fragment")));
    EXPECT_THAT(problems_of(R"({"model": "m", "base_url": "https://a/v1", "key_env": "K", "key_header": "Content-Length",
                                "headers": {"content-length": "3", "Transfer-Encoding": "chunked", "Host": "b"}})"),
                ElementsAre(HasSubstr("openai.p.key_header: expected a header that requests do not set"),
                            HasSubstr("openai.p.headers.content-length: expected a header that"),
                            HasSubstr("openai.p.headers.Transfer-Encoding: expected a header that")));
}

TEST(HostedProfile, SeveralProcessesKeepToItTogether) {
    const HostedProfile profile = HostedProfile::parse("p", Json::parse(R"({"base_url": "http://localhost", "model": "m",
        "concurrency": 2, "max_concurrency": 64, "requests_per_minute": 100, "budget": {"usd": 1.5, "requests": 10},
        "prices": {"input": 1, "output": 2}})"));
    const HostedProfile share = profile.shared_by(3);
    EXPECT_EQ(share.budget.usd, 0.5);
    EXPECT_EQ(share.budget.requests, 3) << "nine in all are within ten";
    EXPECT_FALSE(share.budget.tokens);
    EXPECT_EQ(share.requests_per_minute, 33);
    EXPECT_EQ(share.concurrency, 1);
    EXPECT_EQ(share.max_concurrency, 21);
    EXPECT_EQ(profile.shared_by(1).budget.usd, 1.5);
}

TEST(HostedProfile, EveryProfileOfTheDocumentationIsOne) {
    std::istringstream page(read_file(test_source("/docs/hosted.md")));
    std::string block;
    bool is_within = false;
    int64_t profiles = 0;
    for (std::string line; std::getline(page, line);) {
        if (is_within && line == "```") {
            const Json tree = parse_json(block, "docs/hosted.md");
            ASSERT_TRUE(tree.contains("openai")) << block;
            for (const auto& [name, profile] : tree["openai"].items()) {
                EXPECT_NO_THROW(HostedProfile::parse(name, profile)) << block;
                ++profiles;
            }
            is_within = false;
        } else if (is_within) {
            block += line + "\n";
        } else if (line == "```json") {
            is_within = true;
            block.clear();
        }
    }
    EXPECT_FALSE(is_within) << "a block that does not end";
    EXPECT_GE(profiles, 7);
}

TEST(HostedProfile, ABaseUrlMayEndInTheOperation) {
    const HostedProfile profile = HostedProfile::parse("p", Json::parse(R"({"model": "m", "serves": "one", "endpoints": [
            {"base_url": "https://a/v1/chat/completions"}, {"base_url": "https://b/v1/"}]})"));
    EXPECT_EQ(profile.endpoints[0].base_url, "https://a/v1");
    EXPECT_EQ(profile.endpoints[1].base_url, "https://b/v1/");
    EXPECT_EQ(profile.serves, "one");
}

TEST(HostedProfile, FormerKeysAreCalledByTheirPresentNames) {
    EXPECT_THAT(problems_of(R"({"base_url": "http://localhost", "model": "m", "n_works": true, "timeouts": {"whole": 9},
                                "retries": {"most": 2, "first_wait": 1, "longest_wait": 2, "longest_asked": 3}})"),
                testing::UnorderedElementsAre("openai.p: 'n_works' is called 'supports_n' now",
                                              "openai.p: 'timeouts.whole' is called 'timeouts.total' now",
                                              "openai.p: 'retries.most' is called 'retries.max_retries' now",
                                              "openai.p: 'retries.first_wait' is called 'retries.initial_backoff' now",
                                              "openai.p: 'retries.longest_wait' is called 'retries.max_backoff' now",
                                              "openai.p: 'retries.longest_asked' is called 'retries.max_retry_after' now"));
}

}  // namespace
}  // namespace craft
