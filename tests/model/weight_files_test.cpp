#include "model/weight_files.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include <functional>

#include "core/error.h"
#include "core/files.h"
#include "core/json.h"
#include "core/log.h"
#include "tests/model/small_decoder.h"

namespace craft {
namespace {

using test::TemporaryFolder;

// A small decoder in two shards, beside which a test spoils something; loading must then name what is said.
struct Shards : ::testing::Test {
    TemporaryFolder folder{"weight-files"};
    NamedTensors first, second;
    Json map = Json::object();

    void SetUp() override {
        Rng rng(9, "shards");
        Decoder::initialise(test::small_config(), rng).save(folder.path, at::kFloat);
        const SafetensorsFile whole(folder.path / "model.safetensors");
        for (const std::string& name : whole.names()) {
            const bool early = name < "model.layers.1";
            (early ? first : second).emplace_back(name, whole.tensor(name));
            map[name] = early ? "one.safetensors" : "two.safetensors";
        }
        std::filesystem::remove(folder.path / "model.safetensors");
    }

    void write() const {
        write_safetensors(folder.path / "one.safetensors", first);
        write_safetensors(folder.path / "two.safetensors", second);
        write_json_file(folder.path / "model.safetensors.index.json", {{"weight_map", map}});
    }

    void expect_error(const std::vector<std::string>& named) const {
        try {
            Decoder::load(folder.path, at::kFloat, at::kCPU);
            ADD_FAILURE() << "loaded";
        } catch (const Error& error) {
            for (const std::string& part : named)
                EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << part << " in: " << error.what();
        }
    }
};

TEST_F(Shards, ADebugLineTellsWhatWasRead) {
    write();
    configure_log({.format = LogFormat::json, .debug = true});
    ::testing::internal::CaptureStderr();
    Decoder::load(folder.path, at::kBFloat16, at::kCPU);
    const Json line = parse_json(::testing::internal::GetCapturedStderr(), "stderr");
    configure_log({});
    size_t stored = 0;
    for (const NamedTensors* shard : {&first, &second})
        for (const auto& [name, tensor] : *shard) stored += tensor.nbytes();
    EXPECT_EQ(line["bytes"], stored);
    EXPECT_GE(line["seconds"], 0);
}

TEST_F(Shards, AMissingShardIsNamed) {
    write();
    std::filesystem::remove(folder.path / "two.safetensors");
    expect_error({"model.safetensors.index.json", "two.safetensors"});
}

TEST_F(Shards, ATensorThatItsShardDoesNotHoldIsNamed) {
    map["model.norm.weight"] = "one.safetensors";
    write();
    expect_error({"one.safetensors", "model.norm.weight"});
}

TEST_F(Shards, AMissingTensorIsNamed) {
    second.erase(std::find_if(second.begin(), second.end(), [](const auto& t) { return t.first == "model.norm.weight"; }));
    map.erase("model.norm.weight");
    write();
    expect_error({"model.safetensors.index.json", "model.norm.weight", "none of that name"});
}

TEST_F(Shards, ATensorTooManyIsNamedWithItsFile) {
    second.emplace_back("model.layers.7.input_layernorm.weight", at::ones({24}));
    write();  // the index does not name it
    expect_error({"two.safetensors", "model.layers.7.input_layernorm.weight"});
}

TEST_F(Shards, AMisshapedTensorIsNamedWithItsFile) {
    for (auto& [name, tensor] : first)
        if (name == "model.layers.0.mlp.down_proj.weight") tensor = tensor.t().contiguous();
    write();
    expect_error({"one.safetensors", "model.layers.0.mlp.down_proj.weight", "[24, 40]", "[40, 24]"});
}

TEST_F(Shards, IntegersAreNoWeights) {
    for (auto& [name, tensor] : second)
        if (name == "model.norm.weight") tensor = tensor.to(at::kInt);
    write();
    expect_error({"two.safetensors", "model.norm.weight", "Int"});
}

TEST_F(Shards, ConstantsOfOldExportsAndATiedHeadAreLeftOut) {
    first.emplace_back("model.layers.0.self_attn.rotary_emb.inv_freq", at::ones({4}));
    map["model.layers.0.self_attn.rotary_emb.inv_freq"] = "one.safetensors";
    const at::Tensor embedding = first.front().first == "model.embed_tokens.weight" ? first.front().second : at::Tensor();
    ASSERT_TRUE(embedding.defined());
    second.emplace_back("lm_head.weight", embedding.clone());
    map["lm_head.weight"] = "two.safetensors";
    write();
    EXPECT_TRUE(Decoder::load(folder.path, at::kFloat, at::kCPU).config().tied_embeddings);
    second.back().second.mul_(2);  // another matrix: the files are right
    write();
    const Decoder apart = Decoder::load(folder.path, at::kFloat, at::kCPU);
    EXPECT_FALSE(apart.config().tied_embeddings);
    EXPECT_TRUE(at::equal(apart.head(), embedding * 2));
}

TEST_F(Shards, HalfPrecisionIsRead) {
    for (auto* tensors : {&first, &second})
        for (auto& [name, tensor] : *tensors) tensor = tensor.to(at::kHalf);
    write();
    const Decoder d = Decoder::load(folder.path, at::kFloat, at::kCPU);
    EXPECT_EQ(d.dtype(), at::kFloat);
    EXPECT_TRUE(at::equal(d.embedding().to(at::kHalf), first.front().second));
}

}  // namespace
}  // namespace craft
