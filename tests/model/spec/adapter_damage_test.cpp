#include "model/spec/adapter_damage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace craft {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using Shapes = std::map<std::string, std::vector<int64_t>>;

const std::string kFile = "dir/adapter_model.safetensors", kDamagedQ0 = "model.layers.0.self_attn.q_proj",
                  kDamagedQ1 = "model.layers.1.self_attn.q_proj", kEmbedding = "model.embed_tokens";

// Of rank 4, on matrices [6, 5] and an embedding of 9 rows of width 5, with a head that is replaced.
Shapes whole() {
    Shapes shapes = {
        {kEmbedding + ".lora_embedding_A", {4, 9}}, {kEmbedding + ".lora_embedding_B", {5, 4}}, {"lm_head.weight", {9, 5}}};
    for (const std::string& module : {kDamagedQ0, kDamagedQ1}) {
        shapes[module + ".lora_A.weight"] = {4, 5};
        shapes[module + ".lora_B.weight"] = {6, 4};
    }
    return shapes;
}

std::string failure(const Shapes& shapes, const LoraOptions& options = {.rank = 4}) {
    try {
        check_adapter_tensors(shapes, options, "dir");
    } catch (const Error& error) {
        return error.what();
    }
    return "none";
}

TEST(AdapterDamage, AWholeAdapterHasNone) {
    EXPECT_EQ(failure(whole()), "none");
    LoraOptions options{.rank = 7};
    options.ranks = {{R"(layers\.\d\..*)", 4}, {"embed_tokens", 4}};
    EXPECT_EQ(failure(whole(), options), "none");
}

TEST(AdapterDamage, NoTensorsOrNoneOfAnAdapter) {
    EXPECT_THAT(failure({}), StartsWith(kFile + ": expected lora_A and lora_B of some modules, got no tensors"));
    EXPECT_THAT(failure({{kDamagedQ0 + ".lora_A.default.weight", {4, 5}}, {"x", {1}}}),
                HasSubstr("got 2 other tensors, the first '" + kDamagedQ0 + ".lora_A.default.weight'"));
}

TEST(AdapterDamage, TensorsWithoutValues) {
    Shapes shapes = whole();
    shapes["lm_head.weight"] = {0};
    EXPECT_THAT(failure(shapes),
                StartsWith(kFile + ": tensor 'lm_head.weight': expected values, got none, shape [0] (DeepSpeed's ZeRO-3"));
    shapes[kDamagedQ1 + ".lora_B.weight"] = {6, 0};
    EXPECT_THAT(failure(shapes), HasSubstr("got none, shape [0], and 1 more without values (DeepSpeed's"));
}

TEST(AdapterDamage, AHalfWithoutTheOther) {
    for (const std::string& missing :
         {kDamagedQ0 + ".lora_A.weight", kDamagedQ1 + ".lora_B.weight", kEmbedding + ".lora_embedding_A"}) {
        Shapes shapes = whole();
        shapes.erase(missing);
        EXPECT_THAT(failure(shapes), StartsWith(kFile + ": module '" + missing.substr(0, missing.find(".lora_")) +
                                                "': expected both halves, got no '" + missing + "' (the other half"));
    }
    Shapes shapes = whole();
    shapes.erase(kDamagedQ0 + ".lora_A.weight");
    shapes.erase(kDamagedQ1 + ".lora_B.weight");
    EXPECT_THAT(failure(shapes), HasSubstr("got no '" + kDamagedQ0 + ".lora_A.weight', and 1 more without a half"));
}

TEST(AdapterDamage, RanksThatDiffer) {
    Shapes shapes = whole();
    shapes[kDamagedQ1 + ".lora_B.weight"] = {6, 3};
    EXPECT_EQ(failure(shapes), kFile + ": module '" + kDamagedQ1 +
                                   "': expected A [rank, inputs] and B [outputs, rank], got [4, 5] and [6, 3] (the file is "
                                   "damaged)");
    shapes[kDamagedQ1 + ".lora_B.weight"] = {6, 4, 1};
    EXPECT_THAT(failure(shapes), HasSubstr("got [4, 5] and [6, 4, 1]"));
    shapes = whole();
    EXPECT_THAT(
        failure(shapes, {.rank = 8}),
        HasSubstr(": expected rank 8, as adapter_config.json says, got tensors of rank 4, and 2 more of another rank"));
    LoraOptions options{.rank = 4};
    options.ranks = {{"layers.1.self_attn.q_proj", 2}};
    EXPECT_EQ(failure(shapes, options),
              kFile + ": module '" + kDamagedQ1 +
                  "': expected rank 2, as adapter_config.json says, got tensors of rank 4 (its r or rank_pattern is another "
                  "adapter's)");
}

// It is named before the rank that its modules have for it.
TEST(AdapterDamage, APatternThatMatchesNothing) {
    LoraOptions options{.rank = 8};
    options.ranks = {{"q_prj", 4}};
    EXPECT_THAT(failure(whole(), options), StartsWith("dir/adapter_config.json: rank_pattern: "));
    options = {.rank = 4};
    options.alphas = {{"down_proj", 4}};
    EXPECT_THAT(failure(whole(), options), StartsWith("dir/adapter_config.json: alpha_pattern: "));
}

}  // namespace
}  // namespace craft
