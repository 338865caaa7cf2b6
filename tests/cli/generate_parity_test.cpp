// What `generate` makes of generation_config.json, against transformers' generate() on the same folders.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "model/generate/generation_config.h"
#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"
#include "tests/parity/run_python.h"

namespace craft {
namespace {

namespace fs = std::filesystem;

class GenerateParity : public testing::Test {
protected:
    static void SetUpTestSuite() {
        if (test::parity_python() == nullptr) return;
        folder_ = std::make_unique<TemporaryFolder>();
        ASSERT_TRUE(test::run_parity_script("make_generations.py", folder_->path()));
    }
    static void TearDownTestSuite() { folder_.reset(); }

    // f(folder of a model, case) for each case that the script wrote as `name`.
    template <class F>
    static void for_cases(const std::string& name, const F& f) {
        int64_t cases = 0;
        for (const auto& entry : fs::directory_iterator(folder_->path()))
            for (const Json& one : read_json_file(entry.path() / name)) {
                f(entry.path(), one);
                ++cases;
            }
        EXPECT_GT(cases, 50);
    }

    static std::unique_ptr<TemporaryFolder> folder_;
};
std::unique_ptr<TemporaryFolder> GenerateParity::folder_;

TEST_F(GenerateParity, GreedyIdsUnderEachKey) {
    CRAFT_NEEDS_PARITY_PYTHON();
    for_cases("greedy.json", [](const fs::path& folder, const Json& one) {
        write_json_file(folder / "model/generation_config.json", one["file"]);
        std::ofstream rows(folder / "rows.jsonl");
        for (const Json& prompt : one["prompts"]) rows << Json{{"id", 1}, {"input_ids", prompt}}.dump() << "\n";
        rows.close();
        const test::Outcome outcome = test::run_command({"generate", "--model", (folder / "model").string(), "--input",
                                                         (folder / "rows.jsonl").string(), "--output", "-", "--ids",
                                                         "--greedy", "--max-new-tokens", "12", "--dtype", "float32"});
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        Json got = Json::array();
        std::istringstream lines(outcome.out);
        for (std::string line; std::getline(lines, line);) got.push_back(parse_json(line, "stdout")["output_ids"]);
        EXPECT_EQ(got, one["output_ids"]) << folder.filename() << ", " << one["name"];
    });
}

// float32 on both sides, of logits of some 10: exponents differ by 1e-6 of themselves.
TEST_F(GenerateParity, WhatIsSampledFromUnderEachKey) {
    CRAFT_NEEDS_PARITY_PYTHON();
    std::vector<float> scratch;
    LogitProcessor::Scratch ruled;
    for_cases("sampled.json", [&](const fs::path& folder, const Json& one) {
        const GenerationConfig config(folder / "generation_config.json", one["file"]);
        const auto logits = one["logits"].get<std::vector<float>>();
        const auto prompt = one["prompt"].get<std::vector<int64_t>>();
        const auto expected = one["probabilities"].get<std::vector<double>>();
        const auto vocabulary = static_cast<int64_t>(logits.size());
        const LogitProcessor rules(config.rules({}, vocabulary), one["file"]["eos_token_id"].get<std::vector<int64_t>>());
        const auto candidates = sampling_candidates(rules.apply(logits.data(), vocabulary, {prompt, {}, 12}, ruled),
                                                    vocabulary, config.sampling({}), scratch);
        double total = 0;
        for (const TokenCandidate& candidate : candidates) total += candidate.weight;
        std::vector<double> got(expected.size());
        for (const TokenCandidate& candidate : candidates)
            got[static_cast<size_t>(candidate.token)] = candidate.weight / total;
        for (size_t token = 0; token < got.size(); ++token) {
            EXPECT_NEAR(got[token], expected[token], 1e-5)
                << folder.filename() << ", " << one["name"] << ", token " << token;
            if (expected[token] > 1e-30) {  // more than float32's least
                EXPECT_GT(got[token], 0) << folder.filename() << ", " << one["name"] << ", token " << token;
            }
        }
        EXPECT_LE(candidates.size(),
                  static_cast<size_t>(std::count_if(expected.begin(), expected.end(), [](double p) { return p > 0; })))
            << folder.filename() << ", " << one["name"];
    });
}

}  // namespace
}  // namespace craft
