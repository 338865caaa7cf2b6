// `inspect` of everything that the program makes or takes, and `doctor`.
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
#include "tests/systems/hosted/chat_server.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using test::failure_of;
using test::kShare;
using test::run_command;
using test::tiny_model;
using testing::HasSubstr;
using testing::Not;

Json inspected(const std::string& path) {
    const auto outcome = run_command({"inspect", path, "--format", "json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.code == 0 ? parse_json(outcome.out, "inspect") : Json();
}

TEST(Inspect, AModelWithItsTokenizer) {
    const Json model = inspected(tiny_model()), config = read_json_file(fs::path(tiny_model()) / "config.json");
    EXPECT_EQ(model["kind"], "model");
    EXPECT_EQ(model["architecture"], config["architectures"][0]);
    EXPECT_EQ(model["decoder"]["layers"], config["num_hidden_layers"]);
    EXPECT_EQ(model["tokenizer"]["vocabulary"], config["vocab_size"]);
    EXPECT_EQ(model["tokenizer"]["chat_template"], "chatml");
    EXPECT_EQ(model["weights"]["bytes"], model["weights"]["parameters"].get<int64_t>() * 2) << "bfloat16";
    const auto text = run_command({"inspect", tiny_model()});
    EXPECT_THAT(text.out, HasSubstr("kind: model\n"));
    EXPECT_THAT(text.out, HasSubstr("\n  chat template: chatml\n"));
}

TEST(Inspect, AnAdapterAndASafetensorsFile) {
    const TemporaryFolder folder;
    Decoder decoder = Decoder::load(tiny_model(), at::kFloat, at::kCPU);
    Rng rng(1, "inspect");
    decoder.add_adapter({.rank = 3, .targets = {"q_proj"}}, rng);
    decoder.save_adapter(folder.path());
    const Json adapter = inspected(folder.path());
    EXPECT_EQ(adapter["kind"], "adapter");
    EXPECT_EQ(adapter["rank"], 3);
    EXPECT_EQ(adapter["base"], tiny_model());
    EXPECT_EQ(adapter["targets"], Json({"q_proj"}));
    EXPECT_EQ(adapter["weights"]["tensors"], 2 * decoder.config().layers);
    EXPECT_EQ(inspected(folder.path() / "adapter_model.safetensors")["dtypes"].size(), 1u);
    fs::resize_file(folder.path() / "adapter_model.safetensors", 1000);
    EXPECT_THAT(failure_of({"inspect", folder.path()}), HasSubstr("1: " + folder.path().string()));
}

// `score` says the same of an adapter that no model could take; one of another model is whole as far as `inspect` can see.
TEST(Inspect, AnAdaptersDamage) {
    const TemporaryFolder folder;
    Decoder decoder = Decoder::load(tiny_model(), at::kFloat, at::kCPU);
    Rng rng(1, "inspect");
    decoder.add_adapter({.rank = 3, .targets = {"q_proj"}}, rng);
    decoder.save_adapter(folder.path() / "adapter");
    const fs::path tensors = folder.path() / "adapter/adapter_model.safetensors",
                   config = folder.path() / "adapter/adapter_config.json";
    const Json plain = read_json_file(config);
    NamedTensors good;
    for (const std::string& name : SafetensorsFile(tensors).names())
        good.emplace_back(name, SafetensorsFile(tensors).tensor(name));
    const std::string rows = folder.file("rows.jsonl", "{\"id\":\"a\",\"prompt\":\"It\",\"completion\":\" is\"}\n"),
                      out = folder.path() / "scores.jsonl", adapter = folder.path() / "adapter";
    const test::Arguments inspecting = {"inspect", adapter},
                          scoring = {"score",   "--model", tiny_model(), "--adapter", adapter,
                                     "--input", rows,      "--output",   out};
    const auto expect_damage = [&](const NamedTensors& changed, const std::string& line) {
        write_safetensors(tensors, changed);
        EXPECT_THAT(failure_of(inspecting), HasSubstr(line));
        EXPECT_EQ(failure_of(inspecting), failure_of(scoring));
        EXPECT_FALSE(fs::exists(out));
    };
    const std::string q = "model.layers.0.self_attn.q_proj", others = std::to_string(decoder.config().layers - 1);
    expect_damage({}, "1: " + tensors.string() + ": expected lora_A and lora_B of some modules, got no tensors");
    NamedTensors changed = good;
    for (auto& [name, tensor] : changed) tensor = at::empty({0});
    expect_damage(changed,
                  "1: " + tensors.string() + ": tensor '" + q + ".lora_A.weight': expected values, got none, shape [0]");
    expect_damage(changed, "set stage3_gather_16bit_weights_on_model_save)");
    expect_damage({good.begin() + 1, good.end()},
                  "1: " + tensors.string() + ": module '" + q + "': expected both halves, got no '" + q + ".lora_A.weight'");
    changed = good;
    for (auto& [name, tensor] : changed) tensor = tensor.to(at::kInt);
    expect_damage(changed, ": expected float32, bfloat16 or float16, got Int");
    const auto with = [&](const std::string& key, const Json& value) {
        Json other = plain;
        other[key] = value;
        write_json_file(config, other);
    };
    with("r", 4);
    expect_damage(good, "1: " + tensors.string() + ": module '" + q +
                            "': expected rank 4, as adapter_config.json says, got tensors of rank 3, and " + others +
                            " more");
    with("rank_pattern", {{"q_prj", 3}});
    expect_damage(good,
                  "1: " + config.string() + ": rank_pattern: expected patterns of targets, one of which is '" + q + "'");

    write_json_file(config, plain);
    changed = good;
    for (auto& [name, tensor] : changed)
        if (name.ends_with("lora_A.weight")) tensor = at::zeros({3, 5});
    write_safetensors(tensors, changed);
    EXPECT_EQ(inspected(adapter)["weights"]["tensors"], 2 * decoder.config().layers);
    EXPECT_THAT(failure_of(scoring), HasSubstr("got shape [3, 5] (the adapter belongs to another model)"));
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
    ASSERT_EQ(run_command({"sft", "--model", tiny_model(), "--data", data, "--out", run, "--lora-rank", "2"}).code, 0);
    const Json described = inspected(run);
    EXPECT_EQ(described["kind"], "run");
    EXPECT_EQ(described["command"], "sft");
    EXPECT_EQ(described["finished"], true);
    EXPECT_GE(described["metrics.jsonl"]["lines"], 1);
    EXPECT_THAT(described["next"].get<std::string>(), HasSubstr("--planner local:" + tiny_model() + "+" + run + "/adapter"));
    EXPECT_THAT(run_command({"inspect", run}).out, HasSubstr("\n  loss: "));
    EXPECT_EQ(inspected(run + "/adapter")["rank"], 2);
    EXPECT_EQ(inspected(data)["rows_are"], "completions for sft or score");
    EXPECT_EQ(inspected(data)["rows"], 1);
    EXPECT_EQ(inspected(tiny_model() + "/tokenizer.model")["kind"], "tokenizer");
    EXPECT_EQ(inspected(tiny_model() + "/config.json")["kind"], "JSON");
    folder.file("bad.jsonl", "{\"a\":1}\nnonsense\n");
    EXPECT_THAT(failure_of({"inspect", folder.path() / "bad.jsonl"}), HasSubstr("bad.jsonl:2"));
    EXPECT_THAT(failure_of({"inspect", folder.path() / "absent"}), HasSubstr("nothing there"));
    EXPECT_THAT(failure_of({"inspect", "no-such-org/no-such-model"}),
                HasSubstr("`hf download no-such-org/no-such-model` gets it"));
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
    EXPECT_EQ(report["english"].contains("why"), report["english"]["works"] == false);
    EXPECT_TRUE(report["english"]["words"].is_string());
    for (const char* part : {"synonyms", "forms", "difficulty_by_size", "difficulty_by_count", "constituents"}) {
        const std::string place = report["english"]["dictionary"].value(part, "");
        EXPECT_TRUE(fs::exists(place) || place == "none (scripts/setup.sh --english installs them)")
            << part << ": " << place;
    }
    EXPECT_EQ(report["broken"], Json::array());
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 0);
    const auto text = run_command({"doctor", "--out", "/proc/none"});
    EXPECT_EQ(text.code, 1);
    EXPECT_THAT(text.out, HasSubstr("broken: --out: "));
}

TEST(Doctor, TriesTheEndpointsOfProfiles) {
    const TemporaryFolder folder;
    const chat_server::ChatServer server({.api_key = "right-key-1"});
    std::string gone;
    {
        const chat_server::ChatServer other;
        gone = other.base_url();
    }
    ::setenv("CRAFT_DOCTOR_RIGHT", "right-key-1", 1);
    ::setenv("CRAFT_DOCTOR_WRONG", "wrong-key-2", 1);
    const auto profile = [&](const std::string& url, const char* key) {
        return Json{{"base_url", url}, {"model", "test-model"}, {"key_env", key}};
    };
    folder.file("good.json", Json{{"openai", {{"small", profile(server.base_url(), "CRAFT_DOCTOR_RIGHT")}}}}.dump());
    const auto good =
        run_command({"doctor", "--format", "json", "--out", folder.path(), "--config", folder.path() / "good.json"});
    EXPECT_EQ(good.code, 0) << good.out << good.err;
    const Json endpoints = parse_json(good.out, "doctor")["endpoints"];
    EXPECT_EQ(endpoints["works"], true);
    EXPECT_EQ(endpoints["profiles"]["small"][0], server.base_url() + ": reachable (1 model, test-model among them)");
    folder.file("bad.json", Json{{"openai",
                                  {{"refused", profile(server.base_url(), "CRAFT_DOCTOR_WRONG")},
                                   {"absent", profile(gone, "CRAFT_DOCTOR_RIGHT")}}}}
                                .dump());
    const auto bad = run_command({"doctor", "--out", folder.path(), "--config", folder.path() / "bad.json"});
    EXPECT_EQ(bad.code, 1);
    EXPECT_THAT(bad.out, HasSubstr(server.base_url() + ": refused (HTTP 401"));
    EXPECT_THAT(bad.out, HasSubstr(gone + ": not reachable ("));
    for (const char* key : {"right-key", "wrong-key"}) EXPECT_THAT(bad.out + bad.err, Not(HasSubstr(key)));
    const auto wrong = failure_of({"doctor", "--set", "openai.small.modle=x", "--out", folder.path()});
    EXPECT_THAT(wrong, HasSubstr("modle"));
}

}  // namespace
}  // namespace craft
