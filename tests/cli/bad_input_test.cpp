// Inputs that cannot be worked with: each is one line (where, expected, got, what to try), exit code 1 or 2, and nothing
// that was there is lost. Training commands are only given inputs that stop them before they train.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/files.h"
#include "tests/cli/command_inputs.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using test::Arguments;
using test::failure_of;
using test::run_command;
using test::tiny_model;
using testing::HasSubstr;

using test::filled;
using test::kInstruction;

using BadInput = test::CommandInputs;

// Every way in which a command reads JSON Lines: {file} is what it reads.
const std::vector<Arguments> kReaders = {
    {"constraints", "--texts", "{file}", "--output", "{dir}/o"},
    {"constraints", "--texts", "{dir}/text.jsonl", "--revisions", "{file}", "--output", "{dir}/o"},
    {"tokenizer", "train", "--texts", "{file}", "--out", "{dir}/out"},
    {"align", "--iter", "1", "--model", "{model}", "--texts", "{file}", "--out", "{dir}/out"},
    {"align", "--iter", "1", "--model", "{model}", "--texts", "{dir}/text.jsonl", "--dev", "{file}", "--out", "{dir}/out"},
    {"align", "--iter", "1", "--model", "{model}", "--texts", "{dir}/text.jsonl", "--revisions", "{file}", "--out",
     "{dir}/out"},
    {"align", "--iter", "1", "--model", "{model}", "--instructions", "{file}", "--out", "{dir}/out"},
    {"plan", "--model", "{model}", "--instructions", "{file}", "--output", "{dir}/o"},
    {"tokenize", "--model", "{model}", "--input", "{file}", "--output", "{dir}/o"},
    {"chat", "--model", "{model}", "--input", "{file}", "--output", "{dir}/o"},
    {"trajectories", "--scorers", "none", "--instructions", "{file}", "--out", "{dir}/out"},
    {"trajectories", "import", "--input", "{file}", "--out", "{dir}/out"},
    {"sft", "--model", "{model}", "--data", "{file}", "--out", "{dir}/out"},
    {"align", "--model", "{model}", "--pairs", "{file}", "--out", "{dir}/out"},
    {"eval", "cord", "--items", "{file}", "--outputs", "{dir}/text.jsonl"},
    {"eval", "cord", "--items", "{dir}/instructions.jsonl", "--outputs", "{file}"},
    {"eval", "tools", "--items", "{file}", "--calls", "{dir}/text.jsonl"},
    {"eval", "tools", "--items", "{dir}/instructions.jsonl", "--calls", "{file}"},
    {"eval", "metric", "exact_match", "--input", "{file}"},
};

class BadFile : public BadInput {
protected:
    // Every reader says `expected` of the file, and an older output stays as it was.
    void expect_refused(const std::string& file, const std::string& expected) {
        for (const Arguments& reader : kReaders) {
            fs::remove_all(folder_.path() / "out");
            folder_.file("o", "older");
            Arguments command = filled(reader, "{file}", "{dir}/" + file);
            command.emplace_back("--overwrite");
            EXPECT_THAT(failure(command), testing::StartsWith("1: {dir}/" + file + expected))
                << reader[0] << " " << reader[1];
            EXPECT_EQ(read_file(folder_.path() / "o"), "older");
        }
        expect_no_leftovers();
    }
};

TEST_F(BadFile, Missing) {
    expect_refused("nowhere.jsonl", ": cannot read: No such file or directory");
}

TEST_F(BadFile, Empty) {
    folder_.file("empty.jsonl", "");
    expect_refused("empty.jsonl", ": expected at least one ");
}

TEST_F(BadFile, NotUtf8) {
    folder_.file("latin1.jsonl", "\n{\"id\":\"a\",\"text\":\"caf\xe9\"}\n");
    expect_refused("latin1.jsonl", ":2: not UTF-8 at byte 22");
}

TEST_F(BadFile, ALineOfTenMegabytes) {
    folder_.file("long.jsonl", "{\"id\":\"a\",\"text\":\"" + std::string(10'000'000, 'x') + "\"}\n");
    expect_refused("long.jsonl", ":1: a line of more than 8388608 bytes (split it into several rows)");
}

