// --overwrite: the run that is there goes when the new one has read its inputs, and stays when it cannot be.
#include <ATen/Context.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "core/files.h"
#include "core/json.h"
#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using test::Arguments;
using test::failure_of;
using test::kShare;
using test::run_command;
using test::tiny_model;
using testing::HasSubstr;
using testing::StartsWith;

class Overwrite : public testing::Test {
protected:
    void SetUp() override {
        Arguments command = kTokenizer;
        command.insert(command.end(), {"--vocab-size", "600", "--out", at("out")});
        ASSERT_EQ(run_command(command).code, 0);
        manifest_ = read_file(at("out/manifest.json"));
        tokenizer_ = read_file(at("out/tokenizer.model"));
        folder_.file("bad.jsonl", "nothing\n");
        folder_.file("text.jsonl", "{\"id\":\"a\",\"text\":\"It is late. We go home.\"}\n");
    }
    std::string at(const std::string& name) const { return (folder_.path() / name).string(); }
    void expect_former() const {
        EXPECT_EQ(read_file(at("out/manifest.json")), manifest_);
        EXPECT_EQ(read_file(at("out/tokenizer.model")), tokenizer_);
        EXPECT_FALSE(fs::exists(at("out/.former")));
    }
    TemporaryFolder folder_;
    const Arguments kTokenizer = {"tokenizer", "train", "--texts", kShare + "/texts/select.jsonl"};
    const Arguments kSft = {"sft", "--model", tiny_model(), "--out", at("out"), "--overwrite"};
    std::string manifest_, tokenizer_;
};

TEST_F(Overwrite, WaitsForTheInputs) {
    const std::string& model = tiny_model();
    for (Arguments command : std::vector<Arguments>{
             {"sft", "--model", model, "--data", at("bad.jsonl")},
             {"align", "--model", model, "--pairs", at("bad.jsonl")},
             {"align", "--model", model, "--iter", "1", "--texts", at("bad.jsonl")},
             {"align", "--model", model, "--iter", "1", "--texts", at("text.jsonl"), "--selection", at("bad.jsonl")},
             {"trajectories", "--scorers", "none", "--instructions", at("bad.jsonl")},
             {"trajectories", "import", "--input", at("bad.jsonl")},
             {"tokenizer", "train", "--texts", at("bad.jsonl")},
         }) {
        command.insert(command.end(), {"--out", at("out"), "--overwrite"});
        EXPECT_THAT(failure_of(command), StartsWith("1: " + at("bad.jsonl") + ":1: ")) << command[0];
        expect_former();
    }
}

// Inputs that can be read, and turn out to be unfit once the new run has written something.
TEST_F(Overwrite, WaitsUntilTheInputsAreFoundFit) {
    const std::string& model = tiny_model();
    fs::create_directory(at("texts"));
    fs::copy_file(kShare + "/texts/select.jsonl", at("texts/train.jsonl"));
    std::string short_texts;
    for (int i = 0; i < 60; ++i) short_texts += "{\"id\":\"" + std::to_string(i) + "\",\"text\":\"Word\"}\n";
    folder_.file("short.jsonl", short_texts);
    ASSERT_EQ(run_command({"constraints", "--texts", kShare + "/texts/select.jsonl", "--domain", "c4", "--count", "2",
                           "--output", at("c4.jsonl")})
                  .code,
              0);
    for (Arguments command : std::vector<Arguments>{
             {"quickstart", "--model", model, "--texts", at("texts")},
             {"align", "--model", model, "--iter", "1", "--texts", at("short.jsonl")},
             {"trajectories", "--scorers", "none", "--instructions", at("c4.jsonl")},
         }) {
        command.insert(command.end(), {"--out", at("out"), "--overwrite"});
        EXPECT_THAT(failure_of(command), StartsWith("1: ")) << command[0];
        expect_former();
    }
}

TEST_F(Overwrite, IsNotBegunForADeviceThatIsNotThere) {
    const std::string missing = at::hasCUDA() ? "cuda:" + std::to_string(at::getNumGPUs()) : "cuda";
    folder_.file("sft.jsonl", "{\"prompt\":\"a\",\"completion\":\"b\"}\n");
    Arguments command = kSft;
    command.insert(command.end(), {"--data", at("sft.jsonl"), "--device", missing});
    EXPECT_THAT(failure_of(command), StartsWith("2: --device: expected "));
    expect_former();
}

TEST_F(Overwrite, StartsAnew) {
    Arguments command = kTokenizer;
    command.insert(command.end(), {"--vocab-size", "601", "--out", at("out")});
    EXPECT_THAT(failure_of(command), HasSubstr("--vocab-size 600, got 601"));
    command.emplace_back("--overwrite");
    EXPECT_EQ(run_command(command).code, 0);
    const Json configuration = read_json_file(at("out/manifest.json"))["configuration"];
    EXPECT_EQ(configuration["vocabulary"], 601);
    EXPECT_FALSE(configuration.contains("overwrite")) << "given to --config it would overwrite another run";
    EXPECT_NE(read_file(at("out/tokenizer.model")), tokenizer_);
    EXPECT_FALSE(fs::exists(at("out/.former")));
}

}  // namespace
}  // namespace craft
