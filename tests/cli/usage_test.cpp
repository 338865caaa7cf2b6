// Options without effect are warned of. Those that contradict each other or cannot be used are in tests/cases/cli.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/command_inputs.h"

namespace craft {
namespace {

using Usage = test::CommandInputs;

TEST_F(Usage, WarnsOfCoefficientsThatTheLossDoesNotHave) {
    const auto warnings = [&](const std::string& loss) {
        return test::run_command({"align", "--model", test::tiny_model(), "--pairs", dir() + "/pairs.jsonl", "--out",
                                  dir() + "/out", "--loss", loss, "--beta", "1", "--gamma", "1", "--alpha", "1",
                                  "--dump-config"})
            .err;
    };
    EXPECT_EQ(warnings("cpo_simpo"), "");
    EXPECT_EQ(warnings("craft"),
              "warning: --alpha: expected with --loss cpo, cpo_simpo, arpo, arpo_simpo or dpo, got --loss craft; it has no "
              "effect\n");
    EXPECT_EQ(warnings("arpo"),
              "warning: --gamma: expected with --loss simpo, craft, cpo_simpo or arpo_simpo, got --loss arpo; it has no "
              "effect\n");
}

// What files hold is read when the run has begun.
TEST_F(Usage, SetsThatShareAnInstruction) {
    folder_.file("selection.jsonl", test::kInstruction);
    EXPECT_EQ(failure({"align", "--iter", "1", "--model", "{model}", "--texts", "{dir}/text.jsonl", "--dev",
                       "{dir}/instructions.jsonl", "--selection", "{dir}/selection.jsonl", "--out", "{dir}/out"}),
              "2: --dev and --selection: expected different instructions in each, got 'a' in both");
}

TEST_F(Usage, WarnsOfOptionsOfAnotherLoss) {
    const auto warnings = [&](const std::string& loss, const std::string& setting) {
        return test::run_command({"align", "--model", test::tiny_model(), "--pairs", dir() + "/pairs.jsonl", "--out",
                                  dir() + "/out", "--loss", loss, "--set", setting, "--dump-config"})
            .err;
    };
    for (const auto& [loss, setting] :
         {std::pair("simpo", "form=ipo"), std::pair("craft", "eta1=5"), std::pair("simpo", "nll_normalisation=sum"),
          std::pair("sft", "label_smoothing=0.1")}) {
        const std::string name = std::string(setting).substr(0, std::string(setting).find('='));
        EXPECT_THAT(warnings(loss, std::string("loss.") + setting),
                    testing::AllOf(testing::StartsWith("warning: --set loss." + name + ": expected with --loss "),
                                   testing::EndsWith(std::string(", got --loss ") + loss + "; it has no effect\n")));
    }
    EXPECT_EQ(warnings("cpo", "loss.form=ipo"), "");
    EXPECT_EQ(warnings("arpo", "loss.detach_tau=true"), "");
}

}  // namespace
}  // namespace craft