TEST_F(BadFile, NotJson) {
    folder_.file("text.txt", "It is late.\n");
    expect_refused("text.txt", ":1: not JSON: column 1: ");
}

TEST_F(BadFile, NotAnObject) {
    folder_.file("array.jsonl", "[1]\n");
    expect_refused("array.jsonl", ":1: expected an object, got array");
}

TEST_F(BadFile, WithoutItsFields) {
    folder_.file("other.jsonl", "{\"id\":\"a\",\"title\":\"It is late.\"}\n");
    expect_refused("other.jsonl", ":1: ");
}

TEST_F(BadFile, SkippedLinesLeaveNothing) {
    folder_.file("latin1.jsonl", "{\"id\":\"a\",\"text\":\"caf\xe9\"}\nx\n{\"id\":\"a\"}\n");
    for (Arguments reader : kReaders) {
        reader.emplace_back("--skip-bad-lines");
        fs::remove_all(folder_.path() / "out");
        EXPECT_THAT(failure(filled(reader, "{file}", "{dir}/latin1.jsonl")),
                    testing::AllOf(testing::StartsWith("1: "), HasSubstr("at least one")))
            << reader[0] << " " << reader[1];
    }
}

TEST_F(BadInput, TextsThatGiveNothing) {
    folder_.file("word.jsonl", "{\"id\":\"a\",\"text\":\"Word\"}\n");
    EXPECT_THAT(
        failure({"constraints", "--texts", "{dir}/word.jsonl", "--domain", "c1", "--count", "5", "--output", "{dir}/o"}),
        testing::StartsWith(
            "1: {dir}/word.jsonl: expected texts that constraints can be read from, got none of 1 (dropped: "));
    EXPECT_FALSE(fs::exists(folder_.path() / "o"));
    folder_.file("sentence.jsonl", "{\"id\":\"a\",\"text\":\"Only one sentence is here.\"}\n");
    const auto mixed = [&](const std::string& domains, const std::string& mix) {
        return failure(
            {"constraints", "--texts", "{dir}/text.jsonl", "--domain", domains, "--mix", mix, "--output", "{dir}/o"});
    };
    EXPECT_THAT(mixed("c1,c2", "1,0,0,0,0,0,0,0"),
                HasSubstr("--mix: expected at least 2 positive shares, as many as c2 has constraints, got 1"));
    EXPECT_THAT(mixed("c4", "3,1,1,1,1,1,1,1"),
                testing::AllOf(testing::StartsWith("2: "),
                               HasSubstr("--mix: these domains can give keep_sentence at most 25.0 % "
                                         "of the constraints, once in an instruction each, not 30.0 %")));
    const auto made =
        run_command({"constraints", "--texts", dir() + "/sentence.jsonl", "--count", "40", "--output", dir() + "/o"});
    EXPECT_EQ(made.code, 0);
    EXPECT_THAT(made.err, HasSubstr("too few sentences for keep_three")) << "what was given up is said";
    EXPECT_THAT(
        failure({"align", "--iter", "1", "--model", "{model}", "--texts", "{dir}/sentence.jsonl", "--out", "{dir}/out"}),
        HasSubstr("a tenth for the "));
    EXPECT_THAT(failure({"tokenizer", "train", "--texts", "{dir}/word.jsonl", "--out", "{dir}/tokenizer"}),
                testing::AllOf(testing::StartsWith("1: --vocab-size: expected at most "),
                               HasSubstr("give more text or a smaller vocabulary")));
}

