#include "model/generate/generation_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace craft {
namespace {

using testing::ElementsAre;

GenerationConfig config_of(const char* json) {
    return {"m/generation_config.json", parse_json(json, "test")};
}

const char* const kSampling = R"({"do_sample": true, "temperature": 0.6, "top_p": 0.9, "top_k": 20, "min_p": 0.1,
                                  "typical_p": 0.8, "epsilon_cutoff": 0.01, "eta_cutoff": 0.02, "top_h": 0.4})";

TEST(GenerationConfig, SamplingIsTheFilesWhereItAsksForSampling) {
    const Sampling file = config_of(kSampling).sampling({});
    EXPECT_EQ(file.temperature, 0.6);
    EXPECT_EQ(file.top_p, 0.9);
    EXPECT_EQ(file.top_k, 20);
    EXPECT_EQ(file.min_p, 0.1);
    EXPECT_EQ(file.typical_p, 0.8);
    EXPECT_EQ(file.epsilon_cutoff, 0.01);
    EXPECT_EQ(file.eta_cutoff, 0.02);
    EXPECT_EQ(file.top_h, 0.4);
    EXPECT_EQ(config_of(R"({"do_sample": true, "min_p": null})").sampling({}).top_k, 50) << "transformers' own";
    for (const char* const greedy : {"null", "{}", R"({"min_p": 0.1, "typical_p": 7})", R"({"do_sample": false})"})
        EXPECT_EQ(config_of(greedy).sampling({}).temperature, 0) << greedy;
    EXPECT_EQ(config_of(kSampling).sampling({.greedy = true}).temperature, 0);
}

TEST(GenerationConfig, FlagsComeBeforeTheFile) {
    const Sampling both = config_of(kSampling).sampling({.temperature = 2, .min_p = 0});
    EXPECT_EQ(both.temperature, 2);
    EXPECT_EQ(both.min_p, 0);
    EXPECT_EQ(both.top_p, 0.9);
    const Sampling alone = config_of(R"({"top_p": 0.5, "eta_cutoff": 0.1})").sampling({.min_p = 0.2});
    EXPECT_EQ(alone.temperature, 1) << "asks for sampling";
    EXPECT_EQ(alone.min_p, 0.2);
    EXPECT_EQ(alone.top_p, 1) << "the file asks for no sampling";
    EXPECT_FALSE(Sampling{alone.temperature}.has_further_filters());
    EXPECT_EQ(config_of(R"({"repetition_penalty": 1.5})").rules(1.25, 10).repetition_penalty, 1.25);
    EXPECT_EQ(config_of("null").rules(1.25, 10).repetition_penalty, 1.25);
    EXPECT_EQ(config_of("{}").sampling({}).temperature, 0) << "a penalty asks for no sampling";
}

TEST(GenerationConfig, RulesAreTheFiles) {
    const LogitRules rules = config_of(R"({"repetition_penalty": 1.5, "no_repeat_ngram_size": 3, "min_length": 4,
                                           "min_new_tokens": 0, "sequence_bias": [[[1, 2], -0.5], [[3], 2]],
                                           "bad_words_ids": [[4], [5, 6]], "forced_bos_token_id": 7,
                                           "forced_eos_token_id": 8, "suppress_tokens": [-1, 90],
                                           "begin_suppress_tokens": [9]})")
                                 .rules({}, 10);
    EXPECT_EQ(rules.repetition_penalty, 1.5);
    EXPECT_EQ(rules.no_repeat_ngram_size, 3);
    EXPECT_EQ(rules.min_length, 4);
    EXPECT_EQ(rules.min_new_tokens, 0);
    ASSERT_EQ(rules.sequence_bias.size(), 2u);
    EXPECT_THAT(rules.sequence_bias[0].tokens, ElementsAre(1, 2));
    EXPECT_EQ(rules.sequence_bias[0].bias, -0.5);
    EXPECT_EQ(rules.sequence_bias[1].bias, 2);
    EXPECT_THAT(rules.bad_words_ids, ElementsAre(ElementsAre(4), ElementsAre(5, 6)));
    EXPECT_EQ(rules.forced_bos_token_id, 7);
    EXPECT_THAT(rules.forced_eos_token_id, ElementsAre(8));
    EXPECT_THAT(rules.suppress_tokens, ElementsAre(-1, 90));
    EXPECT_THAT(rules.begin_suppress_tokens, ElementsAre(9));
    EXPECT_THAT(config_of(R"({"forced_eos_token_id": [1, 2]})").rules({}, 10).forced_eos_token_id, ElementsAre(1, 2));
    EXPECT_FALSE(LogitProcessor(config_of(R"({"repetition_penalty": 1, "bad_words_ids": [], "min_length": 0,
                                              "suppress_tokens": null})")
                                    .rules({}, 10),
                                {})
                     .any());
}

