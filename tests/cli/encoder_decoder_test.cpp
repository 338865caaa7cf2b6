// An encoder-decoder of the T5 family by the commands: generate, score, sft with LoRA, and as a local system.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/files.h"
#include "core/json.h"
#include "model/tokenizer/tokenizer.h"
#include "tests/cli/command_inputs.h"
#include "tests/model/small_t5.h"
#include "tests/model/tokenizer/small_tokenizer.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using test::Arguments;
using test::run_command;
using testing::HasSubstr;

class EncoderDecoderCommands : public test::CommandInputs {
protected:
    // T5's old layout: spiece.model and no tokenizer.json.
    static void SetUpTestSuite() {
        shared_ = new TemporaryFolder;
        const test::TokenizerFolder trained("t5-tokenizer", {.vocabulary_size = 320, .model = TokenizerModel::unigram});
        fs::create_directories(shared_->path() / "model");
        fs::copy(trained.path / "tokenizer.model", model() / "spiece.model");
        write_file_atomic(model() / "tokenizer_config.json", R"({"tokenizer_class":"T5Tokenizer","extra_ids":4})");
        const auto tokenizer = open_tokenizer(model());
        Json config = test::t5_config_json(tokenizer->vocabulary_size());
        config["eos_token_id"] = tokenizer->end_token();
        test::make_t5(model(), config);
    }
    static void TearDownTestSuite() { delete shared_; }
    static fs::path model() { return shared_->path() / "model"; }

    std::vector<Json> lines(const std::string& file) const {
        std::vector<Json> all;
        JsonLinesReader reader((folder_.path() / file).string());
        while (const auto row = reader.next()) all.push_back(*row);
        return all;
    }
    test::Outcome on_rows(const std::string& command, const std::string& rows, const Arguments& more = {}) const {
        folder_.file("in.jsonl", rows);
        Arguments all = {
            command,       "--model", model().string(), "--input", dir() + "/in.jsonl", "--output", dir() + "/out.jsonl",
            "--overwrite", "--quiet"};
        all.insert(all.end(), more.begin(), more.end());
        return run_command(all);
    }
    static TemporaryFolder* shared_;
};

TemporaryFolder* EncoderDecoderCommands::shared_ = nullptr;

TEST_F(EncoderDecoderCommands, SentinelsStandBehindThePiecesTheLastOneFirst) {
    const auto tokenizer = open_tokenizer(model());
    const int64_t first = tokenizer->id_of("<extra_id_0>");
    EXPECT_EQ(tokenizer->id_of("<extra_id_3>"), first - 3);
    EXPECT_EQ(tokenizer->id_of("<extra_id_4>"), -1);
    const std::vector<int64_t> ids = tokenizer->encode("The <extra_id_0> crosses", true);
    EXPECT_NE(std::find(ids.begin(), ids.end(), first), ids.end());
    EXPECT_EQ(tokenizer->trailing_tokens(), std::vector<int64_t>{tokenizer->end_token()});
}

