// Hosted models against a real server: `transformers serve` on model folders that our own systems open, too. Both compute in
// float32, so that greedy answers are the same tokens.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "core/error.h"
#include "core/files.h"
#include "systems/hosted/endpoint_probe.h"
#include "systems/hosted/hosted_system.h"
#include "systems/open/open_system.h"
#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"
#include "tests/parity/model_server.h"
#include "tests/source.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ServeParity : public testing::Test {
protected:
    void serve(const fs::path& model) {
        model_ = model;
        server_ = std::make_unique<test::ModelServer>(model, folder_.path() / "server");
        ASSERT_NE(server_->url(), "") << server_->log();
    }
    void serve_small() {
        ASSERT_TRUE(test::run_parity_script("make_served.py", folder_.path() / "small"));
        serve(folder_.path() / "small");
    }
    HostedProfile profile() const {
        HostedProfile profile;
        profile.name = "serve";
        profile.model = model_.string();
        profile.endpoints = {{.base_url = server_->url()}};
        return profile;
    }
    std::unique_ptr<System> our_own() const {
        return open_system(SystemSpec::parse("local:" + model_.string(), "test"), SystemOptions());
    }
    // Both answer these: texts, ends and tokens must be the same. Returns how many answers ended by themselves.
    int64_t expect_same(const std::vector<Request>& requests, const SamplingOptions& sampling) const {
        HostedSystem hosted(profile());
        const std::vector<Reply> theirs = hosted.answer(requests, sampling), ours = our_own()->answer(requests, sampling);
        int64_t finished = 0;
        for (size_t i = 0; i < requests.size(); ++i) {
            EXPECT_EQ(theirs[i].error, "") << i;
            EXPECT_EQ(theirs[i].text, ours[i].text) << i;
            EXPECT_EQ(theirs[i].status, ours[i].status) << i;
            EXPECT_EQ(theirs[i].usage.prompt_tokens, ours[i].usage.prompt_tokens) << i;
            EXPECT_EQ(theirs[i].usage.new_tokens, ours[i].usage.new_tokens) << i;
            finished += theirs[i].is_finished() ? 1 : 0;
        }
        EXPECT_EQ(hosted.report().requests, static_cast<int64_t>(requests.size())) << "no request was asked again";
        EXPECT_EQ(hosted.report().without_usage, 0);
        return finished;
    }

    TemporaryFolder folder_;
    fs::path model_;
    std::unique_ptr<test::ModelServer> server_;
};

Request said(std::initializer_list<std::pair<const char*, std::string>> turns) {
    Request request;
    request.conversation.messages = Json::array();
    for (const auto& [role, content] : turns)
        request.conversation.messages.push_back({{"role", role}, {"content", content}});
    return request;
}

Request question(const std::string& text) {
    return said({{"user", text}});
}

std::vector<Json> rows_of(const fs::path& file) {
    std::vector<Json> rows;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) rows.push_back(parse_json(line, file.string()));
    return rows;
}

TEST_F(ServeParity, GreedyAnswersAreOurs) {
    CRAFT_NEEDS_MODEL_SERVER();
    serve_small();
    std::vector<Request> requests;
    for (const char* text : {"the mill", "Hello", "A B", "Why?", "one", "two", "three", "the river fell"}) {
        requests.push_back(question(text));
        requests.push_back(said({{"system", "You revise."}, {"user", text}, {"assistant", "built"}, {"user", "again"}}));
    }
    const int64_t finished = expect_same(requests, {.max_new_tokens = 40});
    EXPECT_GT(finished, 4);
    EXPECT_LT(finished, 16) << "some are cut at the limit";

    // A stop string: this server leaves it in the text, and counts it as ours do.
    HostedSystem hosted(profile());
    const SamplingOptions stopped = {.max_new_tokens = 40, .stop = {".", " b"}};
    const std::vector<Reply> theirs = hosted.answer(requests, stopped), ours = our_own()->answer(requests, stopped);
    for (size_t i = 0; i < requests.size(); ++i) {
        if (ours[i].text.empty()) continue;  // has no content, says a hosted system
        EXPECT_EQ(theirs[i].text, ours[i].text) << i;
    }
}

