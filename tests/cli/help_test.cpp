// What --help prints: groups, conditions, a width that fits terminals, and the two pages of `align`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/cli/run_command.h"

namespace craft {
namespace {

using test::Arguments;
using test::in_one_line;
using test::run_command;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string help_page(Arguments command) {
    command.emplace_back("--help");
    const test::Outcome outcome = run_command(command);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
}

// The lines between a title and the next empty line.
std::string group_of(const std::string& help, const std::string& title) {
    const size_t begin = help.find("\n\n" + title + "\n");
    if (begin == std::string::npos) return "";
    return help.substr(begin + 1, help.find("\n\n", begin + 2) - begin);
}

TEST(Help, FitsAHundredColumns) {
    std::vector<std::string> pages = {run_command({"--help"}).out};
    for (const Command& command : commands()) {
        pages.push_back(test::help_of(command));
    }
    EXPECT_GE(pages.size(), 50u);
    for (const std::string& page : pages) {
        std::istringstream lines(page);
        for (std::string line; std::getline(lines, line);)
            EXPECT_LE(line.size(), 100u) << page.substr(0, 40) << "\n" << line;
    }
}

TEST(Help, ShowsOptionsInGroups) {
    const std::string sft = help_page({"sft"});
    EXPECT_THAT(group_of(sft, "Data"),
                AllOf(HasSubstr("\n  --data "), HasSubstr("\n  --out "), HasSubstr("\n  --max-length ")));
    EXPECT_THAT(group_of(sft, "Model"), AllOf(HasSubstr("\n  --model "), HasSubstr("\n  --quantize ")));
    EXPECT_THAT(group_of(sft, "LoRA"), AllOf(HasSubstr("\n  --lora-rank "), HasSubstr("\n  --full ")));
    EXPECT_THAT(group_of(sft, "Optimiser"), AllOf(HasSubstr("\n  --lr "), HasSubstr("\n  train.weight_decay ")));
    EXPECT_THAT(group_of(sft, "Every command"), AllOf(HasSubstr("\n  --seed "), HasSubstr("\n  --config ")));
    const std::string rounds = help_page({"align", "rounds"});
    EXPECT_THAT(group_of(rounds, "Rounds"), HasSubstr("\n  rounds.samples "));
    EXPECT_THAT(group_of(rounds, "Reward"), HasSubstr("\n  reward.lambda_v "));
    EXPECT_THAT(group_of(rounds, "Hosted models"), HasSubstr("\n  --answers "));
    EXPECT_THAT(group_of(rounds, "Suggestions"), HasSubstr("\n  --text-feedback "));
    EXPECT_THAT(group_of(rounds, "Rewriter"), HasSubstr("\n  --rewriter "));
}

TEST(Help, TellsWhatGoesTogether) {
    EXPECT_THAT(in_one_line(help_page({"revise"})), HasSubstr("--rounds INTEGER of iter [5] (needs --method iter) "));
    EXPECT_THAT(in_one_line(help_page({"sft"})),
                HasSubstr("scale of a new adapter is alpha / rank [32.0] (not with --full, --adapter)"));
}

TEST(Help, AlignHasTwoPages) {
    const std::string pairs = help_page({"align", "pairs"}), rounds = help_page({"align", "rounds"});
    EXPECT_THAT(pairs, AllOf(HasSubstr("\n  --pairs "), HasSubstr("\n  --loss "), HasSubstr("\n  --full "),
                             Not(HasSubstr("--iter")), Not(HasSubstr("\n  --texts ")), Not(HasSubstr("rounds.samples"))));
    EXPECT_THAT(rounds, AllOf(HasSubstr("\n  --iter "), HasSubstr("\n  --loss "), HasSubstr("\n  --texts "),
                              Not(HasSubstr("--pairs")), Not(HasSubstr("\n  --full "))));
    EXPECT_THAT(help_page({"align"}), AllOf(HasSubstr("craft-train align pairs --help"),
                                            HasSubstr("craft-train align rounds --help"), Not(HasSubstr("--lora-rank"))));
    EXPECT_EQ(help_page({"align", "--pairs", "p"}), pairs) << "also by what is given";
    EXPECT_EQ(help_page({"align", "--iter", "2"}), rounds);
    const test::Outcome used = run_command({"align", "pairs", "--model", "m"});
    EXPECT_EQ(used.code, 2);
    EXPECT_THAT(used.errors(), testing::Contains(HasSubstr("align pairs: names a help page only")));
}

TEST(Help, EndsWithAnExampleThatAShellTakes) {
    const std::string help = help_page({"simplify"});
    EXPECT_THAT(help, HasSubstr("\nExample:\n  craft-train simplify --model "));
    const std::string example = help.substr(help.rfind("Example:\n") + 9);
    EXPECT_THAT(example, HasSubstr(" \\\n    --")) << "a long one goes on behind a backslash";
}

}  // namespace
}  // namespace craft
