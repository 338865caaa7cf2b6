// config.json of every kind of model with every key spoiled: an error that names the file, or a config that can be used.
#include <gtest/gtest.h>

#include <map>

#include "core/error.h"
#include "model/spec/architecture.h"
#include "model/spec/encoder_family.h"

namespace craft {
namespace {

const Json kBertJson = {{"architectures", {"BertForSequenceClassification"}},
                        {"model_type", "bert"},
                        {"vocab_size", 40},
                        {"hidden_size", 16},
                        {"num_hidden_layers", 2},
                        {"num_attention_heads", 2},
                        {"intermediate_size", 24},
                        {"max_position_embeddings", 24},
                        {"type_vocab_size", 2},
                        {"layer_norm_eps", 1e-12},
                        {"hidden_act", "gelu"},
                        {"position_embedding_type", "absolute"},
                        {"pruned_heads", Json::object()},
                        {"is_decoder", false},
                        {"add_cross_attention", false},
                        {"id2label", {{"0", "LABEL_0"}}},
                        {"problem_type", "regression"},
                        {"pad_token_id", 0}};

const Json kBartJson = {{"architectures", {"BartForConditionalGeneration"}},
                        {"model_type", "bart"},
                        {"vocab_size", 40},
                        {"d_model", 16},
                        {"encoder_layers", 2},
                        {"encoder_attention_heads", 2},
                        {"encoder_ffn_dim", 24},
                        {"decoder_layers", 1},
                        {"decoder_attention_heads", 4},
                        {"decoder_ffn_dim", 20},
                        {"max_position_embeddings", 24},
                        {"activation_function", "gelu"},
                        {"scale_embedding", true},
                        {"normalize_before", false},
                        {"normalize_embedding", true},
                        {"add_final_layer_norm", false},
                        {"static_position_embeddings", false},
                        {"extra_pos_embeddings", 2},
                        {"is_encoder_decoder", true},
                        {"tie_word_embeddings", true},
                        {"decoder_start_token_id", 2}};

const Json kLlamaJson = {{"architectures", {"LlamaForCausalLM"}},
                         {"model_type", "llama"},
                         {"vocab_size", 40},
                         {"hidden_size", 16},
                         {"intermediate_size", 24},
                         {"num_hidden_layers", 2},
                         {"num_attention_heads", 4},
                         {"num_key_value_heads", 2},
                         {"head_dim", 8},
                         {"max_position_embeddings", 64},
                         {"rms_norm_eps", 1e-6},
                         {"hidden_act", "silu"},
                         {"rope_theta", 10000.0},
                         {"rope_scaling",
                          {{"rope_type", "llama3"},
                           {"factor", 8.0},
                           {"low_freq_factor", 1.0},
                           {"high_freq_factor", 4.0},
                           {"original_max_position_embeddings", 32}}},
                         {"tie_word_embeddings", true},
                         {"bos_token_id", 1},
                         {"eos_token_id", {2, 3}}};

ConfigReader reader(const Json& json) {
    return {"F", json};
}

std::string refusal(const Json& json) {
    try {
        const EncoderFamily* const family = find_encoder_family(reader(json));
        if (family == nullptr) parse_decoder_config(reader(json), nullptr);
        if (family == &kBart) parse_seq2seq_config(reader(json), nullptr);
        if (family != nullptr) parse_encoder_config(reader(json));
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

Json with(Json json, const std::string& key, const Json& value) {
    json[key] = value;
    return json;
}

TEST(Config, AnySpoiltKeyIsRefusedByItsNameOrHarmless) {
    const std::vector<Json> values = {
        nullptr, -1,    0,    1,     int64_t{1} << 40, int64_t{1} << 62, UINT64_MAX, 1e308,      -0.5,
        "x",     "",    true, false, Json::array(),    Json::object(),   {1, "a"},   {{"a", 1}}, {-1},
        {{}},    1e-320};
    int refused = 0;
    for (const Json& whole : {kBertJson, kBartJson, kLlamaJson}) {
        ASSERT_EQ(refusal(whole), "");
        for (const auto& [key, was] : whole.items()) {
            for (const Json& value : values) {
                const std::string said = refusal(with(whole, key, value));
                EXPECT_TRUE(said.empty() || said.starts_with("F: ")) << said;
                refused += !said.empty();
            }
            Json without = whole;
            without.erase(key);
            const std::string said = refusal(without);
            EXPECT_TRUE(said.empty() || said.find(key) != std::string::npos) << key << ": " << said;
        }
    }
    EXPECT_GT(refused, 500);
}

TEST(Config, WhatTheModelsDoNotHaveIsNamed) {
    const std::vector<std::pair<Json, std::string>> spoilt = {
        {with(kBertJson, "position_embedding_type", "relative_key"), "position_embedding_type: expected \"absolute\""},
        {with(kBertJson, "is_decoder", true), "is_decoder: expected false"},
        {with(kBertJson, "add_cross_attention", true), "add_cross_attention: expected false"},
        {with(kBertJson, "num_attention_heads", 3), "hidden_size: expected a multiple of num_attention_heads 3"},
        {with(kBertJson, "hidden_act", "mish"), "hidden_act: expected one of silu, "},
        {with(kBartJson, "normalize_before", true), "normalize_before: expected false"},
        {with(kBartJson, "add_final_layer_norm", true), "add_final_layer_norm: expected false"},
        {with(kBartJson, "normalize_embedding", false), "normalize_embedding: expected true"},
        {with(kBartJson, "decoder_start_token_id", 40), "decoder_start_token_id: expected a token id below vocab_size 40"},
        {with(kBartJson, "decoder_start_token_id", nullptr), "decoder_start_token_id: expected a token id, got nothing"},
        {with(kBartJson, "decoder_attention_heads", 3), "d_model: expected a multiple of decoder_attention_heads 3"},
    };
    for (const auto& [json, said] : spoilt) EXPECT_TRUE(refusal(json).starts_with("F: " + said)) << refusal(json);
    EXPECT_NE(refusal(with(kBertJson, "architectures", {"BertForMultipleChoice"})).find("LlamaForCausalLM"),
              std::string::npos);
}

TEST(Config, OneLabelIsARegressionUnlessTheFileSaysOtherwise) {
    const auto regression = [](const Json& json) { return parse_encoder_config(reader(json)).regression; };
    EXPECT_TRUE(regression(kBertJson));
    EXPECT_TRUE(regression(with(kBertJson, "problem_type", nullptr)));
    EXPECT_FALSE(regression(with(kBertJson, "problem_type", "multi_label_classification")));
    EXPECT_FALSE(regression(with(kBertJson, "id2label", {{"0", "a"}, {"1", "b"}})));
    EXPECT_FALSE(regression(with(kBertJson, "id2label", nullptr))) << "two labels where nothing is said";
    EXPECT_TRUE(regression(with(with(kBertJson, "id2label", nullptr), "num_labels", 1)));
    EXPECT_FALSE(regression(with(kBertJson, "architectures", {"BertModel"})));
}

TEST(Config, PositionsBeginWhereTheFamilySaysSo) {
    EXPECT_EQ(parse_encoder_config(reader(kBertJson)).max_tokens(), 24);
    const Json roberta = with(with(kBertJson, "architectures", {"RobertaModel"}), "pad_token_id", 5);
    EXPECT_EQ(parse_encoder_config(reader(roberta)).first_position, 6);
    EXPECT_EQ(parse_encoder_config(reader(roberta)).max_tokens(), 18);
    EXPECT_TRUE(refusal(with(roberta, "pad_token_id", nullptr)).starts_with("F: pad_token_id: "));
    EXPECT_TRUE(refusal(with(roberta, "max_position_embeddings", 6)).starts_with("F: max_position_embeddings: "));
    const EncoderConfig bart = parse_encoder_config(reader(kBartJson));
    EXPECT_EQ(bart.position_rows, 26);
    EXPECT_EQ(bart.max_tokens(), 24);
    EXPECT_EQ(bart.embedding_scale, 4);
}

TEST(Config, TheStartTokenIsConfigsThenGenerations) {
    const ConfigReader generation("G", {{"decoder_start_token_id", 7}});
    const auto start = [&](const Json& json, const ConfigReader* second) {
        return parse_seq2seq_config(reader(json), second).start_token;
    };
    EXPECT_EQ(start(kBartJson, &generation), 2);
    EXPECT_EQ(start(with(kBartJson, "decoder_start_token_id", nullptr), &generation), 7);
    Json without = kBartJson;
    without.erase("decoder_start_token_id");
    EXPECT_EQ(start(without, nullptr), 2) << "BART's own";
}

}  // namespace
}  // namespace craft
