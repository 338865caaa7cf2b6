// Commands that make rows, in 2 and 3 processes: the files of one process, and what happens when a process is lost or
// stopped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/files.h"
#include "tests/align/tiny_planner.h"
#include "tests/cli/rank_processes.h"
#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"
#include "tests/model/random_model.h"
#include "tests/systems/hosted/chat_server.h"

namespace craft {
namespace {

using namespace test;
using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

class RowsInRanks : public testing::Test {
protected:
    RowsInRanks() {
        make_tiny_planner(folder_.path() / "planner");
        make_random_model(at("slow"), kSmallModel);
        std::string texts, prompts, completions;
        for (const SourceText& text : some_texts("train", 20))
            texts += dump_line({{"id", text.id}, {"text", text.text}}) + "\n";
        for (int i = 0; i < 60; ++i) {
            const Json prompt = {{"id", i}, {"prompt", "abc " + std::to_string(i * 7)}};
            Json completion = prompt;
            completion["completion"] = std::string(static_cast<size_t>(20 + i), 'a');
            prompts += dump_line(prompt) + "\n";
            completions += dump_line(completion) + "\n";
        }
        folder_.file("texts.jsonl", texts);
        folder_.file("prompts.jsonl", prompts);
        folder_.file("completions.jsonl", completions);
        const Outcome made = run_command({"constraints", "--texts", at("texts.jsonl"), "--domain", "c1,c2", "--count", "30",
                                          "--output", at("instructions.jsonl")});
        EXPECT_EQ(made.code, 0) << made.err;
    }
    std::string at(const std::string& name) const { return (folder_.path() / name).string(); }
    std::string bytes(const std::string& name) const { return read_file(folder_.path() / name); }
    void run(int size, const Arguments& arguments) const {
        RankProcesses ranks(size, arguments, folder_.path());
        ASSERT_THAT(ranks.wait(), Each(0)) << ranks.all_logs();
        for (int rank = 1; rank < size; ++rank) {
            EXPECT_EQ(ranks.log(rank), "");
            EXPECT_EQ(ranks.output(rank), "");
        }
    }
    // The output of the command by one, two and three processes, which leave nothing else beside it.
    void expect_same_output(const Arguments& command) const {
        for (const int size : {1, 2, 3}) {
            const std::string output = command[0] + "-" + std::to_string(size) + ".jsonl";
            Arguments all = command;
            all.insert(all.end(), {"--output", at(output)});
            run(size, all);
            EXPECT_TRUE(without_costs(output) == without_costs(command[0] + "-1.jsonl")) << command[0] << " by " << size;
            EXPECT_GE(rows_in(at(output)).size(), 5u) << command[0];
            for (const fs::directory_entry& entry : fs::directory_iterator(folder_.path()))
                EXPECT_THAT(entry.path().filename().string(), testing::Not(HasSubstr("partial")));
        }
    }
    // A file's rows, byte for byte but for what it took: seconds, and tokens that were not kept from before.
    std::string without_costs(const std::string& name) const {
        std::string text = bytes(name);
        for (const std::string key : {"\"seconds\":", "\"computed\":"})
            for (size_t at = 0; (at = text.find(key, at)) != std::string::npos; ++at)
                text.erase(at, text.find_first_of(",}", at) - at);
        return text;
    }
    Arguments generate(const std::string& output) const {
        return {"generate",  "--model", at("slow"),         "--input", at("prompts.jsonl"), "--temperature", "1",
                "--samples", "2",       "--max-new-tokens", "40",      "--output",          at(output),      "--batch-size",
                "1"};
    }