TEST_F(ServeParity, ARevisionIsThatOfTheSameModelHereAndIsPaidForOnce) {
    CRAFT_NEEDS_MODEL_SERVER();
    serve_small();
    folder_.file("texts.jsonl",
                 "{\"id\":\"a\",\"instruction\":\"Use less than 15 words:\",\"text\":\"The mill was built by a river.\"}\n"
                 "{\"id\":\"b\",\"instruction\":\"Shorten:\",\"text\":\"The water fell in the town.\"}\n"
                 "{\"id\":\"c\",\"instruction\":\"Rewrite:\",\"text\":\"It closed when the water fell.\"}\n");
    folder_.file("config.json",
                 Json{{"openai", {{"serve", {{"base_url", server_->url()}, {"model", model_.string()}}}}}}.dump());
    const std::string here = "local:" + model_.string();
    // The rows without what differs by who computed them.
    const auto revise = [&](const std::string& output, test::Arguments arguments) {
        arguments.insert(arguments.begin(), "revise");
        for (const std::string& more :
             {"--input " + (folder_.path() / "texts.jsonl").string(), "--output " + (folder_.path() / output).string(),
              "--config " + (folder_.path() / "config.json").string(), "--answers " + (folder_.path() / "answers").string(),
              std::string("--dtype float32"), std::string("--scorers none"),
              std::string("--set reviser_sampling.max_new_tokens=60"), std::string("--set reviser_sampling.attempts=1"),
              std::string("--set sampling.max_new_tokens=60")}) {
            arguments.push_back(more.substr(0, more.find(' ')));
            arguments.push_back(more.substr(more.find(' ') + 1));
        }
        const test::Outcome outcome = test::run_command(arguments);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        std::vector<Json> rows = rows_of(folder_.path() / output);
        EXPECT_EQ(rows.size(), 3u);
        for (Json& row : rows) {
            row["cost"].erase("seconds");
            row["trace"].erase("planner_tokens");
        }
        return rows;
    };
    const std::vector<Json> theirs = revise("theirs.jsonl", {"--method", "direct", "--reviser", "openai:serve"});
    EXPECT_EQ(theirs, revise("ours.jsonl", {"--method", "direct", "--reviser", here}));
    EXPECT_NE(theirs[0]["text"], "The mill was built by a river.");
    EXPECT_EQ(revise("again.jsonl", {"--method", "direct", "--reviser", "openai:serve"}), theirs);
    const auto planned = [&](const std::string& planner, const std::string& output) {
        return revise(output, {"--method", "iter", "--rounds", "3", "--prompt", "compact", "--planner", planner});
    };
    const std::vector<Json> plans = planned("openai:serve", "their_plans.jsonl");
    EXPECT_EQ(plans, planned(here, "our_plans.jsonl")) << "later turns, too";
    EXPECT_EQ(plans[0]["cost"]["calls"], 3);
    const Json first = read_json_file(folder_.path() / "theirs.jsonl.manifest.json")["usage"]["systems"]["openai:serve"];
    EXPECT_EQ(first["requests"], 3);
    EXPECT_EQ(first["prompt_tokens"], theirs[0]["cost"]["input_tokens"].get<int64_t>() +
                                          theirs[1]["cost"]["input_tokens"].get<int64_t>() +
                                          theirs[2]["cost"]["input_tokens"].get<int64_t>());
    const Json second = read_json_file(folder_.path() / "again.jsonl.manifest.json")["usage"];
    EXPECT_EQ(second["systems"]["openai:serve"]["requests"], 0) << "all answers are recorded";
    EXPECT_EQ(second["recorded"]["openai:serve"]["hits"], 3);
}

