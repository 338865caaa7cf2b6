// What a run says of itself in manifest.json, and what makes it another run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "core/files.h"
#include "core/json.h"
#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using test::Arguments;
using test::failure_of;
using test::run_command;
using test::tiny_model;
using testing::HasSubstr;

// Commands that stop before they train: what they have read by then is in the manifest.
class ManifestOf : public testing::Test {
protected:
    std::string at(const std::string& name) const { return (folder_.path() / name).string(); }
    Json manifest() const { return read_json_file(at("out/manifest.json")); }
    Json dropped_by(Arguments command) const {
        std::filesystem::remove_all(at("out"));
        command.insert(command.end(), {"--skip-bad-lines", "--out", at("out")});
        const auto outcome = run_command(command);
        EXPECT_EQ(outcome.code, 1) << outcome.err;
        return manifest()["dropped"];
    }
    TemporaryFolder folder_;
};

TEST_F(ManifestOf, HoldsWhatWasUsed) {
    folder_.file("pairs.jsonl", "{\"prompt\":\"a\",\"chosen\":\"b\",\"rejected\":\"c\"}\n");
    const Arguments command = {"align",        "--model", tiny_model(), "--pairs", at("pairs.jsonl"),
                               "--max-length", "1",       "--beta",     "3",       "--device",
                               "cpu",          "--dtype", "float32",    "--out",   at("out")};
    EXPECT_EQ(run_command(command).code, 1) << "no pair is short enough";
    EXPECT_EQ(manifest()["notes"]["place"], Json({{"device", "cpu"}, {"dtype", "float32"}}));
    EXPECT_EQ(manifest()["notes"]["loss"], Json({{"name", "craft"}, {"beta", 3.0}, {"gamma", 1.375}, {"alpha", 1.0}}))
        << "gamma and alpha are the loss's own";
    for (const char* library : {"craft-train", "libtorch", "sentencepiece", "hdf5"})
        EXPECT_THAT(manifest()["versions"][library].get<std::string>(), testing::MatchesRegex("[0-9]+[.][0-9]+.*"));
}

// Prompts, rules and models then come from there.
TEST_F(ManifestOf, NamesAnotherFolderOfSharedFiles) {
    folder_.file("pairs.jsonl", "{\"prompt\":\"a\",\"chosen\":\"b\",\"rejected\":\"c\"}\n");
    const Arguments command = {"align",        "--model", tiny_model(), "--pairs", at("pairs.jsonl"),
                               "--max-length", "1",       "--out",      at("out")};
    run_command(command);
    EXPECT_FALSE(manifest()["notes"].contains("share"));
    std::filesystem::create_directory_symlink(test::kShare, at("share"));
    ::setenv("CRAFT_SHARE", at("share").c_str(), 1);
    run_command(command);
    ::unsetenv("CRAFT_SHARE");
    EXPECT_EQ(manifest()["notes"]["share"], at("share"));
}

TEST_F(ManifestOf, ListsWhatEveryOptionReads) {
    const std::string texts = folder_.file("texts.jsonl", "{\"id\":\"a\",\"text\":\"It is late.\"}\n");
    const std::string guideline = test::kShare + "/guidelines/sentence.txt", encoder = test::kShare + "/examples/encoder";
    const std::string reviser = at("reviser"), scorer = at("scorer");
    for (const std::string& model : {reviser, scorer})
        std::filesystem::copy(tiny_model(), model, std::filesystem::copy_options::recursive);
    EXPECT_EQ(run_command({"align",
                           "--iter",
                           "1",
                           "--model",
                           tiny_model(),
                           "--texts",
                           texts,
                           "--reviser",
                           "local:" + reviser,
                           "--judge",
                           "rules",
                           "--guideline",
                           guideline,
                           "--aspect",
                           "Lexical",
                           "--aligner",
                           encoder,
                           "--set",
                           "reward.scorers=perplexity:" + scorer,
                           "--out",
                           at("out")})
                  .code,
              1)
        << "of one text nothing is made";
    std::vector<std::string> listed;
    const Json hashes = manifest()["data_hashes"];
    for (const auto& [path, hash] : hashes.items()) listed.push_back(path);
    EXPECT_THAT(listed, testing::UnorderedElementsAre(tiny_model(), texts, reviser, guideline, encoder, scorer));
}

