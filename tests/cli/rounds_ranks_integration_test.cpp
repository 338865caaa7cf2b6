// align --iter in several processes, which share sampling, judging, evaluation and training: the rounds are those of one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/files.h"
#include "tests/align/tiny_planner.h"
#include "tests/cli/rank_processes.h"
#include "tests/cli/revising_server.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using namespace test;
using testing::Each;
namespace fs = std::filesystem;

// Equal but for the last digits of numbers: trainings in one process and in two add up in another order.
void expect_near(const Json& got, const Json& expected, const std::string& where) {
    ASSERT_EQ(got.type(), expected.type()) << where;
    if (got.is_number_float()) {
        EXPECT_NEAR(got.get<double>(), expected.get<double>(), 1e-5 * std::max(1.0, std::abs(expected.get<double>())))
            << where;
    } else if (got.is_structured()) {
        ASSERT_EQ(got.size(), expected.size()) << where;
        const Json flat = got.flatten(), wanted = expected.flatten();
        for (const auto& [key, value] : wanted.items()) {
            ASSERT_TRUE(flat.contains(key)) << where << key;
            expect_near(flat[key], value, where + key);
        }
    } else {
        EXPECT_EQ(got, expected) << where;
    }
}

class RoundsInRanks : public testing::Test {
protected:
    RoundsInRanks() {
        make_tiny_planner(folder_.path() / "model");
        std::string texts;
        for (const SourceText& text : some_texts("train", 60))
            texts += dump_line({{"id", text.id}, {"text", text.text}}) + "\n";
        folder_.file("texts.jsonl", texts);
        // Steps of a size at which rounding stays small: the second round samples from what the first one trained.
        write_json_file(folder_.path() / "rounds.json", {{"prompt", "compact"},
                                                         {"perplexity_model", at("model")},
                                                         {"dev_count", 4},
                                                         {"selection_count", 4},
                                                         {"data", {{"test", 5}}},
                                                         {"sampling", {{"max_new_tokens", 6}, {"temperature", 1}}},
                                                         {"rounds",
                                                          {{"instructions", 16},
                                                           {"samples", 6},
                                                           {"history_steps", 2},
                                                           {"domains", {"c1", "c2"}},
                                                           {"epsilon", 0},
                                                           {"control", true}}}});
    }
    std::string at(const std::string& name) const { return (folder_.path() / name).string(); }

    // `loss`: of pairs; empty: `more` has another method.
    void run(int size, const std::string& out, const std::string& loss, const std::string& rounds = "2",
             const std::vector<std::string>& more = {}) const {
        std::vector<std::string> command = {"align",
                                            "--iter",
                                            rounds,
                                            "--config",
                                            at("rounds.json"),
                                            "--model",
                                            at("model"),
                                            "--texts",
                                            at("texts.jsonl"),
                                            "--out",
                                            at(out),
                                            "--dtype",
                                            "float32",
                                            "--lr",
                                            "1e-3",
                                            "--epochs",
                                            "2",
                                            "--batch-size",
                                            "3",
                                            "--micro-batch-tokens",
                                            "4096",
                                            "--lora-rank",
                                            "4",
                                            "--lora-targets",
                                            "all-linear"};
        if (!loss.empty()) command.insert(command.end(), {"--loss", loss, "--set", "rounds.min_gap=1"});
        command.insert(command.end(), more.begin(), more.end());
        RankProcesses ranks(size, command, folder_.path());
        ASSERT_THAT(ranks.wait(), Each(0)) << ranks.all_logs();
        for (int rank = 1; rank < size; ++rank) EXPECT_EQ(ranks.log(rank), "");
    }
    // Without what the clock says.
    Json summary(const std::string& out) const {
        Json all = read_json_file(folder_.path() / out / "summary.json");
        all.erase("seconds");
        for (const char* rows : {"stages", "test"})
            for (Json& stage : all.at(rows))
                for (const char* key : {"seconds", "generation_seconds", "train_tokens_per_second"}) stage.erase(key);
        return all;
    }
    // Before anything was trained: the evaluations of the start, and what the first round samples.
    void expect_same_bytes(const std::string& out, const std::string& expected) const {
        for (const char* file : {"start/dev/items.jsonl", "start/selection/items.jsonl", "round-1/histories/histories.jsonl",
                                 "round-1/histories/complete.json", "round-1/pairs/responses.jsonl",
                                 "round-1/pairs/pairs.jsonl", "round-1/pairs/complete.json"})
            EXPECT_EQ(read_file(folder_.path() / out / file), read_file(folder_.path() / expected / file)) << out << file;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.path() / out))
            EXPECT_EQ(entry.path().string().find(".partial"), std::string::npos) << entry.path();
    }
    TemporaryFolder folder_;
};

