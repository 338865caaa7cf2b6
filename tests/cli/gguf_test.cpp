// GGUF files where commands take a model. tests/parity/make_gguf.py made them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numeric>

#include "cli/common.h"
#include "core/files.h"
#include "core/json.h"
#include "core/model_files.h"
#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"
#include "tests/source.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using test::failure_of;
using test::run_command;
using testing::HasSubstr;

const std::string kGguf = test_source("/tests/model/gguf/qwen3.gguf");
const std::string kRealModel = test_source("/weights/smollm2-135m-instruct.gguf");

class GgufCommands : public testing::Test {
protected:
    std::string at(const std::string& name) const { return (folder_.path() / name).string(); }
    // What a command writes for one row of a model.
    std::string answer(const std::string& command, const std::string& model, const std::vector<std::string>& more) {
        test::Arguments arguments = {command, "--model", model, "--input", at("rows.jsonl"), "--output", at("out.jsonl")};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const auto outcome = run_command(test::replacing(arguments));
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.code == 0 ? read_file(at("out.jsonl")) : "";
    }
    TemporaryFolder folder_;
    const std::string rows_ = folder_.file("rows.jsonl", R"({"id":"a","input_ids":[3,5,7,9,11,13]})"
                                                         "\n");
};

TEST_F(GgufCommands, ExportMakesAFolderThatAnswersAlike) {
    ASSERT_EQ(run_command({"export", "--model", kGguf, "--out", at("folder")}).code, 0);
    EXPECT_EQ(answer("score", kGguf, {"--ids"}), answer("score", at("folder"), {"--ids"}));
    const std::vector<std::string> few = {"--ids", "--max-new-tokens", "5", "--greedy"};
    EXPECT_EQ(answer("generate", kGguf, few), answer("generate", at("folder"), few));
    const Json config = read_json_file(at("folder/config.json"));
    EXPECT_EQ(config["architectures"][0], "Qwen3ForCausalLM");
    EXPECT_EQ(config["torch_dtype"], "float32");
    ASSERT_EQ(run_command({"export", "--model", kGguf, "--dtype", "bfloat16", "--out", at("half")}).code, 0);
    EXPECT_EQ(read_json_file(at("half/config.json"))["torch_dtype"], "bfloat16");
    EXPECT_LT(fs::file_size(at("half/model.safetensors")), fs::file_size(at("folder/model.safetensors")) * 2 / 3);
    // A run names its model in a folder of its own.
    fs::create_directories(at("reference"));
    write_model_reference(kGguf, at("reference"));
    EXPECT_EQ(answer("score", kGguf, {"--ids"}), answer("score", at("reference"), {"--ids"}));
    EXPECT_THAT(failure_of({"export", "--model", test::tiny_model(), "--out", at("none")}),
                HasSubstr("2: --adapter is required, unless --model is a GGUF file"));
}

TEST_F(GgufCommands, AnAdapterIsTrainedOnItAndMergedIntoIt) {
    folder_.file("texts.jsonl", R"({"text":"ABCDEFGH"})"
                                "\n"
                                R"({"text":"HHGGFFAB"})"
                                "\n");
    const auto trained = run_command({"sft", "--model", kGguf, "--data", at("texts.jsonl"), "--lr", "0.05", "--epochs", "3",
                                      "--batch-size", "1", "--out", at("run")});
    ASSERT_EQ(trained.code, 0) << trained.err;
    const auto merged = run_command({"export", "--model", kGguf, "--adapter", at("run"), "--merge", "--out", at("merged")});
    ASSERT_EQ(merged.code, 0) << merged.err;
    const auto sum = [&](const std::string& model, const std::vector<std::string>& more) {
        const auto all = parse_json(answer("score", model, more), "score")["logprobs"].get<std::vector<double>>();
        return std::accumulate(all.begin(), all.end(), 0.0);
    };
    const double adapted = sum(kGguf, {"--ids", "--adapter", at("run/adapter")});
    EXPECT_NEAR(sum(at("merged"), {"--ids"}), adapted, 1e-4);
    EXPECT_GT(std::abs(sum(kGguf, {"--ids"}) - adapted), 1e-2) << "it learned something";
}

TEST_F(GgufCommands, InspectShowsWhatItIs) {
    const auto outcome = run_command({"inspect", kGguf});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    for (const char* part : {"kind: GGUF model", "architecture: Qwen3ForCausalLM", "layers: 2", "F32: ", "file: metadata"})
        EXPECT_THAT(outcome.out, HasSubstr(part));
}

TEST_F(GgufCommands, RefuseOtherFilesAndDamagedOnes) {
    const std::string other = folder_.file("other.gguf", "something else");
    EXPECT_EQ(failure_of({"score", "--ids", "--model", other, "--input", rows_, "--output", at("o")}),
              "1: " + other + ": expected a GGUF file, got something else");
    const std::string cut = folder_.file("cut.gguf", read_file(kGguf).substr(0, 20000));
    EXPECT_THAT(failure_of({"score", "--ids", "--model", cut, "--input", rows_, "--output", at("o")}),
                HasSubstr("(the file is truncated)"));
}

TEST_F(GgufCommands, ARunIsHeldAgainstAllPartsOfItsModel) {
    const fs::path first = folder_.file("m-00001-of-00002.gguf", "GGUF"),
                   second = folder_.file("m-00002-of-00002.gguf", "GGUF");
    OptionTable table;
    fs::path model = first;
    std::string rows = rows_;
    bind_model(table, "model", model);
    table.add("input", rows, "").input();
    const RunIdentity identity = run_identity(Command{}, table, CommonOptions{});
    EXPECT_EQ(identity.inputs, (std::vector<fs::path>{first, second, rows_}));
}

TEST_F(GgufCommands, TheRealModelAnswers) {
    if (!fs::exists(kRealModel)) GTEST_SKIP() << "no weights/smollm2-135m-instruct.gguf: scripts/setup.sh installs it";
    folder_.file("rows.jsonl", R"({"id":"a","messages":[{"role":"user","content":"What is the capital of France?"}]})"
                               "\n");
    EXPECT_EQ(answer("generate", kRealModel, {"--greedy", "--max-new-tokens", "20"}),
              R"({"id":"a","text":"The capital of France is Paris."})"
              "\n");
}

}  // namespace
}  // namespace craft
