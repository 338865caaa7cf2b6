// What is read in a reviser's answer: what is taken off, what stays, and what is no revision.
#include "data/revision_reply.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/rng.h"
#include "tests/source.h"

namespace craft {

namespace {

using ::testing::ElementsAre;

const std::string kSource = "The mill was built in 1841. It was closed, due to the fact that the river silted up.";
const std::string kRevised = "The mill was built in 1841. It was closed because the river silted up.";

RevisionReply read_answer(const std::string& reply, const std::string& source = kSource, bool after_marker = false) {
    static const WordingTable wordings =
        WordingTable::load(std::filesystem::path(test_source()) / "share" / "prompts" / "reviser_replies.json");
    return read_revision_reply(reply, source, after_marker, wordings);
}

// The text read, or "!" and why there is none.
std::string answer_text(const std::string& reply, const std::string& source = kSource, bool after_marker = false) {
    const RevisionReply found = read_answer(reply, source, after_marker);
    EXPECT_NE(found.text.empty(), found.unusable.empty());
    return found.unusable.empty() ? found.text : "!" + found.unusable;
}

}  // namespace

TEST(RevisionReply, ThePlainTextIsStripped) {
    const RevisionReply found = read_answer("\n  " + kRevised + " \r\n");
    EXPECT_EQ(found.text, kRevised);
    EXPECT_EQ(found.unusable, "");
    EXPECT_THAT(leniency_kinds(found.noted), ElementsAre());
}

TEST(RevisionReply, PrefacesGo) {
    for (const char* preface : {"Here is the revised text:", "**Revised text:**", "### Revised Text:", "Sure! Here you go:",
                                "SURE:", "Certainly, this is better:", "Output:"}) {
        const RevisionReply found = read_answer(std::string(preface) + "\n\n" + kRevised);
        EXPECT_EQ(found.text, kRevised) << preface;
        EXPECT_THAT(leniency_kinds(found.noted), ElementsAre("prefaced")) << preface;
    }
}

TEST(RevisionReply, WhatOnlyLooksLikeAPrefaceStays) {
    // No colon at its end, another word, the text's own.
    EXPECT_EQ(answer_text("Here is a mill\n" + kRevised), "Here is a mill\n" + kRevised);
    EXPECT_EQ(answer_text("Here is the revised text:"), "!empty") << "nothing comes after it";
    EXPECT_EQ(answer_text("Surely it held:\n" + kRevised), "Surely it held:\n" + kRevised);
    EXPECT_EQ(answer_text("Note:\n" + kRevised), "Note:\n" + kRevised);
    const std::string list = "Output per worker dropped in the following fields:\nMills, mines and roads.";
    EXPECT_EQ(answer_text("Output per worker fell in these fields:\nMills and mines.", list),
              "Output per worker fell in these fields:\nMills and mines.");
}

TEST(RevisionReply, FencesGoUnlessTheTextHasThemItself) {
    const RevisionReply found = read_answer("```text\n" + kRevised + "\n```");
    EXPECT_EQ(found.text, kRevised);
    EXPECT_THAT(leniency_kinds(found.noted), ElementsAre("fenced"));
    EXPECT_EQ(answer_text("Revised:\n```\n" + kRevised + "\n```"), kRevised);
    const std::string two = "```\nThe mill was built.\n```\nIt was closed.\n```\nThe river silted up.\n```";
    EXPECT_EQ(answer_text(two), two);
    EXPECT_EQ(answer_text("```\nx = 1\n```", "```\nx = 2\n```"), "```\nx = 1\n```");
    EXPECT_EQ(answer_text("``````"), "``````");
    EXPECT_EQ(answer_text("```\n```"), "!empty");
}

TEST(RevisionReply, QuotesGoUnlessTheyAreTheTexts) {
    EXPECT_EQ(answer_text("\"" + kRevised + "\""), kRevised);
    EXPECT_EQ(answer_text("“" + kRevised + "”"), kRevised);
    EXPECT_THAT(leniency_kinds(read_answer("“" + kRevised + "”").noted), ElementsAre("quoted"));
    EXPECT_EQ(answer_text("\"It closed.\"", "\"It was closed.\""), "\"It closed.\"") << "so it stood in the text";
    EXPECT_EQ(answer_text("\"Yes,\" he said, \"it closed.\""), "\"Yes,\" he said, \"it closed.\"");
    EXPECT_EQ(answer_text("“Yes” and “no”"), "“Yes” and “no”");
    EXPECT_EQ(answer_text("“Yes” and no”"), "“Yes” and no”") << "the first one ends before the end";
    EXPECT_EQ(answer_text("\""), "\"");
    EXPECT_EQ(answer_text("\"\""), "!empty");
}

TEST(RevisionReply, BoldTypeGoesUnlessItIsTheTexts) {
    const RevisionReply found = read_answer("**" + kRevised + "**");
    EXPECT_EQ(found.text, kRevised);
    EXPECT_EQ(found.noted, (Leniency{{"bold", 1}}));
    EXPECT_EQ(answer_text("**It** closed **early**", "It was closed early."), "**It** closed **early**");
    EXPECT_EQ(answer_text("**It closed.**", "**It was closed.** Soon."), "**It closed.**") << "so it stood in the text";
}

TEST(RevisionReply, WhatStandsAroundATextMayStandInAnyOrder) {
    const RevisionReply found = read_answer("```\nRevised text:\n**\"" + kRevised + "\"**\n```");
    EXPECT_EQ(found.text, kRevised);
    EXPECT_EQ(found.noted, (Leniency{{"bold", 1}, {"fenced", 1}, {"prefaced", 1}, {"quoted", 1}}));
}

TEST(RevisionReply, ThinkingGoes) {
    const RevisionReply found = read_answer("<think>\nShorter: \"because\".\n</think>\n\n" + kRevised);
    EXPECT_EQ(found.text, kRevised);
    EXPECT_THAT(leniency_kinds(found.noted), ElementsAre("thinking"));
    EXPECT_EQ(answer_text("only the end was told</think>" + kRevised), kRevised);
    EXPECT_EQ(answer_text("<think>it never came to an end. " + kRevised), "!empty");
}

TEST(RevisionReply, BehindTheLastMarker) {
    const auto behind = [](const std::string& reply) { return answer_text(reply, kSource, true); };
    EXPECT_EQ(behind("1. Shorten.\n### Revised text:\n" + kRevised), kRevised);
    EXPECT_EQ(behind("**Final answer:** " + kRevised), kRevised);
    EXPECT_EQ(behind("**Revised text**:\n" + kRevised), kRevised);
    EXPECT_EQ(behind("Revised text: a first try.\nBut that is wrong.\n  REVISED TEXT: " + kRevised), kRevised);
    EXPECT_EQ(behind("Think.\n### Revised text:\n* One.\n* Two."), "* One.\n* Two.") << "a list of the text's own";
    EXPECT_EQ(behind(kRevised), "!no_marker");
    EXPECT_EQ(behind("I would write the revised text: so"), "!no_marker") << "not where a line begins";
    EXPECT_EQ(behind("Think.\n### Revised text:"), "!empty");
    EXPECT_EQ(behind(" \n"), "!empty");
    // Without reasoning a marker is a preface like others.
    EXPECT_EQ(answer_text("### Revised text:\n" + kRevised), kRevised);
}

TEST(RevisionReply, ThePlanIsNoRevision) {
    const std::string plan = "Sentence: \"The mill was built in 1841.\"; Improvement Plan: \"Keep it as it is.\"";
    EXPECT_EQ(answer_text(plan), "!echo");
    EXPECT_EQ(answer_text(kRevised + "\n" + plan), "!echo");
    EXPECT_EQ(answer_text(plan, plan + " More."), plan) << "it is what the text is about";
}

TEST(RevisionReply, ATextOfOtherWordsIsNoRevision) {
    // Its 15 words share "1841" alone with the text.
    EXPECT_EQ(answer_text("Le moulin a été construit en 1841. Il a été fermé parce que la rivière était ensablée."),
              "!unrelated");
    // 10 words, 2 of the source's: one in five is enough. With one of them less it is not.
    EXPECT_EQ(answer_text("mill river c d e f g h i j"), "mill river c d e f g h i j");
    EXPECT_EQ(answer_text("mill b c d e f g h i j"), "!unrelated");
    EXPECT_EQ(answer_text("a1 b c d e f g h i"), "a1 b c d e f g h i") << "too few words to tell";
    // Unless they stand for a long text, of 4 * 19 words.
    std::string text;
    for (int i = 0; i < 4; ++i)
        text += " The mill was built in 1841 and it was closed because the river there silted up one day again.";
    EXPECT_EQ(answer_text("Bitte senden Sie mir den Text!", text), "!unrelated");
    EXPECT_EQ(answer_text("The mill was closed.", text), "The mill was closed.");
    // A question back, unless half of its words are the text's, or the text asks something itself.
    EXPECT_EQ(answer_text("Which mill do you mean?", "The mill was built."), "!unrelated");
    EXPECT_EQ(answer_text("Was the mill built?", "The mill was built."), "Was the mill built?");
    EXPECT_EQ(answer_text("Which mill do you mean?", "Which one was built?"), "Which mill do you mean?");
}

TEST(RevisionReply, AnUnchangedTextIsNoted) {
    const RevisionReply found = read_answer("```\n" + kSource + "\n```");
    EXPECT_EQ(found.text, kSource);
    EXPECT_THAT(leniency_kinds(found.noted), ElementsAre("fenced", "unchanged"));
    EXPECT_THAT(leniency_kinds(read_answer(kSource, " " + kSource + "\n").noted), ElementsAre("unchanged"))
        << "but for white space around it";
}

TEST(RevisionReply, EmptyOrNoUtf8) {
    EXPECT_EQ(answer_text(""), "!empty");
    EXPECT_EQ(answer_text(" \t\n"), "!empty");
    EXPECT_EQ(answer_text("The mill \xff was built."), "!not_utf8");
    EXPECT_EQ(answer_text("The mill was buil\xc3"), "!not_utf8") << "cut within a letter";
    EXPECT_EQ(answer_text("\xed\xa0\x80"), "!not_utf8") << "a surrogate";
    EXPECT_EQ(answer_text(std::string("The mill\0closed.", 16)), std::string("The mill\0closed.", 16));
}

TEST(RevisionReply, AnyBytesAreRead) {
    const std::vector<std::string> pieces = {"```",
                                             "\n",
                                             "<think>",
                                             "</think>",
                                             "\"",
                                             "“",
                                             "”",
                                             "Sure:",
                                             "*",
                                             "#",
                                             ":",
                                             " ",
                                             "a",
                                             "\xff",
                                             "\xe2\x80",
                                             "mill",
                                             "Improvement Plan:",
                                             "### Revised text:",
                                             std::string(1, '\0')};
    for (int i = 0; i < 20000; ++i) {
        Rng rng(1, "replies", std::to_string(i));
        std::string reply;
        for (int64_t k = rng.between(0, 12); k > 0; --k) reply += rng.pick(pieces);
        answer_text(reply, i % 3 == 0 ? reply : kSource, i % 2 == 0);
    }
}

}  // namespace craft