TEST_F(ServeParity, WhatTheServerRefusesAndLeavesOut) {
    CRAFT_NEEDS_MODEL_SERVER();
    serve_small();
    const std::vector<Request> one = {question("the mill")};
    const SamplingOptions short_answer = {.max_new_tokens = 12};
    const auto answer_of = [&](const HostedProfile& asked) { return HostedSystem(asked).answer(one, short_answer).front(); };
    const Reply plain = answer_of(profile());

    HostedProfile other = profile();
    other.model = "another";
    const Reply refused = answer_of(other);
    EXPECT_EQ(refused.failure, Failure::refused_request);
    EXPECT_THAT(refused.error, HasSubstr("HTTP 400: Server is pinned to"));

    HostedProfile newer = profile();
    newer.max_tokens_field = MaxTokensField::max_completion_tokens;
    EXPECT_EQ(answer_of(newer).text, plain.text);
    EXPECT_EQ(answer_of(newer).usage.new_tokens, 12);

    HostedProfile extra = profile();
    extra.extra_body = {{"top_k", 3}};
    try {
        answer_of(extra);
        ADD_FAILURE() << "expected the run to end";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("openai.serve.omit"));
        EXPECT_THAT(error.what(), HasSubstr("\"omit\": [\"top_k\"]"));
    }

    // n is not looked at: one choice comes, and the other samples are asked for one by one.
    std::vector<Request> samples(3, one[0]);
    for (size_t k = 0; k < samples.size(); ++k) samples[k].sample = k;
    HostedProfile grouped = profile();
    grouped.supports_n = true;
    HostedSystem system(grouped);
    for (const Reply& reply : system.answer(samples, {.max_new_tokens = 12, .temperature = 1}))
        EXPECT_EQ(reply.text, plain.text) << "a temperature has no effect where generation_config.json does not sample";
    EXPECT_EQ(system.report().requests, 3);

    HostedProfile sampled = profile();
    sampled.concurrency = 1;  // the seed is one of the process
    sampled.seed = 5;
    sampled.extra_body = {{"generation_config", R"({"do_sample": true, "eos_token_id": 2, "pad_token_id": 0})"}};
    const SamplingOptions warm = {.max_new_tokens = 12, .temperature = 1};
    const std::vector<Reply> drawn = HostedSystem(sampled).answer(samples, warm);
    EXPECT_NE(drawn[0].text, drawn[1].text);
    EXPECT_EQ(HostedSystem(sampled).answer(samples, warm)[1].text, drawn[1].text);

    // A prompt beyond the window (4096) is computed all the same, where ours refuses it.
    std::string text;
    for (int i = 0; i < 4200; ++i) text += "x";
    EXPECT_NE(HostedSystem(profile()).answer({question(text)}, short_answer).front().status, Reply::Status::failed);
    EXPECT_EQ(our_own()->answer({question(text)}, short_answer).front().failure, Failure::prompt_too_long);

    const EndpointProbe probe = probe_endpoints(profile(), 30).front();
    EXPECT_EQ(probe.state, EndpointProbe::State::reachable) << probe.said;
    EXPECT_THAT(probe.said, HasSubstr("0 models")) << "it lists its cache, not what it serves";
}

// SmolLM2-135M-Instruct as our own export makes a folder of it.
TEST_F(ServeParity, TheRealModelAnswersAlike) {
    CRAFT_NEEDS_MODEL_SERVER();
    const fs::path gguf = test_source("/weights/smollm2-135m-instruct.gguf");
    if (!fs::exists(gguf)) GTEST_SKIP() << "no weights/smollm2-135m-instruct.gguf: scripts/setup.sh installs it";
    const fs::path model = folder_.path() / "smollm2";
    const test::Outcome exported = test::run_command({"export", "--model", gguf, "--out", model, "--dtype", "float32"});
    ASSERT_EQ(exported.code, 0) << exported.err;
    serve(model);
    expect_same({question("Name three colours."),
                 said({{"system", "You are brief."}, {"user", "Shorten: The mill was built by the river in 1841."}})},
                {.max_new_tokens = 24});
}

}  // namespace
}  // namespace craft
