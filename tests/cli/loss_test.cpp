// `loss` against `score` and the formulas of the losses, on a random model.
#include <gtest/gtest.h>

#include <cmath>

#include "core/json.h"
#include "tests/cli/command_inputs.h"

namespace craft {
namespace {

using test::Arguments;
using test::run_command;
using test::tiny_model;

class Loss : public testing::Test {
protected:
    Json result_of(const std::string& row, const Arguments& more = {}) {
        Arguments command = {"loss",     "--model", tiny_model(), "--input", folder_.file("requests.jsonl", row + "\n"),
                             "--output", "-",       "--device",   "cpu",     "--quiet"};
        command.insert(command.end(), more.begin(), more.end());
        const auto outcome = run_command(command);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return Json::parse(outcome.out);
    }
    // Log-probabilities of tokens 1, 2, … by `score`.
    std::vector<double> scores_of(const std::string& ids) {
        const auto outcome = run_command({"score", "--ids", "--model", tiny_model(), "--input",
                                          folder_.file("ids.jsonl", R"({"id":"a","input_ids":)" + ids + "}\n"), "--output",
                                          "-", "--device", "cpu", "--quiet"});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return Json::parse(outcome.out)["logprobs"].get<std::vector<double>>();
    }
    TemporaryFolder folder_;
};

const std::string kPair = R"({"chosen":{"input_ids":[1,40,41,50,51,52],"completion_mask":[0,0,0,1,0,1]},)"
                          R"("rejected":{"input_ids":[1,40,41,60],"completion_mask":[0,0,0,1]}})";

TEST_F(Loss, IsTheFormulaOfScoresLogprobs) {
    const auto chosen = scores_of("[1,40,41,50,51,52]"), rejected = scores_of("[1,40,41,60]");
    const double w = (chosen[2] + chosen[4]) / 2, l = rejected[2];
    const Json simpo = result_of(R"({"id":7,"request":{"loss":"simpo","beta":2,"gamma":0.5},"pairs":[)" + kPair + "]}");
    EXPECT_EQ(simpo["id"], 7);
    EXPECT_NEAR(simpo["loss"], std::log1p(std::exp(-(2 * (w - l) - 0.5))), 1e-5);
    EXPECT_NEAR(simpo["nll"], -w, 1e-5);
    EXPECT_NEAR(simpo["chosen_logps"][0], w, 1e-5);
    EXPECT_NEAR(simpo["rejected_logps"][0], l, 1e-5);
    EXPECT_GT(simpo["grad_norm"], 0);
    const Json hinge =
        result_of(R"({"id":"h","request":{"loss":"cpo","form":"hinge","alpha":0.25},"pairs":[)" + kPair + "]}");
    EXPECT_NEAR(hinge["chosen_logps"][0], 2 * w, 1e-5) << "sums where the loss compares sums";
    EXPECT_NEAR(hinge["loss"], std::max(0.0, 1 - 0.1 * (2 * w - l)) - 0.25 * w, 1e-5);
    const Json sft = result_of(R"({"id":"s","sequences":[{"input_ids":[1,40,41,60],"completion_mask":[1,1,0,1]}]})");
    EXPECT_NEAR(sft["loss"], -(rejected[0] + rejected[2]) / 2, 1e-5) << "the first token never counts";
    EXPECT_FALSE(sft.contains("rejected_logps"));
}

TEST_F(Loss, DpoTakesItsReferenceFromTheRowOrFromTheWeights) {
    const auto chosen = scores_of("[1,40,41,50,51,52]"), rejected = scores_of("[1,40,41,60]");
    const double w = chosen[2] + chosen[4], l = rejected[2];
    const std::string given = kPair.substr(0, kPair.size() - 1) + R"(,"reference":{"chosen":-9,"rejected":-7.5}})";
    const Json from_row =
        result_of(R"({"id":"a","request":{"loss":"dpo","beta":0.5,"alpha":0.25},"pairs":[)" + given + "]}");
    EXPECT_NEAR(from_row["loss"], std::log1p(std::exp(-0.5 * ((w + 9) - (l + 7.5)))) - 0.25 * w / 2, 1e-5);
    EXPECT_NEAR(from_row["chosen_logps"][0], w, 1e-5);
    // By the weights themselves nothing has moved yet.
    for (const char* reference : {"start", "base"}) {
        const Json own = result_of(R"({"id":"b","request":{"loss":"dpo","reference":")" + std::string(reference) +
                                   R"("},"pairs":[)" + kPair + "]}");
        EXPECT_NEAR(own["loss"], std::log(2), 1e-6) << reference;
        EXPECT_GT(own["grad_norm"], 0);
    }
}

TEST_F(Loss, MicroBatchesChangeNothing) {
    const std::string row = R"({"id":"a","pairs":[)" + kPair + "," + kPair + "," + kPair + "]}";
    const Json whole = result_of(row), cut = result_of(row, {"--micro-batch-tokens", "1"});
    for (const char* key : {"loss", "nll", "grad_norm"})
        EXPECT_NEAR(whole[key].get<double>(), cut[key].get<double>(), 1e-5 * std::abs(whole[key].get<double>())) << key;
}

}  // namespace
}  // namespace craft
