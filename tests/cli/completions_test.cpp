// Completions and the man page, as bash and roff read them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "cli/commands.h"
#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"

namespace craft::test {
namespace {

using testing::HasSubstr;

// What bash completes when a user has typed this.
std::string completed(const std::string& words) {
    const TemporaryFolder folder;
    const std::string script = folder.file("completions", run_command({"completions", "bash"}).out);
    const std::string out = (folder.path() / "out").string();
    const std::string command = "bash -c 'source " + script + "; COMP_WORDS=(" + words +
                                "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _craft_train; echo \"${COMPREPLY[*]}\"' > " + out;
    EXPECT_EQ(std::system(command.c_str()), 0) << words;
    std::string replies = read_file(out);
    if (!replies.empty()) replies.pop_back();
    return replies;
}

TEST(Completions, AreThoseOfTheWordsBefore) {
    EXPECT_EQ(completed("craft-train qu"), "quickstart");
    EXPECT_EQ(completed("craft-train eval too"), "tools");
    EXPECT_EQ(completed("craft-train gec ins"), "inspect");
    EXPECT_EQ(completed("craft-train eval tools --err"), "--errors");
    EXPECT_EQ(completed("craft-train sft --truncate \"\""), "none left");
    EXPECT_EQ(completed("craft-train sft --dump"), "--dump-config");
    EXPECT_EQ(completed("craft-train sft --no-such"), "");
}

TEST(Completions, OfAllShellsNameAllCommands) {
    for (const char* shell : {"bash", "zsh", "fish"}) {
        const std::string out = run_command({"completions", shell}).out;
        for (const Command& command : commands())
            EXPECT_THAT(out, HasSubstr(command.name.substr(command.name.find(' ') + 1))) << shell;
    }
    EXPECT_EQ(run_command({"completions", "csh"}).code, 2);
}

// A line that begins with a point or an apostrophe would be a request of roff's.
TEST(Manual, HasAPageForEachCommand) {
    const std::string page = run_command({"manual"}).out;
    for (const Command& command : commands()) {
        std::string name = command.name;
        if (name.find('-') != std::string::npos) continue;
        EXPECT_THAT(page, HasSubstr(".SH " + name + "\n"));
    }
    EXPECT_THAT(page, HasSubstr("\\-\\-lora\\-rank"));
    EXPECT_EQ(page.find("\n.craft"), std::string::npos);
}

}  // namespace
}  // namespace craft::test
