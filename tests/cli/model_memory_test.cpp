// A model that memory does not hold: every command that would load it says so before it hashes or reads the file, which here
// would take hours.
#include <gmock/gmock.h>

#include "core/files.h"
#include "core/machine.h"
#include "tests/cli/command_inputs.h"
#include "tests/model/huge_model.h"

namespace craft {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
namespace fs = std::filesystem;

// The encoder that ships with more words than memory holds: its weights are a hole in the file.
void make_huge_encoder(const fs::path& folder) {
    const fs::path shipped = test::kShare + "/examples/encoder";
    Json config = read_json_file(shipped / "config.json");
    const int64_t width = config.at("hidden_size"), words = this_machine().memory_bytes / width;  // of 4 bytes each
    config["vocab_size"] = words;
    const std::string file = read_file(shipped / "model.safetensors");
    size_t length = 0;
    for (size_t i = 0; i < 8; ++i) length |= static_cast<size_t>(static_cast<unsigned char>(file[i])) << (8 * i);
    Json header = Json::parse(file.substr(8, length));
    size_t end = 0;
    for (auto& [name, tensor] : header.items()) {
        if (name == "__metadata__") continue;
        if (name.ends_with("word_embeddings.weight")) tensor["shape"][0] = words;
        size_t bytes = 4;
        for (const size_t size : tensor["shape"]) bytes *= size;
        tensor["dtype"] = "F32";
        tensor["data_offsets"] = {end, end + bytes};
        end += bytes;
    }
    std::string text = header.dump();
    text.append((8 - text.size() % 8) % 8, ' ');
    std::string start(8, '\0');
    for (size_t i = 0; i < 8; ++i) start[i] = static_cast<char>((text.size() >> (8 * i)) & 0xff);
    fs::create_directories(folder);
    write_file_atomic(folder / "config.json", config.dump());
    write_file_atomic(folder / "model.safetensors", start + text);
    fs::resize_file(folder / "model.safetensors", 8 + text.size() + end);
    for (const char* name : {"vocab.txt", "tokenizer_config.json"}) fs::copy(shipped / name, folder / name);
}

struct HugeModelInCommands : test::CommandInputs {
    HugeModelInCommands() {
        const fs::path huge = folder_.path() / "huge";
        fs::copy(test::tiny_model(), huge);  // for its tokenizer
        fs::remove(huge / "model.safetensors");
        test::make_huge_model(huge, 2 * this_machine().memory_bytes, "BF16");
        folder_.file("prompts.jsonl", "{\"prompt\":\"a\"}\n");
        folder_.file("loss.jsonl", "");
        folder_.file("references.jsonl", "{\"id\":\"a\",\"prediction\":\"It is late.\",\"references\":[\"It is.\"]}\n");
        folder_.file("metric.jsonl", "{\"id\":\"a\",\"prediction\":\"It is late.\"}\n");
    }
    void expect_refused(test::Arguments arguments) {
        for (const char* more : {"--device", "cpu", "--dtype", "bfloat16"}) arguments.emplace_back(more);
        const std::string line = failure(arguments);
        EXPECT_THAT(line, AllOf(StartsWith("1: {dir}/huge: expected memory for "), HasSubstr(" of weights in bfloat16"),
                                HasSubstr(" GB in this machine (")))
            << arguments[0];
        EXPECT_FALSE(fs::exists(folder_.path() / "out")) << arguments[0];
    }
};

TEST_F(HugeModelInCommands, IsRefusedByThoseThatComputeWithIt) {
    const std::string huge = "{dir}/huge", local = "local:" + huge, out = "{dir}/out";
    expect_refused({"generate", "--model", huge, "--input", "{dir}/prompts.jsonl", "--output", out});
    expect_refused({"score", "--model", huge, "--input", "{dir}/sft.jsonl", "--output", out});
    expect_refused({"loss", "--model", huge, "--input", "{dir}/loss.jsonl", "--output", out});
    expect_refused({"plan", "--model", huge, "--instructions", "{dir}/instructions.jsonl", "--output", out});
    expect_refused({"eval", "metric", "perplexity", "--model", huge, "--input", "{dir}/metric.jsonl", "--output", out});
    for (const char* role : {"--planner", "--reviser"})
        expect_refused({"revise", "--method", "plan", "--planner", local, "--reviser",
                        std::string(role) == "--reviser" ? local : "rules", "--input", "{dir}/instructions.jsonl",
                        "--output", out});
    expect_refused({"trajectories", "--teacher", local, "--instructions", "{dir}/instructions.jsonl", "--out", out});
}

TEST_F(HugeModelInCommands, IsRefusedByTrainings) {
    const std::string huge = "{dir}/huge", out = "{dir}/out";
    expect_refused({"sft", "--model", huge, "--data", "{dir}/sft.jsonl", "--out", out});
    expect_refused({"sft", "--full", "--model", huge, "--data", "{dir}/sft.jsonl", "--out", out});
    expect_refused({"align", "--model", huge, "--pairs", "{dir}/pairs.jsonl", "--out", out});
    expect_refused({"align", "--iter", "1", "--model", huge, "--texts", "{dir}/text.jsonl", "--out", out});
}

TEST_F(HugeModelInCommands, SoAreEncoders) {
    make_huge_encoder(folder_.path() / "encoder");
    for (const test::Arguments& command : std::vector<test::Arguments>{
             {"embed", "--model", "{dir}/encoder", "--input", "{dir}/text.jsonl", "--output", "{dir}/out"},
             {"eval", "metric", "bertscore", "--model", "{dir}/encoder", "--input", "{dir}/references.jsonl", "--output",
              "{dir}/out"}}) {
        test::Arguments arguments = command;
        for (const char* more : {"--device", "cpu", "--dtype", "float32"}) arguments.emplace_back(more);
        EXPECT_THAT(failure(arguments), AllOf(StartsWith("1: {dir}/encoder: expected memory for "),
                                              HasSubstr(" of weights in float32"), HasSubstr("(--dtype bfloat16, or")));
    }
}

// A quarter of the memory for the weights: four times that with gradients and AdamW's states, in bfloat16 more.
TEST_F(HugeModelInCommands, TrainingAllWeightsTakesMoreThanTheWeights) {
    test::make_huge_model(folder_.path() / "huge", this_machine().memory_bytes / 4, "F32");
    const auto sft = [&](const std::string& dtype) {
        return failure({"sft", "--full", "--model", "{dir}/huge", "--data", "{dir}/sft.jsonl", "--out", "{dir}/out",
                        "--dtype", dtype, "--device", "cpu"});
    };
    EXPECT_THAT(sft("bfloat16"), AllOf(HasSubstr(" GB of gradients and AdamW's states, got "),
                                       HasSubstr("(an adapter instead of all weights, or a smaller model)")));
    EXPECT_THAT(sft("float32"), HasSubstr(" GB of gradients and AdamW's states, got "));
}

}  // namespace
}  // namespace craft
