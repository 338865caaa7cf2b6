// A model that memory does not hold: every command that would load it says so before it hashes or reads the file, which here
// would take hours.
#include "cli/model_memory.h"

#include <gmock/gmock.h>

#include <chrono>
#include <map>
#include <set>
#include <sstream>

#include "cli/commands.h"
#include "core/error.h"
#include "core/files.h"
#include "core/machine.h"
#include "model/encoder/encoder.h"
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
        folder_.file("prompts.jsonl", "{\"input_ids\":[1,2]}\n");
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

// What loads a decoder in each command whose help names an option for one.
const std::map<std::string, std::string> kLoading = {
    {"constraints", "--texts {dir}/text.jsonl --count 1 --rewriter local:{dir}/huge --output {dir}/out"},
    {"trajectories", "--instructions {dir}/instructions.jsonl --teacher local:{dir}/huge --out {dir}/out"},
    {"plan", "--model {dir}/huge --instructions {dir}/instructions.jsonl --output {dir}/out"},
    {"gec traces", "--input {share}/examples/learners.m2 --model local:{dir}/huge --tools none --output {dir}/out"},
    {"sft", "--model {dir}/huge --data {dir}/sft.jsonl --out {dir}/out"},
    {"align", "--model {dir}/huge --pairs {dir}/pairs.jsonl --out {dir}/out"},
    {"simplify", "--model {dir}/huge --policy lexical --out {dir}/out"},
    {"simplify train", "--model {dir}/huge --pairs {dir}/pairs.jsonl --out {dir}/out"},
    {"loss", "--model {dir}/huge --input {dir}/loss.jsonl --output {dir}/out"},
    {"quickstart", "--model {dir}/huge --out {dir}/out"},
    {"generate", "--ids --model {dir}/huge --input {dir}/prompts.jsonl --output {dir}/out"},
    {"score", "--model {dir}/huge --input {dir}/sft.jsonl --output {dir}/out"},
    {"revise", "--method direct --reviser local:{dir}/huge --input {dir}/instructions.jsonl --output {dir}/out"},
    {"simplify candidates",
     "--input {share}/simplify/dev.jsonl --policy rewriting --systems local:{dir}/huge --output "
     "{dir}/out"},
    {"simplify pairs",
     "--input {share}/examples/candidates.jsonl --policy document --judge local:{dir}/huge --output "
     "{dir}/out"},
    {"simplify run",
     "--input {share}/examples/sentences.jsonl --policy lexical --model local:{dir}/huge --output {dir}/out"},
    {"gec", "--input {share}/examples/learners.txt --model local:{dir}/huge --method zero_shot --output {dir}/out"},
    {"gec index", "--pairs {share}/examples/sentence_pairs.jsonl --model local:{dir}/huge --out {dir}/out"},
    {"judge",
     "--input {share}/examples/candidates.jsonl --guideline {share}/guidelines/brief.txt --judge local:{dir}/huge "
     "--output {dir}/out"},
    {"eval metric", "perplexity --model {dir}/huge --input {dir}/metric.jsonl --output {dir}/out"},
    {"eval editeval", "--data {share}/examples/editeval --system local:{dir}/huge --out {dir}/out"},
    {"eval pairwise",
     "--items {share}/examples/easy.jsonl --a {share}/examples/easy_a.jsonl --b "
     "{share}/examples/easy_b.jsonl --judge local:{dir}/huge --output {dir}/out"},
    {"eval easy",
     "--items {share}/examples/easy.jsonl --outputs {share}/examples/easy_a.jsonl --judge local:{dir}/huge "
     "--output {dir}/out"},
};
// Those that read a tokenizer, a part of one tensor at a time, or encoders.
const std::set<std::string> kLoadingNone = {"tokenize", "chat", "export", "embed", "gec search"};

test::Arguments arguments_of(const std::string& text) {
    std::istringstream words(text);
    return {std::istream_iterator<std::string>(words), {}};
}

TEST_F(HugeModelInCommands, IsRefusedByEachThatLoadsIt) {
    for (const Command& command : commands()) {
        const std::string help = test::in_one_line(test::help_of(command));
        if (help.find("GGUF file") == std::string::npos && help.find("local:MODEL") == std::string::npos) continue;
        if (kLoadingNone.contains(command.name)) continue;
        ASSERT_TRUE(kLoading.contains(command.name)) << command.name << " has an option for a model: add what loads it";
        expect_refused(test::filled(arguments_of(command.name + " " + kLoading.at(command.name)), "{share}", test::kShare));
    }
}

