// What --estimate tells, held against the run: processes of their own, so that their memory is their own.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <sstream>

#include "core/files.h"
#include "tests/cli/rank_processes.h"
#include "tests/core/temporary_folder.h"
#include "tests/model/random_model.h"

namespace craft {
namespace {

class EstimatedTraining : public testing::Test {
protected:
    void SetUp() override {
#if defined(__SANITIZE_ADDRESS__)
        GTEST_SKIP() << "the sanitizer keeps what is freed";
#endif
    }
    EstimatedTraining() {
        test::make_random_model(at("model"), test::kSmallModel);
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
        test::RankProcesses process(1, arguments, folder_.path());
        EXPECT_EQ(process.wait(), std::vector<int>{0}) << process.all_logs();
        return Json::parse(process.output(0));
    }
    std::vector<Json> rows_of_run(std::vector<std::string> arguments) {
        const std::string out = (folder_.path() / "run").string();
        arguments.insert(arguments.end(), {"--out", out, "--overwrite", "--threads", "1"});
        test::RankProcesses process(1, arguments, folder_.path());
        EXPECT_EQ(process.wait(), std::vector<int>{0}) << process.all_logs();
        return test::rows_in(folder_.path() / "run" / "metrics.jsonl");
    }
    struct Compared {
        double told_bytes = 0, run_bytes = 0, told_seconds = 0, run_seconds = 0;

        // Time within a factor that seldom another program takes away.
        bool near() const {
            return std::abs(told_bytes / run_bytes - 1) <= 0.15 && told_seconds > run_seconds / 3 &&
                   told_seconds < run_seconds * 3;
        }
        friend std::ostream& operator<<(std::ostream& out, const Compared& c) {
            return out << "told " << c.told_bytes << " bytes, " << c.told_seconds << " s a step; the run had " << c.run_bytes
                       << " bytes, " << c.run_seconds << " s";
        }
    };
    Compared compared(const std::vector<std::string>& arguments) {
        const Json told = estimate(arguments);
        const std::vector<Json> rows = rows_of_run(arguments);
        Compared figures{told["peak_memory_bytes"].get<double>(), 0, told["seconds_per_step"].get<double>(), 0};
        for (const Json& row : rows) {
            figures.run_bytes = std::max(figures.run_bytes, row["peak_memory_bytes"].get<double>());
            figures.run_seconds += row["seconds"].get<double>() / static_cast<double>(rows.size());
        }
        EXPECT_EQ(told["steps"], rows.size());
        return figures;
    }
    // Other programs can halt or squeeze one of two measurements: three times in a row they do not.
    void expect_estimated(const std::vector<std::string>& arguments) {
        std::ostringstream seen;
        for (int attempt = 0; attempt < 3; ++attempt) {
            const Compared figures = compared(arguments);
            if (HasFailure() || figures.near()) return;
            seen << "\n" << figures;
        }
        ADD_FAILURE() << "memory within 15 %, time within a factor of 3:" << seen.str();
    }
    std::string at(const std::string& name) const {
        return (folder_.path() / name).string();
    }
    TemporaryFolder folder_;
};

TEST_F(EstimatedTraining, OfPairsWithAnAdapter) {
    expect_estimated({"align", "--model", at("model"), "--pairs", at("pairs.jsonl"), "--loss", "simpo", "--batch-size", "12",
                      "--micro-batch-tokens", "6000"});
}

TEST_F(EstimatedTraining, OfAllWeights) {
    // Steps enough for memory to scatter: what is told is the peak of a long run.
    expect_estimated({"sft", "--model", at("model"), "--data", at("sft.jsonl"), "--full", "--dtype", "float32",
                      "--batch-size", "12", "--micro-batch-tokens", "4000", "--epochs", "3"});
}

TEST_F(EstimatedTraining, OfLayersMadeAgainInBfloat16) {
    expect_estimated({"sft", "--model", at("model"), "--data", at("sft.jsonl"), "--recompute-layers", "-1", "--dtype",
                      "bfloat16", "--batch-size", "12", "--epochs", "3"});
}

}  // namespace
}  // namespace craft
