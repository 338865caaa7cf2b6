#include "model/weights/weight_files.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>

#include "core/error.h"
#include "core/files.h"
#include "core/json.h"
#include "core/log.h"
#include "model/decoder/decoder_files.h"
#include "tests/model/decoder/small_decoder.h"

namespace craft {
namespace {

// A small decoder in two shards, beside which a test spoils something; loading must then name what is said.
struct Shards : ::testing::Test {
    TemporaryFolder folder;
    NamedTensors first, second;
    Json map = Json::object();

    void SetUp() override {
        Rng rng(9, "shards");
        Decoder::initialise(test::small_config(), rng).save(folder.path(), at::kFloat);
        const SafetensorsFile whole(folder.path() / "model.safetensors");
        for (const std::string& name : whole.names()) {
            const bool early = name < "model.layers.1";
            (early ? first : second).emplace_back(name, whole.tensor(name));
            map[name] = early ? "one.safetensors" : "two.safetensors";
        }
        std::filesystem::remove(folder.path() / "model.safetensors");
    }

    void write() const {
        write_safetensors(folder.path() / "one.safetensors", first);
        write_safetensors(folder.path() / "two.safetensors", second);
        write_json_file(folder.path() / "model.safetensors.index.json", {{"weight_map", map}});
    }

    void expect_error(const std::vector<std::string>& named) const {
        try {
            Decoder::load(folder.path(), at::kFloat, at::kCPU);
            ADD_FAILURE() << "loaded";
        } catch (const Error& error) {
            for (const std::string& part : named)
                EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << part << " in: " << error.what();
        }
    }
};

TEST_F(Shards, AreReadByTheirIndex) {
    write();
    Rng rng(9, "shards");
    const Decoder whole = Decoder::initialise(test::small_config(), rng);
    const PackedBatch batch = pack({{{1, 2, 3}, {{{}, {}}}}}, at::kCPU);
    EXPECT_TRUE(at::equal(Decoder::load(folder.path(), at::kFloat, at::kCPU).hidden(batch), whole.hidden(batch)));
    map["model.norm.weight"] = "../one.safetensors";
    write();
    EXPECT_THROW(Decoder::load(folder.path(), at::kFloat, at::kCPU), Error);
}

TEST_F(Shards, ADebugLineTellsWhatWasRead) {
    write();
    configure_log({.format = LogFormat::json, .debug = true});
    ::testing::internal::CaptureStderr();
    Decoder::load(folder.path(), at::kBFloat16, at::kCPU);
    const std::string told = ::testing::internal::GetCapturedStderr();
    configure_log({});
    const Json line = parse_json(told, "stderr");
    size_t stored = 0;
    for (const NamedTensors* shard : {&first, &second})
        for (const auto& [name, tensor] : *shard) stored += tensor.nbytes();
    EXPECT_EQ(line["bytes"], stored);
    EXPECT_GE(line["seconds"], 0);
}

// Large folders then take no second copy and no time for one; a change of the weights stays in memory.
TEST_F(Shards, WeightsOfTheWantedTypeAreTheFilesOwnPages) {
    write();
    const std::string stored = read_file(folder.path() / "two.safetensors");
    Decoder decoder = Decoder::load(folder.path(), at::kFloat, at::kCPU);
    const std::vector<DecoderLayer>& layers = DecoderWeights::layers(decoder);
    std::ifstream maps("/proc/self/maps");
    const auto is_mapped = [map = std::string(std::istreambuf_iterator<char>(maps), {})](const at::Tensor& weight) {
        std::istringstream lines(map);
        const auto place = reinterpret_cast<uintptr_t>(weight.data_ptr());
        for (std::string line; std::getline(lines, line);) {
            const size_t dash = line.find('-');
            if (place >= std::stoull(line.substr(0, dash), nullptr, 16) &&
                place < std::stoull(line.substr(dash + 1), nullptr, 16))
                return line.ends_with(".safetensors");
        }
        return false;
    };
    for (const DecoderLayer& layer : layers) {
        EXPECT_TRUE(is_mapped(layer.gate_up.weight));
        EXPECT_TRUE(is_mapped(layer.down.weight));
        EXPECT_TRUE(is_mapped(layer.o.weight));
        EXPECT_FALSE(is_mapped(layer.qkv.weight));  // o_proj lies between k_proj and q_proj
    }
    layers.back().down.weight.zero_();
    EXPECT_EQ(read_file(folder.path() / "two.safetensors"), stored);
}

TEST_F(Shards, AMissingShardIsNamed) {
    write();
    std::filesystem::remove(folder.path() / "two.safetensors");
    expect_error({"model.safetensors.index.json", "two.safetensors"});
    map["model.norm.weight"] = std::string(300, 'x');  // no file can be called so
    write();
    expect_error({"model.safetensors.index.json", "the file 'xxx", "no such file"});
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
    EXPECT_TRUE(Decoder::load(folder.path(), at::kFloat, at::kCPU).config().tied_embeddings);
    second.back().second.mul_(2);  // another matrix: the files are right
    write();
    const Decoder apart = Decoder::load(folder.path(), at::kFloat, at::kCPU);
    EXPECT_FALSE(apart.config().tied_embeddings);
    EXPECT_TRUE(at::equal(apart.head(), embedding * 2));
}

TEST_F(Shards, HalfPrecisionIsRead) {
    for (auto* tensors : {&first, &second})
        for (auto& [name, tensor] : *tensors) tensor = tensor.to(at::kHalf);
    write();
    const Decoder d = Decoder::load(folder.path(), at::kFloat, at::kCPU);
    EXPECT_EQ(d.dtype(), at::kFloat);
    EXPECT_TRUE(at::equal(d.embedding().to(at::kHalf), first.front().second));
}

}  // namespace
}  // namespace craft
