// Folders that only name a model, in place of the model; and what of a model folder is copied.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include <filesystem>

#include "core/files.h"
#include "core/model_files.h"
#include "model/decoder/decoder.h"
#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using test::Arguments;
using test::failure_of;
using test::Outcome;
using test::run_command;
using test::tiny_model;
using testing::HasSubstr;

class ModelReference : public testing::Test {
protected:
    // An own model, since links of the source tree are nobody's business here; a reference to it; an adapter on it.
    void SetUp() override {
        fs::create_directories(at("base"));
        fs::create_directories(at("reference"));
        for (const fs::path& name : model_file_names(tiny_model())) copy_file_atomic(tiny_model() / name, at("base") / name);
        write_model_reference(at("base"), at("reference"));
        folder_.file("rows.jsonl",
                     "{\"id\":\"a\",\"text\":\"The river runs.\",\"prompt\":\"The\",\"completion\":\" river\"}\n");
        folder_.file("chats.jsonl", "{\"id\":\"a\",\"messages\":[{\"role\":\"user\",\"content\":\"The river\"}]}\n");
    }
    fs::path at(const std::string& name) const { return folder_.path() / name; }
    // What a command makes of this model.
    std::string made_of(const std::string& model, const std::string& command, const std::string& input) const {
        const auto outcome =
            run_command({command, "--model", at(model).string(), "--input", at(input).string(), "--output", "-", "--quiet"});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.out;
    }
    void make_adapter(const std::string& model) const {
        Decoder decoder = Decoder::load(at(model), at::kFloat, at::kCPU);
        Rng rng(1, "reference");
        decoder.add_adapter({.rank = 2, .targets = {"q_proj"}}, rng);
        decoder.save_adapter(at("adapter"));
    }
    Arguments export_from(const std::string& model, const std::string& out) const {
        return {"export",  "--model", at(model).string(), "--adapter", at("adapter").string(),
                "--merge", "--out",   at(out).string()};
    }
    TemporaryFolder folder_;
};

TEST_F(ModelReference, IsTakenForTheModelByEveryCommand) {
    for (const char* command : {"tokenize", "score"})
        EXPECT_EQ(made_of("reference", command, "rows.jsonl"), made_of("base", command, "rows.jsonl")) << command;
    EXPECT_EQ(made_of("reference", "chat", "chats.jsonl"), made_of("base", "chat", "chats.jsonl"));
    const std::string inspected = run_command({"inspect", at("reference").string(), "--format", "json"}).out;
    Json described = parse_json(inspected, "inspect");
    EXPECT_EQ(described["lies_in"], fs::canonical(at("base")).string());
    described.erase("lies_in");
    described["path"] = at("base").string();
    EXPECT_EQ(described, parse_json(run_command({"inspect", at("base").string(), "--format", "json"}).out, "inspect"));
}

TEST_F(ModelReference, BringsItsOwnTemplate) {
    folder_.file("reference/chat_template.jinja", "{{ messages[0].content }}!");
    EXPECT_THAT(made_of("reference", "chat", "chats.jsonl"), HasSubstr("\"text\":\"The river!\""));
    make_adapter("reference");
    ASSERT_EQ(run_command(export_from("reference", "merged")).code, 0);
    EXPECT_EQ(read_file(at("merged/chat_template.jinja")), "{{ messages[0].content }}!");
}

TEST_F(ModelReference, AnAdapterNamesTheModelItself) {
    make_adapter("reference");
    const std::string base = fs::canonical(at("base")).string();
    EXPECT_EQ(read_json_file(at("adapter/adapter_config.json"))["base_model_name_or_path"], base);
    Arguments plain = export_from("reference", "plain");
    std::erase(plain, "--merge");
    ASSERT_EQ(run_command(plain).code, 0);
    EXPECT_EQ(read_json_file(at("plain/adapter_config.json"))["base_model_name_or_path"], base);
    ASSERT_EQ(run_command(export_from("base", "one")).code, 0);
    ASSERT_EQ(run_command(export_from("reference", "two")).code, 0);
    EXPECT_EQ(file_hash(at("one")), file_hash(at("two")));
    Arguments eats = export_from("reference", "base");
    eats.emplace_back("--overwrite");
    EXPECT_THAT(failure_of(eats), HasSubstr("is or holds the input"));
}

TEST_F(ModelReference, ThatIsBrokenIsOneLine) {
    folder_.file("base/config.json", "{}");
    const Arguments score = {"score",    "--model", at("reference").string(), "--input", at("rows.jsonl").string(),
                             "--output", "-"};
    EXPECT_THAT(failure_of(score), HasSubstr("model_reference.json: expected the model xxh64:"));
    fs::remove_all(at("base"));
    EXPECT_THAT(failure_of(score),
                HasSubstr("got no such folder or file (put it back there, or give the model itself in place of "));
}

// As huggingface_hub keeps a model: links of a snapshot to blobs.
TEST_F(ModelReference, ANameOfTheHuggingFaceCacheIsTakenForTheModel) {
    const fs::path model = at("hub") / "models--org--tiny", snapshot = model / "snapshots" / "abc";
    fs::create_directories(snapshot);
    fs::create_directories(model / "blobs");
    for (const fs::path& name : model_file_names(tiny_model())) {
        copy_file_atomic(tiny_model() / name, model / "blobs" / name);
        fs::create_symlink(fs::path("../../blobs") / name, snapshot / name);
    }
    folder_.file("hub/models--org--tiny/refs/main", "abc");
    ::setenv("HF_HUB_CACHE", at("hub").c_str(), 1);
    const auto named = [&](Arguments arguments) {
        arguments.insert(arguments.end(), {"--model", "org/tiny"});
        return run_command(arguments);
    };
    const std::string rows = at("rows.jsonl").string();
    EXPECT_EQ(named({"score", "--input", rows, "--output", "-"}).out, made_of("base", "score", "rows.jsonl"));
    make_adapter("base");
    const Outcome merged = named({"export", "--adapter", at("adapter").string(), "--merge", "--out", at("merged").string()});
    EXPECT_EQ(merged.code, 0) << merged.err;
    EXPECT_THAT(named({"score", "--input", rows, "--output", "-", "--dump-config"}).out, HasSubstr(snapshot.string()));
    EXPECT_THAT(run_command({"inspect", "org/tiny"}).out, HasSubstr(snapshot.string()));
    fs::remove(model / "blobs" / "model.safetensors");
    EXPECT_THAT(failure_of({"inspect", "org/tiny"}),
                HasSubstr("model.safetensors, which is gone (download org/tiny again)"));
    ::unsetenv("HF_HUB_CACHE");
}

// A folder that somebody made could name any file of the user's, and what is copied is passed on.
TEST_F(ModelReference, WhatIsCopiedOfAModelIsItsOwn) {
    make_adapter("base");
    fs::create_symlink(folder_.file("home/notes", "mine"), at("base/vocab.txt"));
    const std::string refused = "1: " + at("base/vocab.txt").string() + ": expected a file of the model's own folder";
    EXPECT_THAT(failure_of(export_from("base", "merged")), testing::StartsWith(refused));
    EXPECT_FALSE(fs::exists(at("merged")));
    EXPECT_THAT(failure_of({"sft", "--model", at("base").string(), "--data", at("rows.jsonl").string(), "--full", "--out",
                            at("out").string()}),
                testing::StartsWith(refused));
    EXPECT_FALSE(fs::exists(at("out"))) << "refused before the work, at whose end it is copied";
    EXPECT_THAT(made_of("base", "tokenize", "rows.jsonl"), HasSubstr("river")) << "opening it is another matter";
}

}  // namespace
}  // namespace craft
