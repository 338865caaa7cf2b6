// What --estimate tells, held against the run: processes of their own, so that their memory is their own.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/files.h"
#include "tests/cli/rank_processes.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

const std::string kModel = std::string(CRAFT_TEST_SOURCE) + "/share/base-model";

class EstimatedTraining : public testing::Test {
protected:
    void SetUp() override {
#if defined(__SANITIZE_ADDRESS__)
        GTEST_SKIP() << "the sanitizer keeps what is freed";
#endif
    }
    EstimatedTraining() {
        std::string sequences, pairs;
        for (int i = 0; i < 48; ++i) {
            std::string text = "Keep sentence " + std::to_string(i);
            for (int j = 0; j < 10 + (i * 7) % 50; ++j) text += " and the word " + std::to_string(j * i);
            sequences += dump_line({{"prompt", text}, {"completion", " it is late, number " + text}}) + "\n";
            pairs +=
                dump_line({{"prompt", text}, {"chosen", "It is " + text}, {"rejected", "No " + std::to_string(i)}}) + "\n";
        }
        folder_.file("sft.jsonl", sequences);
        folder_.file("pairs.jsonl", pairs);
    }

    Json estimate(std::vector<std::string> arguments) {
        arguments.insert(arguments.end(), {"--estimate", "--threads", "1"});
        test::Ranks process(1, arguments, folder_.path());
        EXPECT_EQ(process.wait(), std::vector<int>{0}) << process.all_logs();
        return Json::parse(process.output(0));
    }
    std::vector<Json> rows_of_run(std::vector<std::string> arguments) {
        const std::string out = (folder_.path() / "run").string();
        arguments.insert(arguments.end(), {"--out", out, "--overwrite", "--threads", "1"});
        test::Ranks process(1, arguments, folder_.path());
        EXPECT_EQ(process.wait(), std::vector<int>{0}) << process.all_logs();
        return test::rows_in(folder_.path() / "run" / "metrics.jsonl");
    }
    // Memory within 15 %; time within a factor that other work on the machine does not reach.
    void expect_estimated(const std::vector<std::string>& arguments) {
        const Json told = estimate(arguments);
        double memory = 0, seconds = 0;
        const std::vector<Json> rows = rows_of_run(arguments);
        ASSERT_FALSE(rows.empty());
        for (const Json& row : rows) {
            memory = std::max(memory, row["peak_memory_bytes"].get<double>());
            seconds += row["seconds"].get<double>() / static_cast<double>(rows.size());
        }
        EXPECT_NEAR(told["peak_memory_bytes"].get<double>(), memory, 0.15 * memory) << told.dump();
        EXPECT_GT(told["seconds_per_step"].get<double>(), seconds / 3) << told.dump();
        EXPECT_LT(told["seconds_per_step"].get<double>(), seconds * 3) << told.dump();
        EXPECT_EQ(told["steps"], rows.size());
    }
    std::string at(const std::string& name) const {
        return (folder_.path() / name).string();
    }
    TemporaryFolder folder_;
};

TEST_F(EstimatedTraining, OfPairsWithAnAdapter) {
    expect_estimated({"align", "--model", kModel, "--pairs", at("pairs.jsonl"), "--loss", "simpo", "--batch-size", "12",
                      "--micro-batch-tokens", "6000"});
}

TEST_F(EstimatedTraining, OfAllWeights) {
    // Steps enough for memory to scatter: what is told is the peak of a long run.
    expect_estimated({"sft", "--model", kModel, "--data", at("sft.jsonl"), "--full", "--batch-size", "12",
                      "--micro-batch-tokens", "4000", "--epochs", "3"});
}

TEST_F(EstimatedTraining, OfLayersMadeAgainInBfloat16) {
    expect_estimated({"sft", "--model", kModel, "--data", at("sft.jsonl"), "--recompute-layers", "-1", "--dtype", "bfloat16",
                      "--batch-size", "12"});
}

}  // namespace
}  // namespace craft
