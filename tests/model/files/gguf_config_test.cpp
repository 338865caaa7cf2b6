#include "model/files/gguf_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/error.h"
#include "model/files/gguf_tokenizer.h"
#include "tests/core/temporary_folder.h"
#include "tests/model/files/gguf_writer.h"

namespace craft {
namespace {

using test::GgufWriter;
using test::raw;
using testing::HasSubstr;

// 2 layers, width 8, 2 heads of 4, 5 tokens.
GgufWriter sizes(const std::string& a) {
    GgufWriter writer(a);
    writer.u32(a + ".block_count", 2).u32(a + ".context_length", 64).u32(a + ".embedding_length", 8);
    writer.u32(a + ".feed_forward_length", 12).u32(a + ".attention.head_count", 2);
    return writer.floats("token_embd.weight", {8, 5}, std::vector<float>(40));
}

class GgufConfig : public testing::Test {
protected:
    GgufFile open(const GgufWriter& writer) const { return GgufFile(folder_.file("x.gguf", writer.bytes())); }
    Json config_of(const GgufWriter& writer) const { return gguf_config(open(writer)); }
    std::string refusal_of(const GgufWriter& writer) const {
        return message_of([&] { config_of(writer); }).substr((folder_.path() / "x.gguf").string().size());
    }
    TemporaryFolder folder_;
};

TEST_F(GgufConfig, OfALlama) {
    const Json config = config_of(sizes("llama")
                                      .f32("llama.attention.layer_norm_rms_epsilon", 1e-5F)
                                      .f32("llama.rope.freq_base", 500000)
                                      .u32("tokenizer.ggml.bos_token_id", 1)
                                      .u32("tokenizer.ggml.eos_token_id", 2));
    const Json expected = {{"architectures", {"LlamaForCausalLM"}},
                           {"model_type", "llama"},
                           {"hidden_size", 8},
                           {"intermediate_size", 12},
                           {"num_hidden_layers", 2},
                           {"num_attention_heads", 2},
                           {"num_key_value_heads", 2},
                           {"head_dim", 4},
                           {"max_position_embeddings", 64},
                           {"rms_norm_eps", 1e-5},
                           {"hidden_act", "silu"},
                           {"rope_theta", 500000.0},
                           {"attention_bias", false},
                           {"mlp_bias", false},
                           {"vocab_size", 5},
                           {"tie_word_embeddings", true},
                           {"bos_token_id", 1},
                           {"eos_token_id", 2}};
    EXPECT_EQ(config.dump(1), expected.dump(1));
    const Json other = config_of(sizes("llama")
                                     .u32("llama.attention.sliding_window", 16)
                                     .u32("llama.attention.key_length", 6)
                                     .numbers<int32_t>("llama.attention.head_count_kv", 5, {1, 1})
                                     .floats("output.weight", {8, 5}, std::vector<float>(40))
                                     .floats("blk.0.attn_q.bias", {12}, std::vector<float>(12)));
    EXPECT_EQ(other["architectures"][0], "MistralForCausalLM") << "a Llama whose layers see a window";
    EXPECT_EQ(other["sliding_window"], 16);
    EXPECT_EQ(other["head_dim"], 6);
    EXPECT_EQ(other["num_key_value_heads"], 1);
    EXPECT_EQ(other["tie_word_embeddings"], false);
    EXPECT_EQ(other["attention_bias"], true);
}

TEST_F(GgufConfig, RefusesWhatMightChangeLogits) {
    EXPECT_EQ(refusal_of(GgufWriter("mamba")),
              ": general.architecture: expected one of llama, qwen2, qwen3, phi3, gemma2, gpt2, got 'mamba' "
              "(docs/models.md lists what can be loaded)");
    EXPECT_EQ(
        refusal_of(sizes("llama").f32("llama.logit_scale", 0.5F)),
        ": llama.logit_scale: expected no such key in a model of architecture llama, got 0.5 (its meaning is unknown)");
    EXPECT_THAT(refusal_of(sizes("qwen2").u32("qwen2.attention.sliding_window", 4096)),
                HasSubstr("qwen2.attention.sliding_window: expected no such key"));
    EXPECT_THAT(refusal_of(sizes("llama").u32("llama.expert_count", 8)),
                HasSubstr("llama.expert_count: expected 0.0, got 8 (mixtures of experts are not supported)"));
    EXPECT_THAT(refusal_of(sizes("llama").flag("llama.attention.causal", false)), HasSubstr("expected true, got false"));
    EXPECT_THAT(refusal_of(sizes("llama").f32("llama.attention.scale", 1)),
                HasSubstr("llama.attention.scale: expected 0.5"));
    EXPECT_EQ(config_of(sizes("llama").f32("llama.attention.scale", 0.5F))["head_dim"], 4) << "what it is anyway";
    EXPECT_THAT(refusal_of(sizes("llama").text("llama.rope.scaling.type", "ntk")),
                HasSubstr("llama.rope.scaling.type: expected none, linear, yarn (not in phi3), longrope with its factors "
                          "(phi3), got 'ntk'"));
    EXPECT_THAT(refusal_of(sizes("llama").u32("llama.rope.dimension_count", 2)),
                HasSubstr("llama.rope.dimension_count: expected the heads' size 4, got 2"));
    EXPECT_THAT(refusal_of(sizes("llama").numbers<int32_t>("llama.attention.head_count_kv", 5, {1, 2})),
                HasSubstr("expected one size for all layers, got 2 numbers"));
    EXPECT_THAT(refusal_of(sizes("llama").u32("llama.attention.value_length", 3)),
                HasSubstr("expected that of keys, 4, got 3"));
    EXPECT_THAT(refusal_of(GgufWriter("llama")), HasSubstr("expected a tensor 'token_embd.weight', got none of that name"));
}

TEST_F(GgufConfig, LinearScaling) {
    const Json scaled = config_of(sizes("llama").f32("llama.rope.scaling.factor", 4));
    EXPECT_EQ(scaled["rope_scaling"], (Json{{"rope_type", "linear"}, {"factor", 4.0}})) << "the type that llama.cpp assumes";
    EXPECT_FALSE(config_of(sizes("llama").f32("llama.rope.scaling.factor", 4).text("llama.rope.scaling.type", "none"))
                     .contains("rope_scaling"));
}

TEST_F(GgufConfig, Yarn) {
    const auto yarn = [] {
        return sizes("llama").text("llama.rope.scaling.type", "yarn").f32("llama.rope.scaling.factor", 4);
    };
    Json wanted = {{"rope_type", "yarn"},
                   {"factor", 4.0},
                   {"original_max_position_embeddings", config_of(yarn())["max_position_embeddings"]},
                   {"beta_fast", 32.0},
                   {"beta_slow", 1.0}};
    EXPECT_EQ(config_of(yarn())["rope_scaling"], wanted);
    wanted.update(
        {{"original_max_position_embeddings", 12}, {"beta_fast", 16.0}, {"attention_factor", 2 * (0.1 * std::log(4) + 1)}});
    EXPECT_EQ(config_of(yarn()
                            .u32("llama.rope.scaling.original_context_length", 12)
                            .f32("llama.rope.scaling.yarn_beta_fast", 16)
                            .f32("llama.rope.scaling.yarn_ext_factor", 1)
                            .f32("llama.rope.scaling.attn_factor", 2))["rope_scaling"],
              wanted);
    EXPECT_THAT(refusal_of(sizes("llama").text("llama.rope.scaling.type", "yarn")),
                HasSubstr("llama.rope.scaling.factor: expected yarn's factor, got none"));
    EXPECT_THAT(refusal_of(yarn().f32("llama.rope.scaling.yarn_ext_factor", 0)), HasSubstr("yarn_ext_factor: expected 1.0"));
    EXPECT_THAT(refusal_of(yarn().f32("llama.rope.scaling.yarn_log_multiplier", 0.1F)), HasSubstr("expected no such key"));
    EXPECT_THAT(refusal_of(sizes("llama").f32("llama.rope.scaling.attn_factor", 2)),
                HasSubstr("expected no such key where rope.scaling.type is not yarn"));
}

// rope_freqs.weight by the definition: 1 for short waves, the factor for long ones, and between them the mean of both
// frequencies, weighted by where the wave lies.
std::vector<float> divisors(int dims, double theta, double factor, double low, double high, double original) {
    std::vector<float> all;
    for (int i = 0; i < dims; i += 2) {
        const double waves = original * std::pow(theta, -static_cast<double>(i) / dims) / (2 * std::numbers::pi);
        const double smooth = std::clamp((waves - low) / (high - low), 0.0, 1.0);
        all.push_back(static_cast<float>(1 / ((1 - smooth) / factor + smooth)));
    }
    return all;
}

TEST_F(GgufConfig, ScalingOfLlama3IsFoundInItsFactors) {
    constexpr int kDims = 64;
    const auto with = [](const std::vector<float>& values) {
        GgufWriter writer("llama");
        writer.u32("llama.block_count", 1).u32("llama.context_length", 131072).u32("llama.embedding_length", 2 * kDims);
        writer.u32("llama.feed_forward_length", 8).u32("llama.attention.head_count", 2).f32("llama.rope.freq_base", 500000);
        writer.floats("token_embd.weight", {2 * kDims, 1}, std::vector<float>(2 * kDims));
        return writer.floats("rope_freqs.weight", {values.size()}, values);
    };
    const auto scaling = [](double factor, double low, double high, int original) {
        return Json{{"rope_type", "llama3"},
                    {"factor", factor},
                    {"low_freq_factor", low},
                    {"high_freq_factor", high},
                    {"original_max_position_embeddings", original}};
    };
    EXPECT_EQ(config_of(with(divisors(kDims, 500000, 8, 1, 4, 8192)))["rope_scaling"], scaling(8, 1, 4, 8192));
    EXPECT_EQ(config_of(with(divisors(kDims, 500000, 32, 1, 4, 8192)))["rope_scaling"], scaling(32, 1, 4, 8192));
    // Only the ratios show: half of low, high and original is the same.
    EXPECT_EQ(config_of(with(divisors(kDims, 500000, 16, 2, 12, 4096)))["rope_scaling"], scaling(16, 1, 6, 2048));
    EXPECT_FALSE(config_of(with(std::vector<float>(kDims / 2, 1))).contains("rope_scaling"));
    std::vector<float> odd = divisors(kDims, 500000, 8, 1, 4, 8192);
    odd[3] = 3;
    EXPECT_THAT(refusal_of(with(odd)), HasSubstr(": tensor 'rope_freqs.weight': expected what Llama 3's scaling"));
    odd[3] = -1;
    EXPECT_THAT(refusal_of(with(odd)), HasSubstr("expected positive numbers"));
    EXPECT_THAT(refusal_of(with({1, 1})), HasSubstr("expected 32 float32 numbers, one for each pair of dimensions"));
}

TEST_F(GgufConfig, OfPhi3) {
    const Json config = config_of(sizes("phi3")
                                      .u32("phi3.attention.sliding_window", 2047)
                                      .u32("phi3.rope.dimension_count", 2)
                                      .u32("phi3.rope.scaling.original_context_length", 32)
                                      .f32("phi3.rope.scaling.attn_factor", 1.25F)
                                      .floats("rope_factors_long.weight", {1}, {2})
                                      .floats("rope_factors_short.weight", {1}, {1}));
    EXPECT_EQ(config["sliding_window"], 2047);
    EXPECT_EQ(config["partial_rotary_factor"], 0.5);
    EXPECT_EQ(config["original_max_position_embeddings"], 32);
    EXPECT_EQ(
        config["rope_scaling"],
        (Json{{"rope_type", "longrope"}, {"long_factor", {2.0}}, {"short_factor", {1.0}}, {"attention_factor", 1.25}}));
    EXPECT_TRUE(config_of(sizes("phi3"))["sliding_window"].is_null());
    EXPECT_THAT(refusal_of(sizes("phi3").floats("rope_factors_long.weight", {2}, {2, 2})),
                HasSubstr("expected rope_factors_long.weight and rope_factors_short.weight"));
    EXPECT_THAT(refusal_of(sizes("phi3").text("phi3.rope.scaling.type", "longrope")), HasSubstr("got neither"));
}

TEST_F(GgufConfig, OfGemma2) {
    const Json config = config_of(sizes("gemma2"));
    EXPECT_EQ(config["attn_logit_softcapping"], 50.0);
    EXPECT_EQ(config["final_logit_softcapping"], 30.0);
    EXPECT_EQ(config["sliding_window"], 4096);
    EXPECT_EQ(config["query_pre_attn_scalar"], 4) << "the heads' size";
    const Json off = config_of(sizes("gemma2")
                                   .f32("gemma2.attn_logit_softcapping", 0)
                                   .f32("gemma2.final_logit_softcapping", 2)
                                   .u32("gemma2.attention.sliding_window", 9));
    EXPECT_TRUE(off["attn_logit_softcapping"].is_null());
    EXPECT_EQ(off["final_logit_softcapping"], 2.0);
    EXPECT_EQ(off["sliding_window"], 9);
    GgufWriter large("gemma2");  // of 27 B parameters: the width by the number of heads
    large.u32("gemma2.block_count", 46).u32("gemma2.context_length", 64).u32("gemma2.embedding_length", 12);
    large.u32("gemma2.feed_forward_length", 12).u32("gemma2.attention.head_count", 2).u32("gemma2.attention.key_length", 4);
    EXPECT_EQ(config_of(large.floats("token_embd.weight", {12, 1}, std::vector<float>(12)))["query_pre_attn_scalar"], 6);
}

TEST_F(GgufConfig, TensorsUnderTransformersNames) {
    const GgufFile file = open(sizes("llama")
                                   .floats("blk.0.attn_k.weight", {8, 8}, std::vector<float>(64))
                                   .floats("blk.1.ffn_down.weight", {12, 8}, std::vector<float>(96))
                                   .floats("output_norm.weight", {8}, std::vector<float>(8))
                                   .floats("rope_freqs.weight", {2}, {1, 1}));
    std::string names;
    for (const GgufWeight& weight : gguf_weights(file))
        names += weight.name + (weight.layout == GgufLayout::interleaved ? " interleaved " : " ");
    EXPECT_EQ(names,
              "model.layers.0.self_attn.k_proj.weight interleaved model.layers.1.mlp.down_proj.weight model.norm.weight "
              "model.embed_tokens.weight ");
    for (const std::string name :
         {"blk.0.ffn_gate_inp.weight", "blk.x.attn_q.weight", "blk.0", "more.weight", "token_embd.scale"})
        EXPECT_EQ(
            message_of([&] { gguf_weights(open(sizes("llama").floats(name, {8}, std::vector<float>(8)))); }),
            file.path() + ": tensor '" + name +
                "': expected a tensor of a model of architecture llama, got another one (the model has unknown parts)");
    EXPECT_THAT(message_of([&] {
                    gguf_weights(open(sizes("llama").floats("blk.0.attn_q.weight", {8, 6}, std::vector<float>(48))));
                }),
                HasSubstr("expected rows for 2 heads of even size, got 6"));
    EXPECT_THAT(
        message_of([&] { gguf_weights(open(sizes("llama").tensor("output_norm.weight", {32}, 8, std::string(34, 'x')))); }),
        HasSubstr("expected a vector in F32, F16 or BF16, got Q8_0"));
    const GgufFile gpt2 = open(sizes("gpt2").floats("blk.0.ffn_up.weight", {8, 12}, std::vector<float>(96)));
    EXPECT_EQ(gguf_weights(gpt2)[0].name, "transformer.h.0.mlp.c_fc.weight");
    EXPECT_EQ(gguf_weights(gpt2)[0].shape, (std::vector<int64_t>{8, 12})) << "as [in, out]";
}

TEST_F(GgufConfig, EndTokens) {
    const auto ends = [&](GgufWriter writer, const std::vector<std::string>& tokens, const std::vector<int32_t>& types) {
        return gguf_end_tokens(
            open(writer.texts("tokenizer.ggml.tokens", tokens).numbers("tokenizer.ggml.token_type", 5, types)));
    };
    const std::vector<std::string> tokens = {"a", "<|eot_id|>", "<|end_of_text|>", "<|endoftext|>"};
    const GgufWriter llama3 = GgufWriter().u32("tokenizer.ggml.eos_token_id", 2);
    EXPECT_EQ(ends(llama3, tokens, {1, 3, 3, 3}), (std::vector<int64_t>{2, 1, 3})) << "spelled as the end of a turn";
    EXPECT_EQ(ends(llama3, tokens, {1, 1, 3, 1}), (std::vector<int64_t>{2})) << "a word of the vocabulary ends nothing";
    EXPECT_EQ(ends(GgufWriter(llama3).u32("tokenizer.ggml.eot_token_id", 1), tokens, {1, 3, 3, 3}),
              (std::vector<int64_t>{2, 1}))
        << "what the file says is all";
    EXPECT_THAT(message_of([&] {
                    ends(GgufWriter().u32("tokenizer.ggml.eos_token_id", 4), tokens, {1, 3, 3, 3});
                }),
                HasSubstr("tokenizer.ggml.eos_token_id: expected one of 4 tokens, got 4"));
}

TEST_F(GgufConfig, HowItsMakerSamples) {
    const auto generation = [&](GgufWriter writer) {
        return gguf_generation_config(open(writer.texts("tokenizer.ggml.tokens", {"a"})));
    };
    EXPECT_EQ(generation(GgufWriter()), Json::object());
    EXPECT_EQ(generation(GgufWriter()
                             .f32("general.sampling.temp", 0.6F)
                             .f32("general.sampling.top_p", 0.95F)
                             .value("general.sampling.top_k", 5, raw(int32_t{20}))),
              (Json{{"do_sample", true}, {"temperature", 0.6}, {"top_k", 20}, {"top_p", 0.95}}));
}

}  // namespace
}  // namespace craft