TEST_F(ManifestOf, CountsTheBadLines) {
    const std::string instruction =
        R"({"id":"a","domain":"c0","instruction":"Improve:","text":"It is late.","constraints":[]})";
    const std::string texts = folder_.file("texts.jsonl", "x\n{\"id\":\"a\",\"text\":\"It is late.\"}\ny\n");
    const std::string instructions = folder_.file("instructions.jsonl", instruction + "\n{}\n");
    const std::string sft = folder_.file("sft.jsonl", "{\"prompt\":\"a\",\"completion\":\"b\"}\nx\n");
    // Each fails after it has read: texts too few, a model that is none, nothing short enough.
    EXPECT_EQ(dropped_by({"align", "--iter", "1", "--model", tiny_model(), "--texts", texts, "--dev", instructions}),
              Json::object({{"bad line", 3}}));
    folder_.file("model/config.json", "{}");
    EXPECT_EQ(dropped_by({"trajectories", "--instructions", instructions, "--perplexity-model", at("model")}),
              Json::object({{"bad line", 1}}));
    EXPECT_EQ(dropped_by({"sft", "--model", tiny_model(), "--data", sft, "--max-length", "1"}),
              Json({{"bad line", 1}, {"too long", 1}}));
}

// Refused when the data is built, each for its reason: what is left is nothing, so that no run trains.
TEST_F(ManifestOf, CountsWhatCannotBeTrainedOn) {
    std::string words;
    for (int i = 0; i < 40; ++i) words += " word";
    std::string many = words;
    while (many.size() < 20000) many += words;
    const auto said = [](const char* role, const std::string& what) {
        return Json::array({{{"role", role}, {"content", what}}});
    };
    const auto pair = [](const Json& prompt, const Json& chosen, const Json& rejected) {
        return dump_line({{"prompt", prompt}, {"chosen", chosen}, {"rejected", rejected}}) + "\n";
    };
    const Json hi = said("user", "hi");
    const std::string pairs = folder_.file(
        "pairs.jsonl", pair("a", "", "b") + pair("a", "b", "") + pair(hi, said("assistant", ""), said("assistant", "x")) +
                           pair(hi, Json::array(), said("assistant", "x")) + pair("a", "b", "b") + pair(words, "b", "c") +
                           pair("a", many, "c"));
    const Arguments limits = {"--max-prompt-length", "20"};
    Arguments command = {"align", "--model", tiny_model(), "--pairs", pairs};
    command.insert(command.end(), limits.begin(), limits.end());
    EXPECT_EQ(dropped_by(command),
              Json({{"empty response", 4}, {"equal responses", 1}, {"prompt too long", 1}, {"too long", 1}}));

    const auto completion = [](const std::string& prompt, const std::string& text) {
        return dump_line({{"prompt", prompt}, {"completion", text}}) + "\n";
    };
    const std::string sft = folder_.file("sft.jsonl", completion("a", "") + completion(words, "b") + completion("a", many) +
                                                          dump_line({{"messages", hi}}) + "\n" +
                                                          dump_line({{"messages", Json::array()}}) + "\n");
    command = {"sft", "--model", tiny_model(), "--data", sft};
    command.insert(command.end(), limits.begin(), limits.end());
    EXPECT_EQ(dropped_by(command), Json({{"empty response", 3}, {"prompt too long", 1}, {"too long", 1}}));
    // The response (with its end token four) leaves no room for the prompt.
    EXPECT_EQ(dropped_by({"sft", "--model", tiny_model(), "--data", folder_.file("cut.jsonl", completion("a b c", "d e f")),
                          "--truncate", "left", "--max-length", "4"}),
              Json({{"no prompt left after truncation", 1}}));
}

