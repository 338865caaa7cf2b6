// `export`: what it writes, what it copies and what it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include <filesystem>

#include "core/files.h"
#include "core/json.h"
#include "model/decoder/decoder.h"
#include "model/weights/safetensors.h"
#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using test::failure_of;
using test::run_command;
using test::tiny_model;
using testing::HasSubstr;

class Export : public testing::Test {
protected:
    void SetUp() override {
        Decoder decoder = Decoder::load(tiny_model(), at::kFloat, at::kCPU);
        Rng rng(1, "export");
        decoder.add_adapter({.rank = 2, .targets = {"q_proj", "down_proj"}}, rng);
        for (const auto& [name, leaf] : decoder.trainable()) {
            at::Tensor values = leaf.detach();
            if (name.ends_with("lora_B.weight")) values.fill_(0.05);
        }
        decoder.save_adapter(at("run/adapter"));
        write_json_file(at("run/adapter/planner.json"), {{"prompt", "compact"}});
        adapted_ = logprobs(decoder);
    }
    std::string at(const std::string& name) const { return (folder_.path() / name).string(); }
    static at::Tensor logprobs(const Decoder& decoder) {
        const at::NoGradGuard guard;
        return target_logprobs(decoder, pack({{{5, 6, 7}, {{{8, 9, 10, 11}, {1, 1, 1, 1}}}}}, at::kCPU));
    }
    TemporaryFolder folder_;
    at::Tensor adapted_;
};

TEST_F(Export, MergesWithTheBasesTypesAndFiles) {
    const auto outcome =
        run_command({"export", "--model", tiny_model(), "--adapter", at("run"), "--merge", "--out", at("merged")});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const SafetensorsFile base(fs::path(tiny_model()) / "model.safetensors"), merged(at("merged/model.safetensors"));
    ASSERT_EQ(base.names(), merged.names());
    for (const std::string& name : base.names()) {
        EXPECT_EQ(base.dtype(name), merged.dtype(name)) << name;
        const bool changed = name.find("q_proj") != name.npos || name.find("down_proj") != name.npos;
        EXPECT_EQ(at::equal(base.view(name), merged.view(name)), !changed) << name;
    }
    // The base is bfloat16: each weight is rounded to 8 bits, 2^-9 of its size; the logits' sums of some hundred of them
    // differ by far less than 0.1.
    const Decoder decoder = Decoder::load(at("merged"), at::kFloat, at::kCPU);
    EXPECT_LT((logprobs(decoder) - adapted_).abs().max().item<double>(), 0.1);
    EXPECT_GT((logprobs(Decoder::load(tiny_model(), at::kFloat, at::kCPU)) - adapted_).abs().max().item<double>(), 0.3);
    for (const auto& entry : fs::directory_iterator(tiny_model()))
        EXPECT_TRUE(fs::exists(at("merged") / entry.path().filename())) << entry.path();
    EXPECT_EQ(read_json_file(at("merged/planner.json"))["prompt"], "compact");
    for (const auto& entry : fs::directory_iterator(folder_.path()))
        EXPECT_EQ(entry.path().string().find(".tmp-"), std::string::npos) << entry.path();
}

TEST_F(Export, WithoutMergeNamesTheBase) {
    const auto outcome =
        run_command({"export", "--model", tiny_model(), "--adapter", at("run/adapter"), "--out", at("deep/out/")});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json config = read_json_file(at("deep/out/adapter_config.json"));
    EXPECT_EQ(config["base_model_name_or_path"], tiny_model());
    EXPECT_EQ(config["r"], 2);
    EXPECT_EQ(read_file(at("deep/out/adapter_model.safetensors")), read_file(at("run/adapter/adapter_model.safetensors")));
}

TEST_F(Export, RefusesFoldersThatAreInUse) {
    folder_.file("full/notes.txt", "mine");
    const test::Arguments to = {"export", "--model", tiny_model(), "--adapter", at("run"), "--out"};
    const auto exported = [&](const std::string& out, bool overwrite) {
        test::Arguments arguments = to;
        arguments.push_back(out);
        if (overwrite) arguments.emplace_back("--overwrite");
        return arguments;
    };
    folder_.file("full/config.json", "{}");
    EXPECT_THAT(failure_of(exported(at("full"), true)), HasSubstr("got one with notes.txt"));
    EXPECT_THAT(failure_of(exported(tiny_model(), true)), HasSubstr("--out: expected another file than --model"));
    EXPECT_THAT(failure_of(exported(at("run"), true)), HasSubstr("is or holds the input"));
    EXPECT_THAT(failure_of(exported(at("run/adapter"), true)), HasSubstr("--out: expected another file than --adapter"));
    EXPECT_TRUE(fs::exists(at("run/adapter/adapter_config.json")));
    EXPECT_EQ(run_command(exported(at("out"), false)).code, 0);
    EXPECT_THAT(failure_of(exported(at("out"), false)), HasSubstr("--overwrite replaces it"));
    EXPECT_EQ(run_command(exported(at("out"), true)).code, 0);
    EXPECT_EQ(read_file(at("full/notes.txt")), "mine");
    EXPECT_THAT(failure_of({"export", "--model", tiny_model(), "--adapter", tiny_model(), "--out", at("x")}),
                HasSubstr("adapter_config.json"));
    EXPECT_FALSE(fs::exists(at("x")));
}

}  // namespace
}  // namespace craft
