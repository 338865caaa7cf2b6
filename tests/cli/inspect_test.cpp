// `inspect` of everything that the program makes or takes, and `doctor`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include <filesystem>

#include "core/files.h"
#include "core/json.h"
#include "model/decoder.h"
#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using test::failure_of;
using test::kModel;
using test::kShare;
using test::run_command;
using testing::HasSubstr;

Json inspected(const std::string& path) {
    const auto outcome = run_command({"inspect", path, "--format", "json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.code == 0 ? parse_json(outcome.out, "inspect") : Json();
}

TEST(Inspect, AModelWithItsTokenizer) {
    const Json model = inspected(kModel), config = read_json_file(fs::path(kModel) / "config.json");
    EXPECT_EQ(model["kind"], "model");
    EXPECT_EQ(model["architecture"], config["architectures"][0]);
    EXPECT_EQ(model["decoder"]["layers"], config["num_hidden_layers"]);
    EXPECT_EQ(model["tokenizer"]["vocabulary"], config["vocab_size"]);
    EXPECT_EQ(model["tokenizer"]["chat_template"], "chatml");
    EXPECT_EQ(model["weights"]["bytes"], model["weights"]["parameters"].get<int64_t>() * 2) << "bfloat16";
    const auto text = run_command({"inspect", kModel});
    EXPECT_THAT(text.out, HasSubstr("kind: model\n"));
    EXPECT_THAT(text.out, HasSubstr("\n  chat template: chatml\n"));
}

TEST(Inspect, AnAdapterAndASafetensorsFile) {
    const TemporaryFolder folder;
    Decoder decoder = Decoder::load(kModel, at::kFloat, at::kCPU);
    Rng rng(1, "inspect");
    decoder.add_adapter({.rank = 3, .targets = {"q_proj"}}, rng);
    decoder.save_adapter(folder.path());
    const Json adapter = inspected(folder.path());
    EXPECT_EQ(adapter["kind"], "adapter");
    EXPECT_EQ(adapter["rank"], 3);
    EXPECT_EQ(adapter["base"], kModel);
    EXPECT_EQ(adapter["targets"], Json({"q_proj"}));
    EXPECT_EQ(adapter["weights"]["tensors"], 2 * decoder.config().layers);
    EXPECT_EQ(inspected(folder.path() / "adapter_model.safetensors")["dtypes"].size(), 1u);
    fs::resize_file(folder.path() / "adapter_model.safetensors", 1000);
    EXPECT_THAT(failure_of({"inspect", folder.path()}), HasSubstr("1: " + folder.path().string()));
}

TEST(Inspect, AStoreAndItsDamage) {
    const TemporaryFolder folder;
    const std::string instructions = folder.file(
        "i.jsonl", R"({"id":"a","domain":"c0","instruction":"Improve:","text":"It is late. We go home.","constraints":[]})"
                   "\n");
    const std::string store = (folder.path() / "store").string();
    const auto made = run_command({"trajectories", "--instructions", instructions, "--out", store});
    ASSERT_EQ(made.code, 0) << made.err;
    const Json described = inspected(store);
    EXPECT_EQ(described["kind"], "trajectory store");
    EXPECT_EQ(described["finished"], true);
    EXPECT_EQ(described["trajectories"], 1);
    for (const auto& entry : fs::directory_iterator(store))
        if (entry.path().extension() == ".h5") {
            EXPECT_EQ(inspected(entry.path())["kind"], "segment of a trajectory store");
            write_file_atomic(entry.path(), "damaged");
        }
    EXPECT_THAT(failure_of({"inspect", store}), HasSubstr("changed or damaged"));
}

TEST(Inspect, RunsAndFiles) {
    const TemporaryFolder folder;
    const std::string data = folder.file("sft.jsonl", "{\"prompt\":\"a\",\"completion\":\"b\"}\n");
    const std::string run = (folder.path() / "run").string();
    ASSERT_EQ(run_command({"sft", "--model", kModel, "--data", data, "--out", run, "--lora-rank", "2"}).code, 0);
    const Json described = inspected(run);
    EXPECT_EQ(described["kind"], "run");
    EXPECT_EQ(described["command"], "sft");
    EXPECT_EQ(described["finished"], true);
    EXPECT_GE(described["metrics.jsonl"]["lines"], 1);
    EXPECT_EQ(inspected(run + "/adapter")["rank"], 2);
    EXPECT_EQ(inspected(data)["rows_are"], "completions for sft or score");
    EXPECT_EQ(inspected(data)["rows"], 1);
    EXPECT_EQ(inspected(kModel + "/tokenizer.model")["kind"], "tokenizer");
    EXPECT_EQ(inspected(kModel + "/config.json")["kind"], "JSON");
    folder.file("bad.jsonl", "{\"a\":1}\nnonsense\n");
    EXPECT_THAT(failure_of({"inspect", folder.path() / "bad.jsonl"}), HasSubstr("bad.jsonl:2"));
    EXPECT_THAT(failure_of({"inspect", folder.path() / "absent"}), HasSubstr("nothing there"));
    folder.file("empty/x", "");
    EXPECT_THAT(failure_of({"inspect", folder.path() / "empty"}), HasSubstr("a folder with none of them"));
    EXPECT_THAT(failure_of({"inspect", "/dev/null"}), HasSubstr("a regular file"));
}

TEST(Doctor, SaysWhatWorks) {
    const TemporaryFolder folder;
    const auto outcome = run_command({"doctor", "--format", "json", "--out", folder.path()});
    EXPECT_EQ(outcome.code, 0) << outcome.err << outcome.out;
    const Json report = parse_json(outcome.out, "doctor");
    for (const char* library : {"craft-train", "libtorch", "sentencepiece", "hdf5", "icu", "pcre2"})
        EXPECT_THAT(report["versions"][library].get<std::string>(), testing::MatchesRegex("[0-9]+[.][0-9]+.*")) << library;
    EXPECT_EQ(report["cpu"]["float32"], "works");
    EXPECT_EQ(report["cuda"]["works"] == true, report["cuda"].contains("float32"));
    EXPECT_EQ(report["endpoints"]["works"], false);
    EXPECT_EQ(report["disk"]["can_be_written"], true);
    EXPECT_EQ(report["broken"], Json::array());
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 0);
    const auto text = run_command({"doctor", "--out", "/proc/none"});
    EXPECT_EQ(text.code, 1);
    EXPECT_THAT(text.out, HasSubstr("broken: --out: "));
}

}  // namespace
}  // namespace craft