TEST_F(EncoderDecoderCommands, GenerateReadsPromptsAndMessagesAlike) {
    const std::string rows =
        "{\"id\":1,\"prompt\":\"The gardener waters a plan.\"}\n"
        "{\"id\":2,\"messages\":[{\"role\":\"user\",\"content\":\"The gardener waters a plan.\"}]}\n";
    const test::Outcome outcome = on_rows("generate", rows, {"--greedy", "--max-new-tokens", "12"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const std::vector<Json> out = lines("out.jsonl");
    ASSERT_EQ(out.size(), 2u);
    EXPECT_EQ(out[0]["text"], out[1]["text"]);
    ASSERT_EQ(on_rows("generate", "{\"id\":1,\"input_ids\":[5,6,7]}\n", {"--ids", "--greedy", "--max-new-tokens", "5"}).code,
              0);
    EXPECT_LE(lines("out.jsonl")[0]["output_ids"].size(), 5u);
}

TEST_F(EncoderDecoderCommands, ScoreOfCompletionsMessagesAndIds) {
    const auto tokenizer = open_tokenizer(model());
    const auto with_end = [&](const std::string& text) {
        std::vector<int64_t> ids = tokenizer->encode(text, true);
        ids.push_back(tokenizer->end_token());
        return ids;
    };
    ASSERT_EQ(on_rows("score",
                      "{\"id\":1,\"prompt\":\"The old bridge.\",\"completion\":\"A bridge.\"}\n"
                      "{\"id\":2,\"messages\":[{\"role\":\"user\",\"content\":\"The old bridge.\"},{\"role\":\"assistant\","
                      "\"content\":\"A bridge.\"}]}\n")
                  .code,
              0);
    const std::vector<Json> scored = lines("out.jsonl");
    EXPECT_EQ(scored[0]["tokens"], with_end("A bridge.").size());
    EXPECT_EQ(scored[0]["logprobs"], scored[1]["logprobs"]);
    const Json ids = {{"id", 1}, {"source_ids", with_end("The old bridge.")}, {"target_ids", with_end("A bridge.")}};
    ASSERT_EQ(on_rows("score", ids.dump() + "\n", {"--ids"}).code, 0);
    EXPECT_EQ(lines("out.jsonl")[0]["logprobs"], scored[0]["logprobs"]);
    EXPECT_THAT(on_rows("score", "{\"id\":1,\"input_ids\":[5,6]}\n", {"--ids"}).err, HasSubstr("field 'source_ids'"));
    EXPECT_THAT(on_rows("score", "{\"id\":1,\"prompt\":\"x\",\"completion\":\"y\"}\n", {"--quantize", "int8"}).err,
                testing::Not(HasSubstr("error")));
}

TEST_F(EncoderDecoderCommands, TrainedWithLoraItAnswersAsASystem) {
    std::string data;
    for (const std::string text : {"very quiet river", "very old bridge", "very short words", "very long day"})
        for (const char* task : {"Task: Simpler\nInput: A ", "Revise: A "})
            data += Json({{"prompt", task + text + ".\nOutput:"}, {"completion", "A plan."}}).dump() + "\n";
    data += Json({{"messages",
                   {{{"role", "user"}, {"content", "Once"}},
                    {{"role", "assistant"}, {"content", "A plan."}},
                    {{"role", "user"}, {"content", "Twice"}},
                    {{"role", "assistant"}, {"content", "A plan."}}}}})
                .dump() +
            "\n{\"text\":\"A text alone has no prompt.\"}\n";
    folder_.file("data.jsonl", data);
    const test::Outcome trained = run_command({"sft", "--model", model().string(), "--data", dir() + "/data.jsonl", "--out",
                                               dir() + "/sft", "--epochs", "30", "--batch-size", "5", "--lr", "0.02",
                                               "--lora-rank", "8", "--lora-targets", "all-linear", "--quiet"});
    ASSERT_EQ(trained.code, 0) << trained.err;
    const Json manifest = read_json_file(folder_.path() / "sft/manifest.json");
    EXPECT_EQ(manifest["dropped"]["no prompt for the encoder"], 1);
    EXPECT_EQ(manifest["notes"]["examples"], 10) << "each turn of the assistant is one";
    const std::string adapter = dir() + "/sft/adapter";
    ASSERT_EQ(on_rows("generate", "{\"id\":1,\"prompt\":\"Revise: A very old bridge.\\nOutput:\"}\n",
                      {"--adapter", adapter, "--greedy", "--max-new-tokens", "12"})
                  .code,
              0);
    EXPECT_EQ(lines("out.jsonl")[0]["text"], "A plan.");
    folder_.file("prompts.json", "{\"simplification\":[\"Simpler\"]}");
    const std::string system = "local:" + model().string() + "+" + adapter;
    const test::Outcome edited = run_command(
        {"eval", "editeval", "--data", test::kShare + "/examples/editeval", "--datasets", "asset", "--system", system,
         "--prompts", dir() + "/prompts.json", "--max-new-tokens", "16", "--out", dir() + "/editeval", "--quiet"});
    ASSERT_EQ(edited.code, 0) << edited.err;
    EXPECT_EQ(read_json_file(folder_.path() / "editeval/editeval.json")["answers"]["finished"], 1);
}

TEST_F(EncoderDecoderCommands, WhatItCannotDo) {
    folder_.file("loss.jsonl", "{}\n");
    const test::Outcome loss = run_command(
        {"loss", "--model", model().string(), "--input", dir() + "/loss.jsonl", "--output", dir() + "/loss.out"});
    EXPECT_EQ(loss.code, 2);
    EXPECT_THAT(loss.err, HasSubstr("expected a decoder, whose rows are single sequences, got an encoder-decoder"));
    EXPECT_THAT(on_rows("score", "{\"id\":1,\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}\n").err,
                HasSubstr("messages of which the last one, the assistant's, answers those before it"));
}

}  // namespace
}  // namespace craft
