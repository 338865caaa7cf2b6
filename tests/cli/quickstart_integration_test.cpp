// The quickstart command on both configurations that ship, with next to no data.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Quickstart, AFinishedRunSaysTheSameAgain) {
    for (const std::string configuration : {"quickstart", "quickstart-smoke"}) {
        const TemporaryFolder folder;
        const std::string out = (folder.path() / "run").string();
        const test::Arguments command = {"quickstart",
                                         "--config",
                                         std::string(CRAFT_TEST_SOURCE) + "/configs/" + configuration + ".json",
                                         "--iter",
                                         "1",
                                         "--set",
                                         "data.trajectories=6",
                                         "--set",
                                         "data.selection=3",
                                         "--set",
                                         "data.dev=3",
                                         "--set",
                                         "data.others=2",
                                         "--set",
                                         "sft.epochs=1",
                                         "--set",
                                         "sampling.max_new_tokens=16",
                                         "--set",
                                         "rounds.instructions=4",
                                         "--out",
                                         out};
        const test::Outcome first = test::run_command(command), again = test::run_command(command);
        ASSERT_EQ(first.code, 0) << first.err;
        EXPECT_THAT(first.out, testing::AllOf(HasSubstr("round-1"), HasSubstr("c4: constraint F1"),
                                              HasSubstr(out + "/summary.json"), HasSubstr("What to try next")));
        EXPECT_EQ(again.code, 0);
        EXPECT_EQ(again.out, first.out);
        EXPECT_THAT(again.err, testing::AllOf(HasSubstr("finished already"), Not(HasSubstr("training: "))));
    }
}

}  // namespace
}  // namespace craft
