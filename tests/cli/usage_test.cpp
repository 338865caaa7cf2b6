// Options without effect are warned of. Those that contradict each other or cannot be used are in tests/cases/cli.
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
    EXPECT_EQ(warnings("craft"), "warning: alpha has no effect with loss craft\n");
    EXPECT_EQ(warnings("arpo"), "warning: gamma has no effect with loss arpo\n");
}

// What files hold is read when the run has begun.
TEST_F(Usage, SetsThatShareAnInstruction) {
    folder_.file("selection.jsonl", test::kInstruction);
    EXPECT_EQ(failure({"align", "--iter", "1", "--model", "{model}", "--texts", "{dir}/text.jsonl", "--dev",
                       "{dir}/instructions.jsonl", "--selection", "{dir}/selection.jsonl", "--out", "{dir}/out"}),
              "2: --dev and --selection: expected instructions of their own in each, got 'a' in both");
}

TEST_F(Usage, WarnsOfOptionsOfAnotherLoss) {
    const auto warnings = [&](const std::string& loss, const std::string& setting) {
        return test::run_command({"align", "--model", test::tiny_model(), "--pairs", dir() + "/pairs.jsonl", "--out",
                                  dir() + "/out", "--loss", loss, "--set", setting, "--dump-config"})
            .err;
    };
    const std::string said = "warning: --set loss.";
    EXPECT_EQ(warnings("simpo", "loss.form=ipo"), said + "form has no effect with loss simpo\n");
    EXPECT_EQ(warnings("craft", "loss.eta1=5"), said + "eta1 has no effect with loss craft\n");
    EXPECT_EQ(warnings("simpo", "loss.nll_normalisation=sum"), said + "nll_normalisation has no effect with loss simpo\n");
    EXPECT_EQ(warnings("sft", "loss.label_smoothing=0.1"), said + "label_smoothing has no effect with loss sft\n");
    EXPECT_EQ(warnings("cpo", "loss.form=ipo"), "");
    EXPECT_EQ(warnings("arpo", "loss.detach_tau=true"), "");
}

}  // namespace
}  // namespace craft
