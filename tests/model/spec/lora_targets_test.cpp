#include "model/spec/lora_targets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using testing::ElementsAre;

DecoderConfig config_of(const std::string& architecture) {
    DecoderConfig config;
    config.architecture = architecture;
    config.layers = 2;
    return config;
}

std::vector<std::string> resolved(const std::string& architecture, const std::vector<std::string>& targets) {
    return resolved_for(config_of(architecture), {.targets = targets}).targets;
}

TEST(LoraTargets, ModulesHaveTheNamesOfTheArchitecture) {
    EXPECT_THAT(
        adaptable_modules(config_of("GPT2LMHeadModel")),
        ElementsAre("transformer.wte", "transformer.h.0.attn.c_attn", "transformer.h.0.attn.c_proj",
                    "transformer.h.0.mlp.c_fc", "transformer.h.0.mlp.c_proj", "transformer.h.1.attn.c_attn",
                    "transformer.h.1.attn.c_proj", "transformer.h.1.mlp.c_fc", "transformer.h.1.mlp.c_proj", "lm_head"));
}

TEST(LoraTargets, AllLinearAreTheProjections) {
    EXPECT_THAT(resolved("Phi3ForCausalLM", {"all-linear"}), ElementsAre("down_proj", "gate_up_proj", "o_proj", "qkv_proj"));
}

TEST(LoraTargets, NamesThatOtherModelsHaveBecomeTheArchitecturesOwn) {
    EXPECT_THAT(resolved("GPT2LMHeadModel", {"q_proj", "v_proj", "o_proj"}), ElementsAre("attn.c_proj", "c_attn"));
    EXPECT_THAT(resolved("LlamaForCausalLM", {"v_proj", "q_proj", "q_proj"}), ElementsAre("q_proj", "v_proj"));
}

TEST(LoraTargets, WholeNamesAndExpressionsStay) {
    EXPECT_THAT(resolved("LlamaForCausalLM", {"lm_head", "model.layers.1.mlp.up_proj"}),
                ElementsAre("lm_head", "model.layers.1.mlp.up_proj"));
    LoraOptions options;
    options.target_expression = ".*";
    EXPECT_EQ(resolved_for(config_of("LlamaForCausalLM"), options).target_expression, ".*");
}

TEST(LoraTargets, AnAdapterIsOnTheUpperLayers) {
    EXPECT_TRUE(adapted_layers({}, 4).empty()) << "all";
    EXPECT_THAT(adapted_layers({.layers = {0, 2}}, 4), ElementsAre(0, 2));
    EXPECT_THAT(adapted_layers({.upper = .5}, 4), ElementsAre(2, 3));
    EXPECT_THAT(adapted_layers({.upper = .5}, 5), ElementsAre(2, 3, 4));
    EXPECT_THAT(adapted_layers({.upper = .25}, 4), ElementsAre(3));
    EXPECT_THAT(adapted_layers({.upper = 0}, 2), ElementsAre(1)) << "one at least";
    const LoraOptions options = resolved_for(config_of("LlamaForCausalLM"), {.rank = 3, .upper = .5});
    EXPECT_THAT(options.layers, ElementsAre(1));
    EXPECT_EQ(options.upper, 1);
    EXPECT_EQ(options.rank, 3);
}

TEST(LoraTargets, UnknownOnesAreRefused) {
    EXPECT_THAT(message_of([] { resolved("Phi3ForCausalLM", {"qkv_prj"}); }),
                testing::AllOf(testing::HasSubstr("LoRA target of Phi3ForCausalLM"), testing::HasSubstr("'qkv_proj'")));
    EXPECT_THROW(resolved("LlamaForCausalLM", {"model.layers.2.mlp.up_proj"}), Error);
    EXPECT_EQ(message_of([] { resolved("LlamaForCausalLM", {}); }),
              "LoRA targets: expected at least one projection, got none");
}

}  // namespace
}  // namespace craft