    TemporaryFolder folder_;
};

TEST_F(RowsInRanks, AreThoseOfOneProcess) {
    expect_same_output({"generate", "--model", at("slow"), "--input", at("prompts.jsonl"), "--temperature", "1", "--samples",
                        "2", "--max-new-tokens", "10"});
    expect_same_output({"score", "--model", at("slow"), "--input", at("completions.jsonl"), "--batch-tokens", "200"});
    expect_same_output({"plan", "--model", at("planner"), "--instructions", at("instructions.jsonl"), "--prompt", "compact",
                        "--max-new-tokens", "6"});
    expect_same_output({"revise", "--input", at("instructions.jsonl"), "--method", "plan", "--planner",
                        "local:" + at("planner"), "--reviser", "rules", "--prompt", "compact", "--scorers", "perplexity",
                        "--perplexity-model", at("planner"), "--max-new-tokens", "6"});
}

TEST_F(RowsInRanks, TrajectoriesAreThoseOfOneProcess) {
    for (const int size : {1, 2, 3})
        run(size, {"trajectories", "--instructions", at("instructions.jsonl"), "--perplexity-model", at("planner"),
                   "--jsonl", "--out", at("t" + std::to_string(size))});
    for (const char* file : {"trajectories.jsonl", "metrics.jsonl", "segment-000001.h5", "store.json"})
        for (const char* other : {"t2/", "t3/"})
            EXPECT_TRUE(bytes(std::string(other) + file) == bytes(std::string("t1/") + file)) << other << file;
    EXPECT_GE(rows_in(at("t1/trajectories.jsonl")).size(), 20u);
    const Json one = read_json_file(at("t1/manifest.json")), three = read_json_file(at("t3/manifest.json"));
    EXPECT_EQ(three["notes"]["responses"], one["notes"]["responses"]);
    EXPECT_FALSE(fs::exists(at("t3/trajectories.partial")));
}

TEST_F(RowsInRanks, PairsOfAJudgeAreThoseOfOneProcess) {
    const chat_server::ChatServer server({.answer = [](const Json& body, int64_t) {
        return body.dump().size() % 2 == 0 ? "Best: 0, Worst: 1" : "Best: 2, Worst: 0";
    }});
    const Json profile = {{"base_url", server.base_url()}, {"model", "test-model"}, {"serves", "one"}};
    const std::string config = folder_.file("hosted.json", Json({{"openai", {{"own", profile}}}}).dump());
    std::string groups;
    for (int i = 0; i < 20; ++i) {
        Json group = {{"id", i}, {"source", "A long text " + std::string(static_cast<size_t>(i), 'a')}};
        for (const char* system : {"x", "y", "z"})
            group["candidates"].push_back({{"system", system}, {"text", std::string("Text of ") + system + "."}});
        groups += dump_line(group) + "\n";
    }
    expect_same_output({"judge", "--config", config, "--record", "none", "--input", folder_.file("groups.jsonl", groups),
                        "--judge", "openai:own", "--guideline", kShare + "/guidelines/document.txt"});
    EXPECT_EQ(server.counts().good, 3 * 20) << "each group is judged once by one, two and three processes";
}

TEST_F(RowsInRanks, VerdictsInOneWordAreThoseOfOneProcess) {
    const chat_server::ChatServer server({.answer = [](const Json& body, int64_t) {
        const std::string asked = body.dump();
        const bool is_easy = asked.find("### Requirement:") != std::string::npos;
        return asked.size() % 2 == 0 ? (is_easy ? "yes" : "A") : asked.size() % 3 == 0 ? "hm" : (is_easy ? "no" : "B");
    }});
    const Json profile = {{"base_url", server.base_url()}, {"model", "test-model"}, {"serves", "one"}};
    const std::string config = folder_.file("hosted.json", Json({{"openai", {{"own", profile}}}}).dump());
    std::string items, a, b;
    for (int i = 0; i < 12; ++i) {
        const std::string id = std::to_string(i), more(static_cast<size_t>(i), 'a');
        items +=
            dump_line(
                {{"id", id}, {"text", "A text " + more}, {"constraints", {{{"kind", "style"}, {"text", "It is grand."}}}}}) +
            "\n";
        a += dump_line({{"id", id}, {"text", "Long text " + more}}) + "\n";
        b += dump_line({{"id", id}, {"text", "Short"}}) + "\n";
    }
    const std::string texts = folder_.file("items.jsonl", items), one = folder_.file("a.jsonl", a),
                      other = folder_.file("b.jsonl", b);
    const auto requests = [&](const std::string& name) {
        return read_json_file(at(name + ".json.manifest.json"))["usage"]["roles"]["judge"]["judge"]["requests"].get<int>();
    };
    for (const Arguments& what : {Arguments{"pairwise", "--a", one, "--b", other}, Arguments{"easy", "--outputs", one}}) {
        for (const int size : {1, 2, 3}) {
            const std::string name = what[0] + std::to_string(size);
            Arguments all = {
                "eval", what[0],   "--config",   config,     "--record",         "none",         "--items",
                texts,  "--judge", "openai:own", "--output", at(name + ".json"), "--judgements", at(name + ".jsonl")};
            all.insert(all.end(), what.begin() + 1, what.end());
            run(size, all);
            EXPECT_EQ(bytes(name + ".json"), bytes(what[0] + "1.json"));
            EXPECT_EQ(bytes(name + ".jsonl"), bytes(what[0] + "1.jsonl"));
            EXPECT_EQ(requests(name), requests(what[0] + "1")) << "each question is asked once, and counted by rank 0";
            EXPECT_FALSE(fs::exists(at(name + ".json.partial")));
        }
        EXPECT_GE(rows_in(at(what[0] + "1.jsonl")).size(), 12u);
    }
}

TEST_F(RowsInRanks, FiguresOfAMetricAreThoseOfOneProcess) {
    std::string rows;
    for (int i = 0; i < 30; ++i)
        rows += dump_line({{"id", i},
                           {"source", "The river " + std::to_string(i)},
                           {"prediction", "It rose " + std::string(static_cast<size_t>(i % 7), 'a') + ". A road."},
                           {"references", {"The old road and the river", "a " + std::to_string(i)}}}) +
                "\n";
    const std::string input = folder_.file("revisions.jsonl", rows);
    for (const Arguments& what : {Arguments{"perplexity", "--model", at("slow"), "--batch-tokens", "100"},
                                  Arguments{"bertscore", "--model", kShare + "/examples/encoder"}, Arguments{"sari"}}) {
        for (const int size : {1, 2, 3}) {
            Arguments all = {"eval", "metric"};
            all.insert(all.end(), what.begin(), what.end());
            all.insert(all.end(), {"--input", input, "--output", at(what[0] + std::to_string(size))});
            run(size, all);
            EXPECT_TRUE(bytes(what[0] + std::to_string(size)) == bytes(what[0] + "1")) << what[0] << " by " << size;
        }
        EXPECT_EQ(read_json_file(at(what[0] + "1"))["items"].size(), 30u);
    }
}

TEST_F(RowsInRanks, AnswersToABenchmarkAreThoseOfOneProcess) {
    for (const int size : {1, 2, 3})
        run(size,
            {"eval", "editeval", "--data", test_source() + "/share/examples/editeval", "--system", "local:" + at("planner"),
             "--tasks", "neutralization", "--max-new-tokens", "60", "--out", at("e" + std::to_string(size))});
    EXPECT_GE(rows_in(at("e1/predictions.jsonl")).size(), 9u);
    for (const char* file : {"predictions.jsonl", "editeval.json"})
        for (const char* other : {"e2/", "e3/"})
            EXPECT_EQ(bytes(std::string(other) + file), bytes(std::string("e1/") + file)) << other;
    EXPECT_FALSE(fs::exists(at("e3/predictions.jsonl.partial")));
}

TEST_F(RowsInRanks, ALostRankCostsItsLastRowsAndAnyNumberGoesOn) {
    run(1, generate("whole.jsonl"));
    for (const int size : {1, 2}) {
        const std::string output = "lost-" + std::to_string(size) + ".jsonl";
        {
            RankProcesses ranks(3, generate(output), folder_.path());
            ASSERT_TRUE(wait_for_lines(at(output + ".partial.rank-1"), 3)) << ranks.all_logs();
            ranks.signal(1, SIGKILL);
            EXPECT_THAT(ranks.wait(30), ElementsAre(1, 128 + SIGKILL, 1)) << ranks.all_logs();
            EXPECT_THAT(ranks.errors(0), ElementsAre(HasSubstr("no sign of life from rank 1 (")));
        }
        EXPECT_FALSE(fs::exists(at(output)));
        EXPECT_GE(rows_in(at(output + ".partial.rank-1")).size(), 3u);
        RankProcesses ranks(size, generate(output), folder_.path());
        ASSERT_THAT(ranks.wait(), Each(0)) << ranks.all_logs();
        EXPECT_THAT(ranks.log(0), HasSubstr("resuming where the command stopped"));
        EXPECT_EQ(bytes(output), bytes("whole.jsonl"));
        EXPECT_FALSE(fs::exists(at(output + ".partial.rank-1")));
    }
}

TEST_F(RowsInRanks, ASignalToOneStopsAllWithWhatTheyHave) {
    RankProcesses ranks(2, generate("stopped.jsonl"), folder_.path());
    ASSERT_TRUE(wait_for_lines(at("stopped.jsonl.partial.rank-1"), 2)) << ranks.all_logs();
    ranks.signal(1, SIGTERM);
    EXPECT_THAT(ranks.wait(30), Each(128 + SIGTERM)) << ranks.all_logs();
    EXPECT_THAT(ranks.log(0), HasSubstr("progress is saved in " + at("stopped.jsonl.partial") + ", rerun to resume"));
    EXPECT_EQ(ranks.log(1), "");
}

TEST_F(RowsInRanks, WhatOneFindsWrongEndsAll) {
    RankProcesses ranks(2,
                        {"plan", "--model", at("slow"), "--instructions", at("instructions.jsonl"), "--prompt", "compact",
                         "--max-new-tokens", "2", "--output", at("plan.jsonl")},
                        folder_.path());
    EXPECT_THAT(ranks.wait(30), ElementsAre(1, 1)) << ranks.all_logs();
    EXPECT_THAT(ranks.errors(0), ElementsAre(HasSubstr("plan: expected")));
    EXPECT_THAT(ranks.errors(1), ElementsAre(HasSubstr("rank 1: rank 0: plan: expected")));
    RankProcesses streams(2, {"score", "--model", at("slow"), "--input", at("completions.jsonl"), "--output", "-"},
                          folder_.path());
    EXPECT_THAT(streams.wait(30), Each(2));
    EXPECT_THAT(streams.errors(0), ElementsAre("-: several ranks cannot write to one stream; give --output a file"));
}

}  // namespace
}  // namespace craft