// What a run folder or an output cannot be; {to} is the place.
TEST_F(BadInput, UnwritableOutputs) {
    const std::vector<Arguments> runs = {
        {"sft", "--model", "{model}", "--data", "{dir}/sft.jsonl", "--max-length", "1", "--out", "{to}"},
        {"align", "--model", "{model}", "--pairs", "{dir}/pairs.jsonl", "--max-length", "1", "--out", "{to}"},
        {"align", "--iter", "1", "--model", "{model}", "--texts", "{dir}/text.jsonl", "--out", "{to}"},
        {"quickstart", "--model", "{model}", "--texts", "{dir}", "--out", "{to}"},
        {"trajectories", "--scorers", "none", "--instructions", "{dir}/instructions.jsonl", "--out", "{to}"},
        {"trajectories", "import", "--input", "{dir}/instructions.jsonl", "--out", "{to}"},
        {"tokenizer", "train", "--texts", "{dir}/text.jsonl", "--out", "{to}"},
    };
    folder_.file("file", "kept");
    fs::create_directory(folder_.path() / "full");
    folder_.file("full/notes.txt", "somebody's");
    for (const Arguments& run : runs) {
        EXPECT_EQ(failure(filled(run, "{to}", "{dir}/file")), "1: {dir}/file: expected a folder, got a file") << run[0];
        EXPECT_EQ(failure(filled(run, "{to}", "{dir}/file/out")),
                  "1: {dir}/file/out: cannot create the folder: Not a directory");
        EXPECT_EQ(failure(filled(run, "{to}", "{dir}/full")),
                  "1: {dir}/full: expected an empty folder or a run of craft-train, got a folder that holds other files "
                  "(give another --out)");
        EXPECT_THAT(failure(filled(run, "{to}", "")), testing::StartsWith("2: missing --out: "));
    }
    EXPECT_EQ(read_file(folder_.path() / "file"), "kept");
    EXPECT_EQ(read_file(folder_.path() / "full/notes.txt"), "somebody's");
}

TEST_F(BadInput, UnwritableFiles) {
    folder_.file("calls.jsonl", "{\"id\":\"a\",\"calls\":[]}\n");
    folder_.file("outputs.jsonl", "{\"id\":\"a\",\"text\":\"It is late.\"}\n");
    folder_.file("predictions.jsonl", "{\"id\":\"a\",\"prediction\":\"It is late.\"}\n");
    folder_.file("file", "kept");
    const std::vector<Arguments> writers = {
        {"constraints", "--texts", "{dir}/text.jsonl", "--domain", "c0", "--output", "{to}"},
        {"constraints", "--texts", "{dir}/text.jsonl", "--domain", "c0", "--output", "{dir}/o", "--proof", "{to}"},
        {"plan", "--model", "{model}", "--instructions", "{dir}/instructions.jsonl", "--max-new-tokens", "1", "--output",
         "{to}"},
        {"eval", "cord", "--items", "{dir}/instructions.jsonl", "--outputs", "{dir}/outputs.jsonl", "--output", "{to}"},
        {"eval", "tools", "--items", "{dir}/instructions.jsonl", "--calls", "{dir}/calls.jsonl", "--output", "{to}"},
        {"eval", "metric", "fkgl", "--input", "{dir}/predictions.jsonl", "--output", "{to}"},
    };
    for (const Arguments& writer : writers) {
        EXPECT_THAT(failure(filled(writer, "{to}", "{dir}/file/o")),
                    testing::AllOf(testing::StartsWith("2: --"),
                                   testing::EndsWith("expected a folder to write {dir}/file/o to, got a file: {dir}/file")))
            << writer[0];
        EXPECT_THAT(failure(filled(writer, "{to}", "{dir}")),
                    testing::AllOf(testing::StartsWith("2: --"), testing::EndsWith("expected a file, got a folder: {dir}")));
        const bool proof = std::find(writer.begin(), writer.end(), "--proof") != writer.end();  // C0 has nothing to prove
        if (!proof && fs::exists("/dev/full")) {
            EXPECT_EQ(failure(filled(writer, "{to}", "/dev/full")), "1: /dev/full: cannot write: No space left on device");
        }
    }
    for (const std::string which : {"cord", "tools"}) {
        const std::string input = which == "cord" ? "--outputs" : "--calls", file = which == "cord" ? "outputs" : "calls";
        EXPECT_EQ(failure({"eval", which, "--items", "{dir}/instructions.jsonl", input, "{dir}/" + file + ".jsonl",
                           "--output", ""}),
                  "1: output file: expected a path, got an empty one");
    }
    EXPECT_EQ(read_file(folder_.path() / "file"), "kept");
    expect_no_leftovers();
}