// However small: an example with more tokens is a micro-batch of its own.
TEST_F(ManifestOf, AMicroBatchOfAnyTokensChangesNoLoss) {
    const std::string data = folder_.file("three.jsonl",
                                          "{\"prompt\":\"It is\",\"completion\":\" late and we go home now\"}\n"
                                          "{\"prompt\":\"a\",\"completion\":\" b\"}\n"
                                          "{\"prompt\":\"We go\",\"completion\":\" home\"}\n");
    std::vector<double> losses;
    for (const std::string tokens : {"0", "1", "4"}) {
        const std::string out = at("out-" + tokens);
        const test::Outcome outcome = run_command({"sft", "--model", tiny_model(), "--data", data, "--batch-size", "3",
                                                   "--out", out, "--micro-batch-tokens", tokens});
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(read_json_file(out + "/manifest.json")["notes"]["examples"], 3);
        losses.push_back(parse_json(read_file(out + "/metrics.jsonl"), "metrics")["loss"].get<double>());
    }
    EXPECT_NEAR(losses[1], losses[0], 1e-5 * losses[0]);
    EXPECT_NEAR(losses[2], losses[0], 1e-5 * losses[0]);
}

// Rows of trajectories are held against their gold calls; other conversations may have lists of those names.
TEST_F(ManifestOf, CountsRowsOfTrajectoriesWithWrongCalls) {
    const auto row = [](const std::string& calls, const Json& tools, const Json& steps) {
        const std::string said = "###THOUGHT:\nw\n###ACTION:\n###TOOLS:\n```\n" + calls + "\n```\n###PLAN:\n";
        return dump_line({{"id", "a"},
                          {"messages", {{{"role", "user"}, {"content", "x"}}, {{"role", "assistant"}, {"content", said}}}},
                          {"tools", tools},
                          {"steps", steps}}) +
               "\n";
    };
    const Json gold = {"word_count_check(5, \"less than\")", "text_eval()"}, none = Json::array();
    const Json step = {{{"thought", "w"},
                        {"tools", ""},
                        {"plan", none},
                        {"revision", ""},
                        {"feedback", ""},
                        {"scores", {{"s_v", 1}, {"s_c", 1}, {"s_r", 0}, {"s_a", 75}}}}};
    const std::string data =
        folder_.file("rows.jsonl", row("detect_keyword()", gold, step) + row("text_eval()", gold, step));
    EXPECT_EQ(dropped_by({"sft", "--model", tiny_model(), "--data", data}), Json({{"missing call", 1}, {"wrong call", 1}}));
    const std::string others = folder_.file("others.jsonl", row("detect_keyword()", none, none));
    const test::Outcome outcome = run_command({"sft", "--model", tiny_model(), "--data", others, "--out", at("others")});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(read_json_file(at("others/manifest.json"))["notes"]["examples"], 1);
}

TEST_F(ManifestOf, CountsTokensThatTheModelDoesNotHave) {
    std::filesystem::copy(tiny_model(), at("model"));
    Json config = read_json_file(at("model/config.json"));
    config["vocab_size"] = 20;
    write_json_file(at("model/config.json"), config);
    folder_.file("sft.jsonl", "{\"prompt\":\"The river\",\"completion\":\" runs by the house.\"}\n");
    EXPECT_EQ(dropped_by({"sft", "--model", at("model"), "--data", at("sft.jsonl")}),
              Json({{"token id out of vocabulary", 1}}));
}

TEST_F(ManifestOf, AFailedStartDoesNotBlockTheCorrectedCommand) {
    folder_.file("texts.jsonl", "{\"text\":\"It is late.\"}\nnothing\n");
    Arguments command = {"tokenizer", "train", "--texts", at("texts.jsonl"), "--symbols", "late", "--out", at("out")};
    EXPECT_THAT(failure_of(command), HasSubstr("texts.jsonl:2: "));
    command.emplace_back("--skip-bad-lines");
    EXPECT_THAT(failure_of(command), HasSubstr("1: --vocab-size: expected at most "));
    std::string rows;
    for (int i = 0; i < 80; ++i) rows += "{\"text\":\"The river runs by house " + std::to_string(i) + ".\"}\n";
    folder_.file("texts.jsonl", rows);
    command.insert(command.end(), {"--vocab-size", "300"});
    EXPECT_EQ(run_command(command).code, 0);
    command.erase(std::find(command.begin(), command.end(), "--skip-bad-lines"));
    EXPECT_THAT(run_command(command).err, HasSubstr("already finished")) << "skipping is no part of what a run is";
}

}  // namespace
}  // namespace craft
