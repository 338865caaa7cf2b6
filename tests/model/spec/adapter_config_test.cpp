#include "model/spec/adapter_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "core/error.h"
#include "tests/core/temporary_folder.h"
#include "tests/source.h"

namespace craft {
namespace {

// PEFT's own rank and alpha are 8.
TEST(AdapterConfig, KeysThatAreLeftOutHavePeftsDefaults) {
    const Json plain = {{"peft_type", "LORA"}, {"target_modules", {"q_proj"}}};
    const LoraOptions options = parse_adapter_config(plain, "adapter_config.json");
    EXPECT_EQ(options.rank, 8);
    EXPECT_EQ(options.alpha, 8);
    EXPECT_EQ(options.dropout, 0);
    Json null = plain;
    null["lora_alpha"] = nullptr;
    EXPECT_THROW(parse_adapter_config(null, "adapter_config.json"), Error);
}

TEST(AdapterConfig, SaysWhereARunHasItsAdapters) {
    const TemporaryFolder folder;
    const std::string first = folder.file("iter-1/adapter/adapter_config.json", "{}");
    folder.file("iter-2/adapter/adapter_config.json", "{}");
    std::string problem;
    try {
        read_adapter_config(folder.path());
    } catch (const Error& error) {
        problem = error.what();
    }
    EXPECT_THAT(problem, testing::HasSubstr("or a run folder that holds one"));
    EXPECT_THAT(problem, testing::HasSubstr("adapters lie in " + (folder.path() / "iter-1/adapter").string() + ", " +
                                            (folder.path() / "iter-2/adapter").string()));
}

// A folder of PEFT 0.21 with all that its LoraConfig writes is read without a word; what is unknown and says something is
// not.
TEST(AdapterConfig, UnknownKeysWithAValueAreWarnedOf) {
    const TemporaryFolder folder;
    Json config =
        read_json_file(std::filesystem::path(test_source()) / "tests/model/decoders/llama/adapter/adapter_config.json");
    EXPECT_GT(config.size(), 40u);
    folder.file("adapter_model.safetensors", "");
    const auto warning = [&] {
        write_json_file(folder.path() / "adapter_config.json", config);
        testing::internal::CaptureStderr();
        read_adapter_config(folder.path());
        return testing::internal::GetCapturedStderr();
    };
    config["eva_config"] = {{"rho", 2.0}};
    for (const auto& [key, nothing] :
         std::map<std::string, Json>{{"a", nullptr}, {"b", false}, {"c", ""}, {"d", Json::array()}, {"e", Json::object()}})
        config["not_yet_" + key] = nothing;
    EXPECT_EQ(warning(), "");
    config["use_tomorrow"] = true;
    config["lora_apha"] = 16;
    EXPECT_EQ(warning(), "warning: " + (folder.path() / "adapter_config.json").string() +
                             R"(: unknown keys with a value are not read keys=["lora_apha","use_tomorrow"])"
                             "\n");
}

// Each is held against every module of a model.
TEST(AdapterConfig, ListsWithoutAnEndAreRefused) {
    const Json plain = {{"peft_type", "LORA"}, {"target_modules", {"q_proj"}}};
    Json many = Json::object(), names = Json::array();
    for (int i = 0; i < 10001; ++i) {
        many["layers." + std::to_string(i)] = 4;
        names.push_back("module" + std::to_string(i));
    }
    for (const char* key : {"rank_pattern", "alpha_pattern", "target_modules", "exclude_modules", "modules_to_save"}) {
        Json bad = plain;
        bad[key] = std::string(key).ends_with("pattern") ? many : names;
        EXPECT_THAT(message_of([&] { parse_adapter_config(bad, "adapter_config.json"); }),
                    testing::HasSubstr(std::string(key) + ": expected at most 10000"));
    }
}

}  // namespace
}  // namespace craft
