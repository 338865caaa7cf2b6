// align --iter in two processes: rank 0 makes the pairs, both train on them, and the rounds are those of one process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/files.h"
#include "tests/align/tiny_planner.h"
#include "tests/cli/rank_processes.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using namespace test;
using testing::Each;
namespace fs = std::filesystem;

// Equal but for the last digits of numbers: perplexities of one process and of two were seen to differ in the eighth.
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
                                                           {"min_gap", 1},
                                                           {"epsilon", 0},
                                                           {"control", true}}}});
    }
    std::string at(const std::string& name) const { return (folder_.path() / name).string(); }

    void run(int size, const std::string& out, const std::string& loss) const {
        const std::vector<std::string> command = {"align",
                                                  "--iter",
                                                  "2",
                                                  "--config",
                                                  at("rounds.json"),
                                                  "--model",
                                                  at("model"),
                                                  "--texts",
                                                  at("texts.jsonl"),
                                                  "--out",
                                                  at(out),
                                                  "--loss",
                                                  loss,
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
        Ranks ranks(size, command, folder_.path());
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
        expect_near(summary(two), summary(one), loss + ", summary");
        EXPECT_GE(summary(two)["test"].size(), 2u);
        for (const Json& stage : summary(two)["stages"])
            if (stage["name"] == "round-1") {
                EXPECT_GE(stage["pairs"].get<int64_t>(), 4);
            }
    }
}

}  // namespace
}  // namespace craft