// A copy of the model, spoiled: what is wrong, and what is said of it.
TEST_F(BadInput, ModelFolders) {
    const fs::path model = folder_.path() / "model";
    const auto spoiled = [&](const std::string& file, const std::function<std::string(std::string)>& change) {
        fs::remove_all(model);
        fs::create_directory(model);
        for (const auto& entry : fs::directory_iterator(tiny_model()))
            if (entry.path().filename() != file) fs::create_symlink(entry.path(), model / entry.path().filename());
        folder_.file("model/" + file, change(read_file(fs::path(tiny_model()) / file)));
    };
    const auto expect_refused = [&](const std::string& line) {
        const std::vector<Arguments> users = {
            {"plan", "--model", "{dir}/model", "--instructions", "{dir}/instructions.jsonl", "--output", "{dir}/o"},
            {"sft", "--model", "{dir}/model", "--data", "{dir}/sft.jsonl", "--max-length", "1", "--out", "{dir}/out"},
            {"align", "--model", "{dir}/model", "--pairs", "{dir}/pairs.jsonl", "--max-length", "1", "--out", "{dir}/out"},
            {"align", "--iter", "1", "--model", "{dir}/model", "--texts", "{dir}/text.jsonl", "--out", "{dir}/out"},
            {"trajectories", "--teacher", "local:{dir}/model", "--instructions", "{dir}/instructions.jsonl", "--out",
             "{dir}/out"},
            {"trajectories", "--perplexity-model", "{dir}/model", "--instructions", "{dir}/instructions.jsonl", "--out",
             "{dir}/out"},
            {"quickstart", "--model", "{dir}/model", "--texts", "{dir}", "--out", "{dir}/out"},
        };
        for (const Arguments& user : users) {
            fs::remove_all(folder_.path() / "out");
            EXPECT_THAT(failure(user), testing::StartsWith("1: {dir}/model" + line)) << user[0];
        }
    };
    spoiled("config.json",
            [](const std::string&) { return R"({"architectures":["BertModel"],"model_type":"bert","hidden_size":768})"; });
    expect_refused("/config.json: architectures: expected one of LlamaForCausalLM, MistralForCausalLM, ");
    spoiled("model.safetensors", [](const std::string& bytes) { return bytes.substr(0, bytes.size() - 1000); });
    expect_refused("/model.safetensors: expected ");
    EXPECT_THAT(failure({"plan", "--model", "{dir}/model", "--instructions", "{dir}/instructions.jsonl", "--output", "-"}),
                HasSubstr("(the file is truncated)"));
    spoiled("model.safetensors", [](const std::string& bytes) { return bytes.substr(0, 5); });
    expect_refused("/model.safetensors: expected a safetensors file, got 5 bytes (the file is truncated)");
    spoiled("tokenizer.model", [](const std::string& bytes) { return bytes.substr(0, bytes.size() / 2); });
    expect_refused("/tokenizer.model: ");
    fs::remove_all(model);
    folder_.file("model", "a file");
    expect_refused(": expected a GGUF file, got something else");
}

TEST_F(BadInput, Adapters) {
    folder_.file("adapter/adapter_config.json", "{}");
    folder_.file("adapter/adapter_model.safetensors", "");
    const std::vector<Arguments> users = {
        {"plan", "--model", "{model}", "--adapter", "{dir}/adapter", "--instructions", "{dir}/instructions.jsonl",
         "--output", "{dir}/o"},
        {"sft", "--model", "{model}", "--adapter", "{dir}/adapter", "--data", "{dir}/sft.jsonl", "--max-length", "1",
         "--out", "{dir}/out1"},
        {"align", "--model", "{model}", "--adapter", "{dir}/adapter", "--pairs", "{dir}/pairs.jsonl", "--max-length", "1",
         "--out", "{dir}/out2"},
        {"align", "--iter", "1", "--model", "{model}", "--adapter", "{dir}/adapter", "--texts", "{dir}/text.jsonl", "--out",
         "{dir}/out3"},
    };
    for (const Arguments& user : users)
        EXPECT_EQ(failure(user),
                  "1: {dir}/adapter/adapter_config.json: peft_type: expected \"LORA\", got nothing (other adapters are not "
                  "supported)");
}