TEST_F(HugeModelInCommands, IsRefusedInEachRole) {
    const std::string huge = "{dir}/huge", local = "local:" + huge, out = "{dir}/out";
    for (const char* role : {"--planner", "--reviser"})
        expect_refused({"revise", "--method", "plan", "--planner", local, "--reviser",
                        std::string(role) == "--reviser" ? local : "rules", "--input", "{dir}/instructions.jsonl",
                        "--output", out});
    expect_refused({"sft", "--full", "--model", huge, "--data", "{dir}/sft.jsonl", "--out", out});
    expect_refused({"align", "--iter", "1", "--model", huge, "--texts", "{dir}/text.jsonl", "--out", out});
}

// Two of which memory holds either. A model counts once, however often and by whatever link it is named; where the file is
// used as it is, the system can take back what only one of them reads.
TEST_F(HugeModelInCommands, SeveralCountTogether) {
    const int64_t bytes = this_machine().memory_bytes / 10 * 6;
    fs::remove(folder_.path() / "huge/model.safetensors");  // to copy a hole takes a minute
    fs::copy(folder_.path() / "huge", folder_.path() / "other", fs::copy_options::recursive);
    for (const char* name : {"huge", "other"}) test::make_huge_model(folder_.path() / name, bytes, "F16");
    fs::create_directory_symlink(folder_.path() / "huge", folder_.path() / "link");
    const auto look = [&](const std::vector<std::string>& names) {
        std::vector<fs::path> inputs = {folder_.path() / "text.jsonl", folder_.path()};
        for (const std::string& name : names) inputs.push_back(folder_.path() / name);
        CommonOptions common;
        common.device = "cpu";
        common.dtype = "bfloat16";
        expect_models_fit(OptionTable(), common, inputs);
    };
    look({"huge", "huge", "link"});
    EXPECT_THAT(
        [&] {
            look({"huge", "other"});
        },
        testing::ThrowsMessage<Error>(AllOf(StartsWith(dir() + "/huge, " + dir() + "/other: expected memory for "),
                                            HasSubstr(" of weights in bfloat16, got "))));
    EXPECT_THAT(
        failure({"revise", "--method", "plan", "--planner", "local:{dir}/huge", "--reviser", "local:{dir}/other", "--input",
                 "{dir}/instructions.jsonl", "--output", "{dir}/out", "--device", "cpu", "--dtype", "bfloat16"}),
        StartsWith("1: {dir}/huge, {dir}/other: expected memory for "));
    test::make_huge_model(folder_.path() / "other", bytes, "BF16");
    EXPECT_THROW(look({"huge", "other"}), Error);
    test::make_huge_model(folder_.path() / "huge", bytes, "BF16");
    look({"huge", "other"});
}

TEST_F(HugeModelInCommands, SoAreEncoders) {
    make_huge_encoder(folder_.path() / "encoder");
    // Before its holes are read, which takes a minute.
    EXPECT_GT(known_encoder_memory(folder_.path() / "encoder", at::kFloat)->weights, this_machine().memory_bytes);
    EXPECT_LT(known_encoder_memory(test::kShare + "/examples/encoder", at::kFloat)->weights, 1e6);
    EXPECT_FALSE(known_encoder_memory(folder_.path() / "huge", at::kFloat)) << "a decoder";
    const auto began = std::chrono::steady_clock::now();
    for (const test::Arguments& command : std::vector<test::Arguments>{
             {"embed", "--model", "{dir}/encoder", "--input", "{dir}/text.jsonl", "--output", "{dir}/out"},
             {"eval", "metric", "bertscore", "--model", "{dir}/encoder", "--input", "{dir}/references.jsonl", "--output",
              "{dir}/out"}}) {
        test::Arguments arguments = command;
        for (const char* more : {"--device", "cpu", "--dtype", "float32"}) arguments.emplace_back(more);
        EXPECT_THAT(failure(arguments), AllOf(StartsWith("1: {dir}/encoder: expected memory for "),
                                              HasSubstr(" of weights in float32"), HasSubstr("(--dtype bfloat16, or")));
    }
    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(20));
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