TEST_F(RoundsInRanks, AreThoseOfOneProcess) {
    for (const std::string& loss : std::vector<std::string>{"craft", "arpo_simpo"}) {
        const std::string one = "one-" + loss, two = "two-" + loss;
        run(1, one, loss);
        run(2, two, loss);
        int64_t steps = 0;
        for (const char* stage : {"round-1/train", "round-2/train", "control/round-1", "control/round-2"}) {
            expect_same_rows(folder_.path() / two / stage / "metrics.jsonl", folder_.path() / one / stage / "metrics.jsonl");
            steps += static_cast<int64_t>(rows_in(folder_.path() / one / stage / "metrics.jsonl").size());
        }
        EXPECT_GE(steps, 8) << "there are pairs to train on";
        expect_near(rows_in(folder_.path() / two / "round-1/pairs/pairs.jsonl"),
                    rows_in(folder_.path() / one / "round-1/pairs/pairs.jsonl"), loss + ", pairs");
        expect_same_bytes(two, one);
        expect_near(summary(two), summary(one), loss + ", summary");
        EXPECT_GE(summary(two)["test"].size(), 2u);
        for (const Json& stage : summary(two)["stages"])
            if (stage["name"] == "round-1") {
                EXPECT_GE(stage["pairs"].get<int64_t>(), 4);
            }
    }
}

TEST_F(RoundsInRanks, OnGroupsAreThoseOfOneProcess) {
    const std::vector<std::string> method = {"--method", "grpo", "--set", "grpo.beta=0.05"};
    run(1, "one", "", "1", method);
    run(2, "two", "", "1", method);
    const fs::path one = folder_.path() / "one/round-1", two = folder_.path() / "two/round-1";
    EXPECT_EQ(read_file(two / "pairs/groups.jsonl"), read_file(one / "pairs/groups.jsonl"));
    const auto steps = [](const fs::path& round) {
        Json rows = rows_in(round / "train/metrics.jsonl");
        for (Json& row : rows)
            for (const char* key : {"seconds", "tokens_per_second", "mfu", "peak_memory_bytes"}) row.erase(key);
        return rows;
    };
    expect_near(steps(two), steps(one), "steps");  // the first losses and divergences are near 0
    EXPECT_GE(steps(one).size(), 4u) << "there are groups to train on";
    expect_near(summary("two"), summary("one"), "summary");
}

// The shortest revision is best, and the longest is worst.
std::string by_length(const Json& body, int64_t /*choice*/) {
    const std::string asked = body.at("messages").back().at("content");
    const std::vector<std::string> texts = matches_of(asked, "Candidate [0-9]+:\n> ([^\n]*)");
    size_t shortest = 0, longest = 0;
    for (size_t i = 0; i < texts.size(); ++i) {
        if (texts[i].size() < texts[shortest].size()) shortest = i;
        if (texts[i].size() > texts[longest].size()) longest = i;
    }
    return "Best: " + std::to_string(shortest) + ", Worst: " + std::to_string(longest);
}

// A model that is served beside the training judges for all ranks, each of which asks about its share.
TEST_F(RoundsInRanks, AreJudgedByAServedModel) {
    const chat_server::ChatServer server({.answer = by_length});
    folder_.file("hosted.json",
                 dump_line({{"openai", {{"own", {{"base_url", server.base_url()}, {"model", "test-model"}}}}}}));
    folder_.file("guideline.txt", "version: 1\n---\nThe shortest one is best.\n");
    int64_t asked = 0;
    for (const int size : {1, 2, 3}) {
        const std::string out = "judged-" + std::to_string(size);
        run(size, out, "craft", "1",
            {"--config", at("hosted.json"), "--judge", "openai:own", "--guideline", at("guideline.txt"), "--answers",
             at(out + "-answers")});
        expect_same_bytes(out, "judged-1");
        const Json usage = read_json_file(folder_.path() / out / "manifest.json")["notes"]["usage"]["roles"]["judge"];
        int64_t requests = 0;
        for (const Json& stage : usage) requests += stage.at("requests").get<int64_t>();
        if (size == 1) asked = requests;
        EXPECT_GT(requests, 4);
        EXPECT_EQ(requests, asked) << "rank 0 counts what all ranks asked";
    }
    EXPECT_NE(read_file(folder_.path() / "judged-3/round-1/pairs/responses.jsonl").find("\"verdict\":{\"best\""),
              std::string::npos);
}

}  // namespace
}  // namespace craft
