// `eval editeval` on the data sets that ship as an example: predictions from a file, a hosted model, results side by side.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/partial_rows.h"
#include "eval/editeval/datasets.h"
#include "tests/align/tiny_planner.h"
#include "tests/cli/revising_server.h"
#include "tests/source.h"
#include "text/utf8.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using chat_server::ChatServer;
using test::Arguments;

const std::string kData = test_source() + "/share/examples/editeval";

// "very" is taken out of the input; a second line is the model's continuing.
std::string editing_answer(const Json& body, int64_t /*choice*/) {
    const std::string asked = body.at("messages").at(0).at("content");
    const size_t begin = asked.find("\nInput: ") + 8;
    const std::string input = asked.substr(begin, asked.find("\nOutput:") - begin);
    return " " + test::without_very(input.substr(0, input.find("\n["))) + "\nTask: more";
}

std::string read_edit_reference(const std::string& dataset, const std::string& id) {
    for (const EditDataset& one : edit_datasets()) {
        if (one.name != dataset) continue;
        for (const EditItem& item : read_edit_dataset(one, DataFolder(kData), one.table_splits, {}).rows.items)
            if (item.id == id) return item.references.at(0);
    }
    throw Error("no item " + id);
}

class EvalEditeval : public test::ReviseCase {
protected:
    Arguments editeval(const std::string& out, const Arguments& more) const {
        Arguments all = {"eval", "editeval", "--out", at(out), "--quiet"};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
    Json result(const std::string& out) const { return read_json_file(at(out + "/editeval.json")); }
    std::string predictions(const std::string& rows) const { return folder_.file("predictions.jsonl", rows); }
};

TEST_F(EvalEditeval, PredictionsOfAFile) {
    const test::Outcome outcome = test::run_command(editeval(
        "run",
        {"--data", kData, "--datasets", "wnc", "--predictions",
         predictions(
             "{\"id\":\"wnc-test-102\",\"prompt\":\"Neutral, please\",\"prediction\":\"The law was passed in "
             "May.\"}\n{\"id\":\"wnc-test-101\",\"prompt\":\"Neutral, please\",\"prediction\":\"The brilliant "
             "mayor opened the bridge in 1931.\"}\n{\"id\":\"wnc-test-101\",\"prompt\":\"B\",\"prediction\":null}\n")}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("wnc"), std::string::npos);
    const Json wnc = result("run")["datasets"]["wnc"];
    EXPECT_EQ(wnc["task"], "neutralization");
    EXPECT_EQ(wnc["count"], 2);
    EXPECT_EQ(wnc["expected_count"], 1000);
    ASSERT_EQ(wnc["prompts"].size(), 2u);
    EXPECT_EQ(wnc["prompts"][0]["prompt"], "B");
    EXPECT_EQ(wnc["prompts"][0]["missing"], 2);
    EXPECT_TRUE(wnc["prompts"][0]["metrics"]["exact_match"].is_null());
    EXPECT_EQ(wnc["prompts"][1]["items"], 2);
    EXPECT_EQ(wnc["prompts"][1]["metrics"]["exact_match"], .5);
    EXPECT_EQ(wnc["mean"]["exact_match"], .5) << "a prompt without predictions has no figure";
    EXPECT_EQ(wnc["cv"]["exact_match"], 0);
    EXPECT_EQ(result("run")["copy"]["wnc"]["exact_match"], 0);
    EXPECT_EQ(result("run")["overall"]["datasets"], 1);
    const auto written = fs::last_write_time(at("run/editeval.json"));
    const Arguments again = {"--data", kData, "--datasets", "wnc", "--predictions", at("predictions.jsonl")};
    EXPECT_EQ(test::run_command(editeval("run", again)).code, 0);
    EXPECT_EQ(fs::last_write_time(at("run/editeval.json")), written) << "a finished run does nothing";
}

TEST_F(EvalEditeval, BertScoreWithAModel) {
    const Arguments given = {
        "--data",        kData,
        "--datasets",    "wnc",
        "--predictions", predictions("{\"id\":\"wnc-test-101\",\"prompt\":\"p\",\"prediction\":\"The mayor opened.\"}\n")};
    const std::string encoder = test::kShare + "/examples/encoder";
    Arguments with = given, alone = given, unnamed = given;
    with.insert(with.end(), {"--bertscore", encoder, "--set", "bertscore.layer=1", "--metrics", "sari,bertscore"});
    ASSERT_EQ(test::run_command(editeval("run", with)).code, 0);
    const Json wnc = result("run")["datasets"]["wnc"];
    EXPECT_TRUE(wnc["mean"]["bertscore"].is_number_float()) << wnc;
    EXPECT_FALSE(wnc["mean"].contains("gleu"));
    EXPECT_TRUE(result("run")["copy"]["wnc"]["bertscore"].is_number_float());
    EXPECT_THAT(result("run")["metrics"]["bertscore"].get<std::string>(), testing::HasSubstr("|layer:1,idf:none,"));
    alone.insert(alone.end(), {"--metrics", "bertscore"});
    EXPECT_EQ(test::failure_of(editeval("no", alone)), "2: --metrics bertscore: expected with --bertscore, got without");
    unnamed.insert(unnamed.end(), {"--bertscore", encoder, "--metrics", "sari"});
    EXPECT_EQ(test::failure_of(editeval("no", unnamed)), "2: --bertscore: expected bertscore among --metrics, got sari");
}

TEST_F(EvalEditeval, LensByACommand) {
    const Arguments given = {
        "--data",        kData,
        "--datasets",    "wnc,jfleg",
        "--predictions", predictions("{\"id\":\"wnc-test-101\",\"prompt\":\"p\",\"prediction\":\"The mayor opened.\"}\n")};
    Arguments with = given, unnamed = given;
    const std::string command = "echo life >> " + at("lives") + R"(; sed -u 's/}$/,"score":61.5,"scorer":"LENS 0.1.1"}/')";
    with.insert(with.end(), {"--lens", command, "--metrics", "sari,lens"});
    ASSERT_EQ(test::run_command(editeval("run", with)).code, 0);
    EXPECT_EQ(result("run")["datasets"]["wnc"]["mean"]["lens"], 61.5);
    EXPECT_EQ(result("run")["copy"]["jfleg"]["lens"], 61.5);
    EXPECT_THAT(result("run")["metrics"]["lens"].get<std::string>(), testing::StartsWith("lens|LENS 0.1.1|"));
    EXPECT_EQ(read_file(at("lives")), "life\n") << "one command for all";
    unnamed.insert(unnamed.end(), {"--metrics", "lens"});
    EXPECT_THAT(test::failure_of(editeval("no", unnamed)), testing::HasSubstr("--lens"));
}

TEST_F(EvalEditeval, TheTestSplitUnlessOthersAreNamed) {
    ASSERT_EQ(test::run_command(editeval("run", {"--data", kData, "--predictions", kData + "/predictions.jsonl"})).code, 0);
    const Json jfleg = result("run")["datasets"]["jfleg"];
    EXPECT_EQ(jfleg["count"], 1);
    EXPECT_EQ(jfleg["expected_count"], 747);
    EXPECT_EQ(jfleg["splits"], Json::parse(R"({"test":{"count":1,"expected":747}})"));
    EXPECT_TRUE(result("run")["datasets"]["iterater_clarity"]["expected_count"].is_null());
    EXPECT_EQ(result("run")["settings"]["splits"], Json({"test"}));
    EXPECT_EQ(test::failure_of(editeval("no", {"--data", kData, "--predictions", "p", "--set", "splits=[]"})).substr(0, 22),
              "2: --set splits: expec");
}

TEST_F(EvalEditeval, PredictionsThatDoNotFit) {
    const auto problem = [&](const std::string& rows) {
        return test::failure_of(editeval("no", {"--data", kData, "--predictions", predictions(rows)}));
    };
    const std::string place = "1: " + at("predictions.jsonl");
    EXPECT_EQ(problem("{\"id\":\"wnc-test-101\",\"prompt\":\"p\",\"text\":\"x\"}\n"),
              place + ": field 'prediction': expected a text in one row at least, got none in 1 rows");
    EXPECT_EQ(problem("{\"id\":\"wnc-test-9\",\"prompt\":\"p\",\"prediction\":\"x\"}\n"),
              place + ":1: field 'id': expected an id of the available data sets, got 'wnc-test-9'");
    EXPECT_EQ(problem("{\"id\":\"wnc-test-101\",\"prompt\":\"p\",\"prediction\":\"x\"}\n"
                      "{\"id\":\"wnc-test-101\",\"prompt\":\"p\",\"prediction\":\"y\"}\n"),
              place + ":2: expected one row per id and prompt, got another one of id 'wnc-test-101' and prompt 'p'");
    EXPECT_THAT(problem("{\"id\":\"wnc-test-101\",\"prediction\":\"x\"}\n"),
                testing::StartsWith(place + ":1: field 'prompt'"));
}

TEST_F(EvalEditeval, APromptThatTheFileOfPromptsLacks) {
    const std::string prompts = folder_.file("prompts.json", "{\"neutralization\":[\"Neutral\"]}");
    const std::string rows = predictions(
        "{\"id\":\"wnc-test-102\",\"prompt\":\"Neutral\",\"prediction\":\"x\"}\n"
        "{\"id\":\"wnc-test-101\",\"prompt\":\"Other\",\"prediction\":\"x\"}\n");
    EXPECT_EQ(test::failure_of(editeval("no", {"--data", kData, "--predictions", rows, "--prompts", prompts})),
              "1: " + rows + ":2: field 'prompt': expected those of neutralization in " + prompts + ", got 'Other'");
}

// WAFER's references end in a line break, which no answer does.
TEST_F(EvalEditeval, PerfectAnswersOfEveryDataSet) {
    const std::string first = "{\"id\":\"wafer-1\",\"prompt\":\"p\",\"prediction\":" +
                              Json(trim(read_edit_reference("wafer_insert", "wafer-1"))).dump() + "}\n";
    ASSERT_EQ(test::run_command(
                  editeval("run", {"--data", kData, "--predictions", predictions(first), "--datasets", "wafer_insert"}))
                  .code,
              0);
    const Json wafer = result("run")["datasets"]["wafer_insert"];
    EXPECT_EQ(wafer["prompts"][0]["metrics"]["exact_match"], 1);
    EXPECT_EQ(wafer["prompts"][0]["metrics"]["diff_match"], 1);
}

TEST_F(EvalEditeval, ADataSetThatIsNotThereIsCounted) {
    fs::create_directories(at("data"));
    fs::copy(kData + "/jfleg", at("data/jfleg"), fs::copy_options::recursive);
    fs::remove(at("data/jfleg/dev.ref3"));
    const std::string rows = read_file(kData + "/predictions.jsonl");
    const test::Outcome outcome =
        test::run_command(editeval("run", {"--data", at("data/"), "--predictions", predictions(rows + "{\n"),
                                           "--skip-bad-lines", "--splits", "dev,test"}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json made = result("run");
    EXPECT_EQ(made["datasets"].size(), 1u);
    EXPECT_EQ(made["datasets"]["jfleg"]["references"], Json({{"count", 3}, {"expected", 4}}));
    EXPECT_EQ(made["bad_lines"], 1);
    EXPECT_EQ(made["absent"].size(), 9u);
    EXPECT_EQ(made["settings"]["items"], 0);
    EXPECT_EQ(read_json_file(at("run/manifest.json"))["dropped"]["predictions of missing data sets and splits"], 6);
    fs::remove(at("data/jfleg/dev.ref1"));
    EXPECT_EQ(test::failure_of(
                  editeval("no", {"--data", at("data"), "--predictions", at("predictions.jsonl"), "--splits", "dev"})),
              "1: " + at("data/jfleg/dev.ref1") + ": expected a file, since dev.ref2 is there, got none");
}

TEST_F(EvalEditeval, RunsThatDifferAreNamed) {
    const Arguments given = {"--data", kData, "--predictions", kData + "/predictions.jsonl", "--splits", "dev,test"};
    Arguments other = given;
    other.insert(other.end(), {"--normalize", "none", "--items", "1"});
    ASSERT_EQ(test::run_command(editeval("a", given)).code, 0);
    ASSERT_EQ(test::run_command(editeval("b", other)).code, 0);
    const test::Outcome outcome = test::run_command(
        {"eval", "editeval", "--out", at("both"), "--results", at("a") + "," + at("b"), "--figure", "gleu"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, testing::HasSubstr("results differ in more than the system: normalize"));
    EXPECT_THAT(outcome.out, testing::HasSubstr("correlation with GLEU"));
    std::vector<std::string> named;
    const Json comparison = read_json_file(at("both/comparison.json"));
    for (const Json& one : comparison["differences"]) named.push_back(one["condition"]);
    EXPECT_THAT(named, testing::IsSupersetOf({"items", "normalize", "jfleg: items"}));
    EXPECT_TRUE(fs::exists(at("both/boxes_by_prompt.svg")));
    EXPECT_THAT(test::run_command(editeval("no", {"--data", kData, "--system", "local:x", "--figure", "gleu"})).errors(),
                testing::Contains("--figure: expected with --results, got without"));
}

TEST_F(EvalEditeval, AskedOfAHostedModelAndAgainFromTheCache) {
    chat_server::ChatServerOptions served;
    served.answer = editing_answer;
    ChatServer server(served);
    config(server.base_url());
    const std::string prompts =
        folder_.file("prompts.json", "{\"simplification\":[\"Simpler\",\"Less hard\"],\"updating\":[\"Newer\"]}");
    const Arguments asked = {"--config",  at("hosted.json"), "--answers",  at("answers"), "--data",
                             kData,       "--system",        "openai:own", "--tasks",     "simplification,updating",
                             "--prompts", prompts,           "--splits",   "dev,test"};
    const test::Outcome outcome = test::run_command(editeval("run", asked));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    // Four items of simplification under two prompts, four of updating under one.
    EXPECT_EQ(server.counts().good, 4 * 2 + 4);
    EXPECT_EQ(rows("run/predictions.jsonl").size(), 12u);
    const Json made = result("run");
    EXPECT_EQ(made["datasets"].size(), 4u);
    EXPECT_EQ(made["datasets"]["asset"]["mean"], made["copy"]["asset"]) << "the server copies texts without \"very\"";
    EXPECT_EQ(made["answers"]["finished"], 12);
    EXPECT_EQ(read_json_file(at("run/manifest.json"))["notes"]["prompts"]["tasks"]["updating"], Json({"Newer"}));

    ASSERT_EQ(test::run_command(editeval("again", asked)).code, 0);
    EXPECT_EQ(server.counts().good, 12) << "answers are kept";
    EXPECT_EQ(result("again"), made);

    const test::Outcome side_by_side = test::run_command(editeval("both", {"--results", at("run") + "," + at("again")}));
    ASSERT_EQ(side_by_side.code, 0) << side_by_side.err;
    EXPECT_EQ(read_json_file(at("both/comparison.json"))["systems"], Json({"run", "again"}));
    EXPECT_NE(read_file(at("both/boxes_by_dataset.svg")).find("<svg"), std::string::npos);
    EXPECT_TRUE(fs::exists(at("both/boxes_by_system.dat")));
}

// A run whose budget ends after ten answers keeps them.
TEST_F(EvalEditeval, GoesOnBehindTheRowsThatAreThere) {
    chat_server::ChatServerOptions served;
    served.answer = editing_answer;
    ChatServer server(served);
    config(server.base_url());
    const Arguments asked = {"--config", at("hosted.json"), "--answers",  at("answers"), "--record", "none",     "--data",
                             kData,      "--system",        "openai:own", "--datasets",  "jfleg",    "--splits", "dev,test"};
    ASSERT_EQ(test::run_command(editeval("whole", asked)).code, 0);
    const int64_t whole = server.counts().good;
    ASSERT_EQ(whole, 3 * 11);
    config(server.base_url(), {{"budget", {{"requests", 10}}}});
    EXPECT_EQ(test::run_command(editeval("cut", asked)).code, 1);
    EXPECT_EQ(server.counts().good, whole + 10);
    EXPECT_FALSE(fs::exists(at("cut/predictions.jsonl")));
    config(server.base_url());
    const test::Outcome again = test::run_command(editeval("cut", asked));
    ASSERT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(server.counts().good, whole + whole);
    EXPECT_EQ(read_file(at("cut/predictions.jsonl")), read_file(at("whole/predictions.jsonl")));
    EXPECT_EQ(result("cut"), result("whole"));
    EXPECT_FALSE(fs::exists(at("cut/predictions.jsonl.partial")));
}

// What failed is no answer to keep: the run that resumes asks for it again.
TEST_F(EvalEditeval, AsksAgainForWhatFailed) {
    chat_server::ChatServerOptions served;
    served.answer = editing_answer;
    ChatServer server(served);
    config(server.base_url());
    const Arguments asked = {"--config", at("hosted.json"), "--answers",  at("answers"), "--record", "none",     "--data",
                             kData,      "--system",        "openai:own", "--datasets",  "jfleg",    "--splits", "dev,test"};
    ASSERT_EQ(test::run_command(editeval("run", asked)).code, 0);
    // As a process leaves it that is killed when an answer has come and another one has failed.
    const Json lines = rows("run/predictions.jsonl");
    Json failed = lines[1];
    failed["status"] = "failed";
    failed["failure"] = "timed_out";
    failed["prediction"] = nullptr;
    {
        PartialRows kept = PartialRows::of_stage(at("run/predictions.jsonl"));
        kept.add(0, lines[0]);
        kept.add(1, failed);
        kept.sync();
    }
    Json manifest = read_json_file(at("run/manifest.json"));
    manifest["finished"] = false;
    write_json_file(at("run/manifest.json"), manifest);
    const int64_t before = server.counts().good;
    const std::string whole = read_file(at("run/predictions.jsonl"));
    const test::Outcome again = test::run_command(editeval("run", asked));
    ASSERT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(server.counts().good, before + 3 * 11 - 1);
    EXPECT_EQ(read_file(at("run/predictions.jsonl")), whole);
}

TEST_F(EvalEditeval, AModelOfOursOnDrawnItems) {
    test::make_tiny_planner(at("planner"));  // one whose answers end
    const Arguments asked = {"--data",           kData,
                             "--system",         "local:" + at("planner"),
                             "--tasks",          "neutralization,updating",
                             "--items",          "1",
                             "--max-new-tokens", "200"};
    const test::Outcome outcome = test::run_command(editeval("run", asked));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json made = result("run");
    EXPECT_EQ(made["datasets"]["wnc"]["count"], 1);
    EXPECT_EQ(made["datasets"]["wnc"]["available"], 2);
    EXPECT_EQ(made["datasets"]["wnc"]["prompts"].size(), 9u);
    EXPECT_EQ(made["datasets"]["fruit"]["prompts"].size(), 3u);
    EXPECT_EQ(rows("run/predictions.jsonl").size(), 9u + 3 + 3);
}

TEST_F(EvalEditeval, AServerThatAnswersNothing) {
    chat_server::ChatServerOptions served;
    served.answer = editing_answer;
    served.faults.push_back({chat_server::Fault::http_500, 1});
    ChatServer server(served);
    config(server.base_url(), {{"retries", {{"max_retries", 0}}}});
    const std::string prompts = folder_.file("prompts.json", "{\"neutralization\":[\"Neutral\"]}");
    const Arguments asked = {"--config",   at("hosted.json"), "--answers", at("answers"), "--data", kData,       "--system",
                             "openai:own", "--datasets",      "wnc",       "--items",     "1",      "--prompts", prompts};
    const std::vector<std::string> errors = test::run_command(editeval("run", asked)).errors();
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_THAT(errors[0], testing::HasSubstr("none of 1 (server_error 1)"));
    EXPECT_FALSE(fs::exists(at("run/editeval.json")));
}

TEST_F(EvalEditeval, WhatCannotBe) {
    const auto problems = [&](const Arguments& more) { return test::run_command(editeval("no", more)).errors(); };
    EXPECT_THAT(problems({"--data", kData, "--system", "rules", "--normalize", "x"}),
                testing::ElementsAre("--system: expected local:MODEL[+ADAPTER] or openai:PROFILE, got rules",
                                     "--normalize: expected one of none, treebank, t5:FILE, got 'x'"));
    EXPECT_THAT(problems({"--data", kData}),
                testing::ElementsAre("--system and --predictions: expected one of them, got none (whose texts are scored)"));
    const TemporaryFolder empty;
    EXPECT_THAT(problems({"--data", empty.path().string(), "--predictions", predictions("{}\n")}),
                testing::ElementsAre(testing::HasSubstr("expected files of at least one of the data sets, got none")));
    EXPECT_FALSE(fs::exists(at("no")));
}

}  // namespace
}  // namespace craft