TEST(GenerationConfig, StopStringsAreOneOrMany) {
    EXPECT_THAT(config_of("{}").stop_strings(), ElementsAre());
    EXPECT_THAT(config_of(R"({"stop_strings": "a"})").stop_strings(), ElementsAre("a"));
    EXPECT_THAT(config_of(R"({"stop_strings": ["a", "b c"]})").stop_strings(), ElementsAre("a", "b c"));
}

TEST(GenerationConfig, WhatIsNotDoneIsNamed) {
    EXPECT_THAT(config_of(R"({"num_beams": 4, "repetition_penalty": 1.1, "penalty_alpha": 0.6, "guidance_scale": 1,
                              "encoder_repetition_penalty": 2})")
                    .ignored(),
                ElementsAre("encoder_repetition_penalty", "num_beams", "penalty_alpha"));
    EXPECT_THAT(config_of(R"({"num_beams": 1, "guidance_scale": null})").ignored(), ElementsAre());
}

TEST(GenerationConfig, WrongValuesAreErrorsOfTheirKey) {
    const std::vector<std::pair<const char*, const char*>> cases = {
        {R"({"temperature": -1})", "temperature: expected 0 or more, got -1"},
        {R"({"top_p": "x"})", "top_p: expected above 0, at most 1, got \"x\""},
        {R"({"top_k": 1e300})", "top_k: expected an integer from 0 to 2147483648, got 1e+300"},
        {R"({"min_p": 1.5})", "min_p: expected 0 to 1, got 1.5"},
        {R"({"typical_p": 0})", "typical_p: expected above 0, at most 1, got 0"},
        {R"({"epsilon_cutoff": 1})", "epsilon_cutoff: expected 0 or more, below 1, got 1"},
        {R"({"eta_cutoff": true})", "eta_cutoff: expected 0 or more, below 1, got true"},
        {R"({"top_h": 0})", "top_h: expected above 0, at most 1, got 0"},
        {R"({"repetition_penalty": 0})", "repetition_penalty: expected a number above 0"},
        {R"({"repetition_penalty": "1"})", "repetition_penalty: expected a number above 0"},
        {R"({"no_repeat_ngram_size": 1.5})", "no_repeat_ngram_size: expected an integer from 0 to 2147483648"},
        {R"({"min_length": -1})", "min_length: expected an integer from 0 to 2147483648"},
        {R"({"min_new_tokens": "2"})", "min_new_tokens: expected an integer from 0 to 2147483648"},
        {R"({"sequence_bias": {"1": 2}})", "sequence_bias: expected a list of pairs"},
        {R"({"sequence_bias": [[[1], "2"]]})", "sequence_bias: expected a list of pairs"},
        {R"({"sequence_bias": [[[10], 2]]})", "sequence_bias: expected token ids below the model's vocabulary of 10"},
        {R"({"bad_words_ids": 3})", "bad_words_ids: expected a list of lists of token ids, got 3"},
        {R"({"bad_words_ids": [3]})", "bad_words_ids: expected lists of at least one token id"},
        {R"({"bad_words_ids": [[-1]]})", "bad_words_ids: expected token ids below the model's vocabulary of 10"},
        {R"({"forced_bos_token_id": 1.5})", "forced_bos_token_id: expected token ids below"},
        {R"({"forced_eos_token_id": [10]})", "forced_eos_token_id: expected token ids below"},
        {R"({"suppress_tokens": 3})", "suppress_tokens: expected a list of token ids, got 3"},
        {R"({"begin_suppress_tokens": ["a"]})", "begin_suppress_tokens: expected a list of token ids"},
        {R"({"stop_strings": [""]})", "stop_strings: expected a string that is not empty"}};
    for (const auto& [json, line] : cases) {
        Json content = parse_json(json, "test");
        content["do_sample"] = true;
        const GenerationConfig config("m/generation_config.json", content);
        std::string message = "nothing";
        try {
            config.sampling({});
            config.rules({}, 10);
            config.stop_strings();
        } catch (const Error& error) {
            message = error.what();
        }
        EXPECT_THAT(message, testing::StartsWith(std::string("m/generation_config.json: ") + line)) << json;
    }
    EXPECT_NO_THROW(config_of(R"({"typical_p": 9})").sampling({})) << "nobody samples";
}

}  // namespace
}  // namespace craft