TEST_F(BadInput, DataOfAnotherCommand) {
    EXPECT_EQ(failure({"sft", "--model", "{model}", "--data", "{dir}/pairs.jsonl", "--out", "{dir}/a"}),
              "1: {dir}/pairs.jsonl:1: expected 'messages', 'prompt' and 'completion', or 'text', got a row without them "
              "(pairs are for "
              "craft-train align --pairs)");
    EXPECT_EQ(failure({"align", "--model", "{model}", "--pairs", "{dir}/sft.jsonl", "--out", "{dir}/b"}),
              "1: {dir}/sft.jsonl:1: field 'chosen': expected a string or a list of messages, got none");
    EXPECT_EQ(failure({"trajectories", "export", "--store", "{dir}", "--output", "-"}),
              "1: {dir}: expected a trajectory store, got no store.json there");
    EXPECT_EQ(failure({"sft", "--model", "{model}", "--data", "{dir}", "--out", "{dir}/c"}),
              "1: {dir}: expected a JSON Lines file, got a folder");
}

TEST_F(BadInput, DamagedStores) {
    const fs::path segment = folder_.path() / "store/segment-000001.h5";
    folder_.file("t.jsonl", R"({"id":"t","domain":"c0","instruction":"Improve this:","text":"It is late.","constraints":[],)"
                            R"("messages":[{"role":"user","content":"Improve this: It is late."}],"steps":[]})"
                            "\n");
    const auto expect_refused = [&](const std::string& line) {
        folder_.file("o", "older");
        for (const Arguments& reader : std::vector<Arguments>{
                 {"trajectories", "export", "--store", "{dir}/store", "--output", "{dir}/o", "--overwrite"},
                 {"sft", "--model", "{model}", "--data", "{dir}/store", "--max-length", "1", "--out", "{dir}/out"}}) {
            EXPECT_THAT(failure(reader), testing::StartsWith("1: {dir}/store/" + line));
            fs::remove_all(folder_.path() / "out");
        }
        EXPECT_EQ(read_file(folder_.path() / "o"), "older");
    };
    ASSERT_EQ(run_command({"trajectories", "import", "--input", dir() + "/t.jsonl", "--out", dir() + "/store"}).code, 0);
    const std::string whole = read_file(segment);
    write_file_atomic(segment, whole.substr(0, whole.size() - 10));
    expect_refused("segment-000001.h5: expected " + std::to_string(whole.size()) + " bytes, got " +
                   std::to_string(whole.size() - 10) + " (restore it from a copy, or rewrite the store with --overwrite)");
    std::string flipped = whole;
    flipped[whole.size() / 2] = static_cast<char>(flipped[whole.size() / 2] ^ 1);
    write_file_atomic(segment, flipped);
    expect_refused("segment-000001.h5: expected the bytes that were written (xxh64:");
    EXPECT_EQ(
        failure({"sft", "--model", "{model}", "--data", "{dir}/store/segment-000001.h5", "--out", "{dir}/out"}),
        "1: {dir}/store/segment-000001.h5: expected a store's folder, or JSON Lines, got one segment of a store (give its "
        "folder)");
    write_file_atomic(segment, whole);
    const fs::path index = folder_.path() / "store/store.json";
    write_file_atomic(index, read_file(index).substr(0, 100));
    expect_refused("store.json: not JSON: ");
}

// Rows that hold the contract's keys alone, as other programs write them.
TEST_F(BadInput, TrajectoriesOfOtherProgramsAreNone) {
    folder_.file("t.jsonl", R"J({"id":"t","messages":[{"role":"user","content":"P"}],"tools":["text_eval()"],"steps":[]})J"
                            "\n");
    EXPECT_EQ(run_command({"trajectories", "import", "--input", dir() + "/t.jsonl", "--out", dir() + "/store"}).code, 0);
    const auto out = run_command({"trajectories", "export", "--store", dir() + "/store", "--output", "-"}).out;
    EXPECT_EQ(parse_json(out, "row")["messages"][0]["content"], "P");
}

}  // namespace
}  // namespace craft
