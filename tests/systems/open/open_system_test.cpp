// Specifications of systems, and what opens by them.
#include "systems/open/open_system.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "core/error.h"
#include "core/json.h"
#include "tests/core/temporary_folder.h"
#include "tests/model/random_model.h"

namespace craft {
namespace {

TEST(SystemSpec, ReadsModelAndAdapter) {
    EXPECT_EQ(SystemSpec::parse("rules", "--teacher").kind, SystemSpec::Kind::rules);
    const SystemSpec model = SystemSpec::parse("local:some/model", "--teacher");
    EXPECT_EQ(model.kind, SystemSpec::Kind::local);
    EXPECT_EQ(model.model, "some/model");
    EXPECT_EQ(model.adapter, "");
    const SystemSpec both = SystemSpec::parse("local:some/model+runs/sft/adapter", "--teacher");
    EXPECT_EQ(both.model, "some/model");
    EXPECT_EQ(both.adapter, "runs/sft/adapter");
}

TEST(SystemSpec, APlusOfTheModelsOwnPathSeparatesNothing) {
    const TemporaryFolder folder;
    const std::string model = (folder.path() / "c++").string();
    std::filesystem::create_directory(model);
    EXPECT_EQ(SystemSpec::parse("local:" + model, "--teacher").model, model);
    const SystemSpec both = SystemSpec::parse("local:" + model + "+adapter", "--teacher");
    EXPECT_EQ(both.model, model);
    EXPECT_EQ(both.adapter, "adapter");
}

TEST(SystemSpec, ANameOfTheHuggingFaceCacheIsItsSnapshot) {
    const TemporaryFolder folder;
    folder.file("models--org--tiny/refs/main", "abc");
    const std::string snapshot = folder.path() / "models--org--tiny/snapshots/abc";
    ::setenv("HF_HUB_CACHE", folder.path().c_str(), 1);
    try {
        SystemSpec::parse("local:org/tiny", "--teacher");
        ADD_FAILURE() << "there is no such snapshot";
    } catch (const UsageError& error) {
        EXPECT_THAT(error.what(),
                    testing::AllOf(testing::StartsWith("--teacher: "), testing::HasSubstr("download org/tiny")));
    }
    folder.file("models--org--tiny/snapshots/abc/config.json", "{}");
    EXPECT_EQ(SystemSpec::parse("local:org/tiny", "--teacher").model, snapshot);
    const SystemSpec both = SystemSpec::parse("local:org/tiny+runs/adapter", "--teacher");
    EXPECT_EQ(both.model, snapshot);
    EXPECT_EQ(both.adapter, "runs/adapter");
    EXPECT_EQ(SystemSpec::parse("local:org/other", "--teacher").model, "org/other");
    ::unsetenv("HF_HUB_CACHE");
}

TEST(SystemSpec, OtherFormsAreRefused) {
    for (const char* text : {"", "rule", "local", "local:", "local:+x", "local:x+", "model", "openai", "openai:"}) {
        try {
            SystemSpec::parse(text, "--teacher");
            ADD_FAILURE() << text;
        } catch (const UsageError& error) {
            EXPECT_THAT(error.what(),
                        testing::StartsWith("--teacher: expected rules, local:MODEL[+ADAPTER] or openai:PROFILE, got " +
                                            std::string(text)));
        }
    }
}

TEST(OpenSystem, RulesAnswerNoMessages) {
    EXPECT_THROW(open_system(SystemSpec::parse("rules", "--planner"), {}), UsageError);
}

// What the folder's generation_config.json asks for beside what a call says: rules always, other filters where a call
// samples, stop strings where it has none.
TEST(OpenSystem, ALocalOneFollowsItsFile) {
    const TemporaryFolder folder;
    std::filesystem::copy(test::tiny_model(), folder.path() / "model");
    const SystemSpec spec = SystemSpec::parse("local:" + (folder.path() / "model").string(), "--planner");
    const std::vector<Request> asks = {{std::vector<Message>{{Role::user, "It is late."}}, 1, 0}};
    const auto says = [&](const Json& file, const SamplingOptions& sampling) {
        write_json_file(folder.path() / "model" / "generation_config.json", file);
        return open_system(spec, {})->answer(asks, sampling).at(0).text;
    };
    SamplingOptions greedy{.max_new_tokens = 12}, sampled{.max_new_tokens = 12, .temperature = 2};
    const std::string plain = says(Json::object(), greedy), drawn = says(Json::object(), sampled);
    ASSERT_FALSE(plain.empty());
    ASSERT_NE(plain, drawn);
    EXPECT_NE(says({{"repetition_penalty", 50.0}}, greedy), plain);
    const Json one = {{"do_sample", true}, {"min_p", 1}, {"temperature", 7}, {"top_k", 3}};
    EXPECT_EQ(says(one, greedy), plain) << "a call's temperature is its own";
    EXPECT_EQ(says(one, sampled), plain) << "of the most probable token alone";
    EXPECT_EQ(says({{"do_sample", true}, {"temperature", 7}, {"top_k", 3}}, sampled), drawn) << "as the call says";
    const auto letter = std::find_if(plain.begin() + 1, plain.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    ASSERT_NE(letter, plain.end());
    const Json stops = {{"stop_strings", std::string(1, *letter)}};
    EXPECT_EQ(says(stops, greedy), plain.substr(0, plain.find(*letter)));
    greedy.stop = {"nobody says that"};
    EXPECT_EQ(says(stops, greedy), plain);
}

TEST(OpenSystem, RecordsTellRulesOfTheFile) {
    const TemporaryFolder folder;
    std::filesystem::copy(test::tiny_model(), folder.path() / "model");
    const SystemSpec spec = SystemSpec::parse("local:" + (folder.path() / "model").string(), "--planner");
    const Request ask{std::vector<Message>{{Role::user, "It is late."}}, 1, 0};
    const auto record = [&](const Json& file) {
        write_json_file(folder.path() / "model" / "generation_config.json", file);
        return open_system(spec, {.with_identity = true})->record(ask, {});
    };
    EXPECT_FALSE(record({{"eos_token_id", 2}, {"do_sample", true}}).contains("generation_config"));
    EXPECT_TRUE(record({{"suppress_tokens", {5}}}).contains("generation_config"));
}

}  // namespace
}  // namespace craft
