// Specifications of systems, and what opens by them.
#include "systems/open/open_system.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/core/temporary_folder.h"

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

TEST(SystemSpec, OtherFormsAreRefused) {
    for (const char* text : {"", "rule", "local", "local:", "local:+x", "local:x+", "model", "openai", "openai:"}) {
        try {
            SystemSpec::parse(text, "--teacher");
            ADD_FAILURE() << text;
        } catch (const UsageError& error) {
            EXPECT_EQ(std::string(error.what()),
                      std::string("--teacher: expected rules, local:MODEL[+ADAPTER] or openai:PROFILE, got ") + text);
        }
    }
}

TEST(OpenSystem, RulesAnswerNoMessages) {
    EXPECT_THROW(open_system(SystemSpec::parse("rules", "--planner"), {}), UsageError);
}

}  // namespace
}  // namespace craft
