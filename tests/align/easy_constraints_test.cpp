// Constraints of style and content that a model writes: what is asked, and what of its answers is taken.
#include "align/easy_constraints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rollout/scripted_parts.h"
#include "tests/source.h"

namespace craft {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

RewrittenInstruction read(const std::string& reply) {
    static const WordingTable replies =
        WordingTable::load(std::filesystem::path(test_source()) / "share" / "prompts" / "easy_constraint_replies.json");
    return read_easy_constraint(reply, replies);
}

TEST(EasyConstraints, AreOneSentenceThatNoProgramChecks) {
    for (const char* reply : {"The text reads like a notice for tourists.", "\"The text reads like a notice for tourists.\"",
                              "Requirement:\nThe text reads like a notice for tourists.",
                              "<think>hm</think>**The text reads like a notice for tourists.**"})
        EXPECT_EQ(read(reply).text, "The text reads like a notice for tourists.") << reply;
    EXPECT_EQ(read("The year 1841 is still mentioned.").refused, "");
    EXPECT_EQ(read("").refused, "empty");
    EXPECT_EQ(read("Here is the requirement:").refused, "empty");
    EXPECT_EQ(read("What kind of reader do you have in mind?").refused, "asks back");
    EXPECT_EQ(read("It is formal.\nIt is short.").refused, "goes on");
    EXPECT_EQ(read("The text has at most fifty words.").refused, "countable");
    EXPECT_EQ(read("It has \xff.").refused, "not_utf8");
    std::string words = "It";
    for (int i = 0; i < 39; ++i) words += " is";
    EXPECT_EQ(read(words + ".").refused, "") << "40 words";
    EXPECT_EQ(read(words + " so.").refused, "too long");
    EXPECT_EQ(read(words + " so.").text, "");
}

TEST(EasyConstraints, AreAskedForByKind) {
    ScriptedSystem system("The text sounds hopeful.");
    const EasyConstraintWriter writer(system, PromptFiles(), {.stage = "easy constraints"});
    EXPECT_EQ(writer.write(EasyKind::style, "A mill.", 0).text, "The text sounds hopeful.");
    writer.write(EasyKind::semantic, "A mill.", 1);
    ASSERT_EQ(system.asks.size(), 2u);
    EXPECT_THAT(system.asks[0].messages[0].content, HasSubstr("domain or style"));
    EXPECT_THAT(system.asks[1].messages[0].content, HasSubstr("of content"));
    EXPECT_THAT(system.asks[1].messages[0].content, EndsWith("### Text:\nA mill."));
    EXPECT_EQ(system.asks[0].item, system.asks[1].item);
    EXPECT_EQ(system.asks[1].sample, 1u);
    EXPECT_THAT(writer.instruction("The text sounds hopeful."), EndsWith(": The text sounds hopeful."));
    ScriptedSystem late([](const ScriptedSystem::Ask&, size_t) { return Reply::failed(Failure::timed_out, "late"); });
    EXPECT_EQ(EasyConstraintWriter(late, PromptFiles(), {}).write(EasyKind::style, "A mill.", 0).refused, "timed_out");
}

}  // namespace
}  // namespace craft
